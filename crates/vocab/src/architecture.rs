//! Processor architectures: one name of ours, and those that kernels and clusters use.
//!
//! Names that are not in the table stand for themselves, so that a machine of another architecture
//! is still named.

use std::fmt;

/// Each architecture as Rust names it, as Kubernetes does, and its number in an ELF file. One of
/// the two names is what `uname -m` gives.
const KNOWN: &[(&str, &str, u16)] = &[
    ("x86_64", "amd64", 62),
    ("aarch64", "arm64", 183),
    ("powerpc64", "ppc64le", 21),
    ("s390x", "s390x", 22),
    ("riscv64", "riscv64", 243),
];

/// How an ELF file begins.
const ELF: &[u8] = b"\x7fELF";
/// The byte of an ELF file that is 2 if its numbers begin with the high byte.
const BYTE_ORDER: usize = 5;
/// Where an ELF file names its architecture.
const MACHINE: usize = 18;

/// A processor architecture, by the name that Rust gives it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Architecture(String);

impl Architecture {
    /// That of this process.
    pub fn own() -> Architecture {
        Architecture(std::env::consts::ARCH.to_owned())
    }

    /// The one with this name, be it Rust's, Kubernetes' or the kernel's.
    pub fn named(name: &str) -> Architecture {
        let known = KNOWN.iter().find(|(rust, other, _)| name == *rust || name == *other);
        Architecture(known.map_or(name, |(rust, ..)| rust).to_owned())
    }

    /// Those that programs are known for.
    pub fn known() -> impl Iterator<Item = Architecture> {
        KNOWN.iter().map(|(name, ..)| Architecture((*name).to_owned()))
    }

    /// The one that a program of Linux is for, by the beginning of its file; none if it is no such
    /// program, or for an unknown one.
    pub fn of_program(file: &[u8]) -> Option<Architecture> {
        let machine = [*file.get(MACHINE)?, *file.get(MACHINE + 1)?];
        let number = match file[BYTE_ORDER] {
            2 => u16::from_be_bytes(machine),
            _ => u16::from_le_bytes(machine),
        };
        let known = KNOWN.iter().find(|(.., of)| file.starts_with(ELF) && *of == number);
        known.map(|(name, ..)| Architecture((*name).to_owned()))
    }

    /// As Rust names it, and `uname -m` on most: `x86_64`, `aarch64`.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// As Kubernetes labels nodes: `amd64`, `arm64`.
    pub fn kubernetes_name(&self) -> &str {
        let known = KNOWN.iter().find(|(rust, ..)| self.0 == *rust);
        known.map_or(&self.0, |(_, name, _)| name)
    }

    /// Whether programs are known for it.
    pub fn is_known(&self) -> bool {
        KNOWN.iter().any(|(name, ..)| self.0 == *name)
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_the_same_architecture() {
        for name in ["arm64", "aarch64"] {
            let arm = Architecture::named(name);
            assert_eq!((arm.name(), arm.kubernetes_name()), ("aarch64", "arm64"));
        }
        assert_eq!(Architecture::named("ppc64le").name(), "powerpc64");
        let vax = Architecture::named("vax");
        assert_eq!((vax.name(), vax.kubernetes_name(), vax.is_known()), ("vax", "vax", false));
    }

    #[test]
    fn a_program_says_what_it_is_for() {
        let program = |order: u8, machine: [u8; 2]| {
            let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0".to_vec();
            file[BYTE_ORDER] = order;
            file.extend(machine);
            Architecture::of_program(&file)
        };
        assert_eq!(program(1, [183, 0]), Some(Architecture::named("arm64")));
        assert_eq!(program(1, [62, 0]), Some(Architecture::named("amd64")));
        assert_eq!(program(2, [0, 22]), Some(Architecture::named("s390x")));
        assert_eq!(program(1, [1, 0]), None);
        assert_eq!(Architecture::of_program(b"#!/bin/sh\nexec true \xb7\0"), None);
        assert_eq!(Architecture::of_program(b"\x7fELF"), None);
    }
}
