//! The alignment of direct I/O for buffers and offsets, and valid values for a job.
//!
//! The source of an alignment is part of it, so that a message never presents a guess as a fact.
//! Each system finds it differently (`direct.rs` in its folder).

/// The source of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignmentSource {
    /// The kernel reported it for this file (`STATX_DIOALIGN`).
    Statx,
    /// The logical sector size of the block device (`BLKSSZGET`).
    SectorSize,
    /// No source; 4096 bytes suit every device.
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

/// The alignment of O_DIRECT on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectAlignment {
    /// Whether the file supports O_DIRECT, as far as the kernel reports it without a trial.
    pub supported: bool,
    /// Alignment of buffers in bytes.
    pub mem: u32,
    /// Alignment of offsets and lengths in bytes.
    pub offset: u32,
    /// Its source.
    pub source: AlignmentSource,
}

/// Why O_DIRECT would be refused, with valid values.
#[fathom_text::translated]
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
        /// The job's name for it.
        name: String,
        /// How much it is.
        bytes: u64,
        /// The required multiple.
        needed: u64,
        /// Its source.
        origin: AlignmentSource,
    },
    /// The alignment of buffers.
    #[error(
        "buffers aligned to {align_bytes} bytes do not do for direct=1, which needs {needed} here \
         ({}); use iomem_align={needed}, or direct=0",
        .origin.name()
    )]
    Memory {
        /// The requested alignment.
        align_bytes: u64,
        /// The required multiple.
        needed: u64,
        /// Its source.
        origin: AlignmentSource,
    },
}

/// The multiples of `align` closest to `bytes`; 0 is not one of them.
fn nearest(bytes: u64, align: u64) -> String {
    let (below, above) = (bytes / align * align, bytes.next_multiple_of(align));
    if below == 0 { above.to_string() } else { format!("{below} or {above}") }
}

impl DirectAlignment {
    /// Checks a size or an offset of a job; `name` is the job's name for it (`bs`, `offset`).
    ///
    /// # Errors
    /// If it is not aligned, with the closest valid values.
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
    /// If it is not, with an alignment that would be.
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
