//! The flags of reads and writes on Linux (`preadv2(2)`).

use crate::config::EngineOptions;

impl EngineOptions {
    /// The `RWF_*` flags that each read and write carries.
    pub(crate) fn rw_flags(&self, hipri_flag: bool) -> i32 {
        let mut flags = 0;
        if hipri_flag && self.hipri {
            flags |= libc::RWF_HIPRI;
        }
        if self.nowait {
            flags |= libc::RWF_NOWAIT;
        }
        if self.uncached {
            flags |= libc::RWF_DONTCACHE;
        }
        flags
    }
}
