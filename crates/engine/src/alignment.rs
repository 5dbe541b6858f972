//! What I/O past the page cache asks of buffers and offsets, and which values of a job meet it.
//!
//! Where an alignment comes from is part of it, so that a message never passes a guess off as
//! knowledge. Each system finds it out in its own way (`direct.rs` in its folder).

/// Where an alignment comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignmentSource {
    /// The kernel said it for this file (`STATX_DIOALIGN`).
    Statx,
    /// The logical sector size of the block device (`BLKSSZGET`).
    SectorSize,
    /// Nothing said it; 4096 bytes suit every device.
    Assumed,
}

impl AlignmentSource {
    /// How a message names it.
    pub fn name(self) -> &'static str {
        match self {
            AlignmentSource::Statx => "as the kernel reports for this file",
            AlignmentSource::SectorSize => "the device's logical sector size",
            AlignmentSource::Assumed => "assumed, as the file system does not say",
        }
    }
}

/// What O_DIRECT asks of I/O on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectAlignment {
    /// Whether the file takes O_DIRECT, as far as the kernel says without being tried.
    pub supported: bool,
    /// Alignment of buffers in bytes.
    pub mem: u32,
    /// Alignment of offsets and lengths in bytes.
    pub offset: u32,
    /// Where this comes from.
    pub source: AlignmentSource,
}

/// What O_DIRECT would be refused for, with values that would do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AlignmentError {
    /// A size or an offset of a job.
    #[error(
        "{name}={bytes} is not a multiple of {needed} bytes, which direct=1 needs here ({}); \
         use {name}={}, or direct=0",
        .origin.name(),
        nearest(*.bytes, *.needed)
    )]
    Value {
        /// What it is called there.
        name: String,
        /// How much it is.
        bytes: u64,
        /// What it has to be a multiple of.
        needed: u64,
        /// Where that comes from.
        origin: AlignmentSource,
    },
    /// The alignment of buffers.
    #[error(
        "buffers aligned to {align_bytes} bytes do not do for direct=1, which needs {needed} here \
         ({}); use iomem_align={needed}, or direct=0",
        .origin.name()
    )]
    Memory {
        /// What was asked for.
        align_bytes: u64,
        /// What it has to be a multiple of.
        needed: u64,
        /// Where that comes from.
        origin: AlignmentSource,
    },
}

/// The multiples of `align` next to `bytes`; none is 0.
fn nearest(bytes: u64, align: u64) -> String {
    let (below, above) = (bytes / align * align, bytes.next_multiple_of(align));
    if below == 0 { above.to_string() } else { format!("{below} or {above}") }
}

impl DirectAlignment {
    /// Checks a size or an offset of a job; `name` is what it is called there (`bs`, `offset`).
    ///
    /// # Errors
    /// Where it is not, with the nearest values that would be.
    pub fn check(&self, name: &str, bytes: u64) -> Result<(), AlignmentError> {
        let align = u64::from(self.offset);
        if align <= 1 || bytes.is_multiple_of(align) {
            return Ok(());
        }
        let name = name.to_owned();
        Err(AlignmentError::Value { name, bytes, needed: align, origin: self.source })
    }

    /// Checks the alignment of buffers (`iomem_align`); 0, the page size, always suits.
    ///
    /// # Errors
    /// Where it is not, with an alignment that would be.
    pub fn check_memory(&self, align_bytes: u64) -> Result<(), AlignmentError> {
        let needed = u64::from(self.mem);
        if align_bytes == 0 || needed <= 1 || align_bytes.is_multiple_of(needed) {
            return Ok(());
        }
        Err(AlignmentError::Memory { align_bytes, needed, origin: self.source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECTOR: DirectAlignment = DirectAlignment {
        supported: true,
        mem: 4,
        offset: 512,
        source: AlignmentSource::SectorSize,
    };

    #[test]
    fn messages_name_values_that_would_do() {
        assert_eq!(SECTOR.check("bs", 4096), Ok(()));
        assert_eq!(SECTOR.check("offset", 0), Ok(()));
        let text = SECTOR.check("bs", 1000).expect_err("not aligned").to_string();
        assert!(text.contains("bs=512 or 1024"), "{text}");
        assert!(text.contains("logical sector size"), "{text}");
        let text = SECTOR.check("bs", 100).expect_err("not aligned").to_string();
        assert!(text.contains("use bs=512, or"), "{text}");
    }

    #[test]
    fn memory_has_its_own_alignment() {
        assert_eq!(SECTOR.check_memory(0), Ok(()));
        assert_eq!(SECTOR.check_memory(512), Ok(()));
        let text = SECTOR.check_memory(2).expect_err("too little").to_string();
        assert!(text.contains("iomem_align=4"), "{text}");
    }
}
