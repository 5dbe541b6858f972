//! XDR (RFC 4506): numbers and bytes in ONC RPC's wire format.
//!
//! Reading is bounded: a length is valid only if the available bytes contain it, so that nothing is
//! allocated for a hostile peer's announcement.

/// Why bytes are invalid.
#[fathom_text::translated]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XdrError {
    /// They end too early.
    #[error("the message ends too early")]
    Short,
    /// A length is greater than the protocol allows.
    #[error("{what} of {len} bytes is longer than the protocol allows ({max})")]
    Long {
        /// The field.
        what: &'static str,
        /// Its announced length.
        len: u32,
        /// The most that is allowed.
        max: u32,
    },
    /// A number without a meaning.
    #[error("{value} is no {what}")]
    Unknown {
        /// The expected type.
        what: &'static str,
        /// The number.
        value: u32,
    },
    /// A text is not UTF-8 although it must be.
    #[error("{what} is no text")]
    NotText {
        /// The field.
        what: &'static str,
    },
}

/// Reads values one after another.
#[derive(Clone, Copy, Debug)]
pub struct XdrReader<'a> {
    rest: &'a [u8],
}

impl<'a> XdrReader<'a> {
    /// Reads `bytes` from their beginning.
    pub fn new(bytes: &'a [u8]) -> XdrReader<'a> {
        XdrReader { rest: bytes }
    }

    /// The unread bytes.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// This number of bytes, without padding.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn fixed(&mut self, len: usize) -> Result<&'a [u8], XdrError> {
        let (bytes, rest) = self.rest.split_at_checked(len).ok_or(XdrError::Short)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// This number of bytes as an array.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], XdrError> {
        let (bytes, rest) = self.rest.split_first_chunk::<N>().ok_or(XdrError::Short)?;
        self.rest = rest;
        Ok(*bytes)
    }

    /// An unsigned number of 32 bits.
    ///
    /// # Errors
    /// If the bytes end before.
    pub fn u32(&mut self) -> Result<u32, XdrError> {
        self.array().map(u32::from_be_bytes)
    }

    /// An unsigned number of 64 bits.
    ///
    /// # Errors
    /// If the bytes end before.
    pub fn u64(&mut self) -> Result<u64, XdrError> {
        self.array().map(u64::from_be_bytes)
    }

    /// A truth value.
    ///
    /// # Errors
    /// If the bytes end before, or it is neither 0 nor 1.
    pub fn bool(&mut self) -> Result<bool, XdrError> {
        match self.u32()? {
            0 => Ok(false),
            1 => Ok(true),
            value => Err(XdrError::Unknown { what: "truth value", value }),
        }
    }

    /// Bytes with their length, at most `max`.
    ///
    /// # Errors
    /// If the length is greater, or the bytes end before.
    pub fn opaque(&mut self, what: &'static str, max: u32) -> Result<&'a [u8], XdrError> {
        let len = self.u32()?;
        if len > max {
            return Err(XdrError::Long { what, len, max });
        }
        let bytes = self.fixed(len as usize)?;
        self.fixed(padding(len as usize))?;
        Ok(bytes)
    }
}

/// Writes values one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XdrWriter {
    bytes: Vec<u8>,
}

impl XdrWriter {
    /// Writes into an empty list that reuses the memory of `bytes`.
    pub fn reusing(mut bytes: Vec<u8>) -> XdrWriter {
        bytes.clear();
        XdrWriter { bytes }
    }

    /// The written bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The bytes written so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// An unsigned number of 32 bits.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    /// Several numbers of 32 bits.
    pub fn words<const N: usize>(&mut self, values: [u32; N]) {
        self.bytes.extend_from_slice(values.map(u32::to_be_bytes).as_flattened());
    }

    /// An unsigned number of 64 bits.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) {
        self.u32(u32::from(value));
    }

    /// Bytes unchanged, without padding.
    pub fn fixed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Bytes that carry their length.
    pub fn opaque(&mut self, bytes: &[u8]) {
        self.u32(bytes.len() as u32);
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len() + padding(bytes.len()), 0);
    }

    /// Writes a number over one that was written before, at this place.
    pub(crate) fn put_u32(&mut self, at: usize, value: u32) {
        if let Some(place) = self.bytes.get_mut(at..at + 4) {
            place.copy_from_slice(&value.to_be_bytes());
        }
    }
}

