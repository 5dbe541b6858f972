//! The flags of reads and writes on Linux (`preadv2(2)`).

use fathom_vocab::EngineOptions;

/// The `RWF_*` flags that each read and write carries.
pub(crate) fn rw_flags(options: &EngineOptions, hipri_flag: bool) -> i32 {
    let mut flags = 0;
    if hipri_flag && options.hipri {
        flags |= libc::RWF_HIPRI;
    }
    if options.nowait {
        flags |= libc::RWF_NOWAIT;
    }
    if options.uncached {
        flags |= libc::RWF_DONTCACHE;
    }
    flags
}
