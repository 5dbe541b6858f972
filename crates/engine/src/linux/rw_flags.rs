//! The flags of reads and writes on Linux (`preadv2(2)`).

use fathom_vocab::EngineOptions;

/// The `RWF_*` flags that each read and write carries.
pub(crate) fn rw_flags(options: &EngineOptions, hipri_flag: bool) -> i32 {
    let flags = [
        (hipri_flag && options.hipri, libc::RWF_HIPRI),
        (options.nowait, libc::RWF_NOWAIT),
        (options.uncached, libc::RWF_DONTCACHE),
    ];
    flags.into_iter().filter(|(is_on, _)| *is_on).fold(0, |all, (_, flag)| all | flag)
}