/// Bytes up to the next multiple of four.
pub(crate) fn padding(len: usize) -> usize {
    len.wrapping_neg() % 4
}

/// A type with a wire format: writing and reading are inverse.
pub trait Xdr: Sized {
    /// Writes it.
    fn write(&self, to: &mut XdrWriter);

    /// Reads it.
    ///
    /// # Errors
    /// If the bytes are something else.
    fn read(from: &mut XdrReader<'_>) -> Result<Self, XdrError>;
}

impl Xdr for () {
    fn write(&self, _: &mut XdrWriter) {}
    fn read(_: &mut XdrReader<'_>) -> Result<(), XdrError> {
        Ok(())
    }
}

impl Xdr for u32 {
    fn write(&self, to: &mut XdrWriter) {
        to.u32(*self);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<u32, XdrError> {
        from.u32()
    }
}

impl Xdr for u64 {
    fn write(&self, to: &mut XdrWriter) {
        to.u64(*self);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<u64, XdrError> {
        from.u64()
    }
}

impl Xdr for bool {
    fn write(&self, to: &mut XdrWriter) {
        to.bool(*self);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<bool, XdrError> {
        from.bool()
    }
}

impl<const N: usize> Xdr for [u8; N] {
    fn write(&self, to: &mut XdrWriter) {
        to.fixed(self);
    }
    fn read(from: &mut XdrReader<'_>) -> Result<[u8; N], XdrError> {
        from.array()
    }
}

impl<T: Xdr> Xdr for Option<T> {
    fn write(&self, to: &mut XdrWriter) {
        to.bool(self.is_some());
        if let Some(value) = self {
            value.write(to);
        }
    }
    fn read(from: &mut XdrReader<'_>) -> Result<Option<T>, XdrError> {
        from.bool()?.then(|| T::read(from)).transpose()
    }
}

/// A struct whose wire format is its fields, in order.
macro_rules! xdr_struct {
    ($(#[$about:meta])* $seen:vis struct $name:ident {
        $($(#[$of:meta])* $seen_field:vis $field:ident: $kind:ty,)*
    }) => {
        $(#[$about])*
        $seen struct $name {
            $($(#[$of])* $seen_field $field: $kind,)*
        }

        impl $crate::xdr::Xdr for $name {
            fn write(&self, to: &mut $crate::xdr::XdrWriter) {
                $($crate::xdr::Xdr::write(&self.$field, to);)*
            }
            fn read(
                from: &mut $crate::xdr::XdrReader<'_>,
            ) -> Result<$name, $crate::xdr::XdrError> {
                Ok($name { $($field: $crate::xdr::Xdr::read(from)?,)* })
            }
        }
    };
}
pub(crate) use xdr_struct;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(a: u32, b: u64, c: bool, d: Vec<u8>) {
            let mut writer = XdrWriter::default();
            writer.u32(a);
            writer.u64(b);
            writer.bool(c);
            writer.opaque(&d);
            prop_assert!(writer.bytes().len().is_multiple_of(4));
            let bytes = writer.into_bytes();
            let mut reader = XdrReader::new(&bytes);
            prop_assert_eq!((reader.u32()?, reader.u64()?, reader.bool()?), (a, b, c));
            prop_assert_eq!(reader.opaque("bytes", u32::MAX)?, &d[..]);
            prop_assert!(reader.rest().is_empty());
        }

        #[test]
        fn what_was_cut_is_an_error(d in prop::collection::vec(any::<u8>(), 1..99), cut: usize) {
            let mut writer = XdrWriter::default();
            writer.opaque(&d);
            let bytes = writer.into_bytes();
            let mut reader = XdrReader::new(&bytes[..cut % bytes.len()]);
            prop_assert_eq!(reader.opaque("bytes", u32::MAX), Err(XdrError::Short));
        }
    }

    #[test]
    fn a_length_is_not_believed() {
        let announced = u32::MAX.to_be_bytes();
        let long = XdrError::Long { what: "handle", len: u32::MAX, max: 64 };
        assert_eq!(XdrReader::new(&announced).opaque("handle", 64), Err(long));
        assert_eq!(XdrReader::new(&announced).opaque("data", u32::MAX), Err(XdrError::Short));
        assert!(XdrReader::new(&[0, 0, 0, 2]).bool().is_err());
    }
}
