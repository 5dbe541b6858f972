//! Number checks during parsing: a wrapper between a document's text and its types checks that its
//! counts can be added up, so that no separate pass is needed.
//!
//! Decided here:
//! - Unused fields are checked as well, so that a document's validity does not depend on the type.
//! - A key decides how its value is checked: some are never added up, some have their own bounds.
//! - The position of an error is not recorded here; `serde_path_to_error` around this reports it.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::cell::Cell;
use std::fmt;

/// All whole numbers of a document together; a thousand jobs at depth 32 for an hour have 2^57 ns.
const MOST_TOGETHER: u64 = 1 << 62;
/// The maximum of a sum of squares of nanoseconds, which is a string of digits.
const MOST_SQUARES: u128 = 1 << 120;
/// Longest interval of a series in milliseconds: a year.
const LONGEST_INTERVAL_MS: u64 = 366 * 86_400_000;

/// The sums so far.
#[derive(Debug, Default)]
pub(super) struct Scales {
    total: Cell<u64>,
    /// How to check the value after the last key.
    next: Cell<Role>,
}

/// The role of a value in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Role {
    #[default]
    Counted,
    /// The name of a member.
    Key,
    /// A number of any 64 bits that is never added up.
    Free,
    /// Digits of a sum that may be of squares.
    Squares,
    /// The length of an interval in milliseconds.
    Interval,
}

impl Scales {
    /// `inner`, with all numbers that it reads added to these sums.
    pub fn under<D>(&self, inner: D) -> Bounded<'_, D> {
        Bounded { inner, scales: self, role: Role::Counted }
    }

    #[inline]
    fn add<E: Error>(&self, number: u64, role: Role) -> Result<(), E> {
        match role {
            Role::Key | Role::Free => return Ok(()),
            Role::Interval if number > LONGEST_INTERVAL_MS => {
                return Err(E::custom("an interval is a year at most"));
            }
            _ => {}
        }
        match self.total.get().checked_add(number).filter(|total| *total < MOST_TOGETHER) {
            Some(total) => {
                self.total.set(total);
                Ok(())
            }
            None => Err(E::custom(format_args!("{number} is more than any run counts"))),
        }
    }

    #[inline]
    fn text<E: Error>(&self, text: &str, role: Role) -> Result<(), E> {
        match role {
            Role::Key => self.next.set(role_after(text)),
            // Its type's own reader reports the error if it is not a number.
            Role::Squares if text.parse::<u128>().is_ok_and(|sum| sum >= MOST_SQUARES) => {
                return Err(E::custom("is more than any run adds up to"));
            }
            _ => {}
        }
        Ok(())
    }
}

fn role_after(key: &str) -> Role {
    match key {
        "seed" | "entropy" | "randseed" => Role::Free,
        "sum" | "sum_sq" => Role::Squares,
        "interval_ms" => Role::Interval,
        _ => Role::Counted,
    }
}

/// A part of a deserialiser (a source of values, or their visitor), with the sums beside it.
pub(super) struct Bounded<'s, T> {
    inner: T,
    scales: &'s Scales,
    role: Role,
}

impl<'s, T> Bounded<'s, T> {
    /// Another part at the same place.
    fn with<U>(&self, inner: U) -> Bounded<'s, U> {
        Bounded { inner, scales: self.scales, role: self.role }
    }

    /// A part at another place.
    fn at<U>(&self, role: Role, inner: U) -> Bounded<'s, U> {
        Bounded { inner, scales: self.scales, role }
    }
}

macro_rules! forwarded {
    ($($method:ident($($name:ident: $kind:ty),*))*) => {$(
        #[inline]
        fn $method<V>(self, $($name: $kind,)* to: V) -> Result<V::Value, D::Error>
        where
            V: Visitor<'de>,
        {
            let to = self.with(to);
            self.inner.$method($($name,)* to)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Bounded<'_, D> {
    type Error = D::Error;

    forwarded! {
        deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32()
        deserialize_i64() deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64()
        deserialize_f32() deserialize_f64() deserialize_char() deserialize_str()
        deserialize_string() deserialize_bytes() deserialize_byte_buf() deserialize_option()
        deserialize_unit() deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str) deserialize_seq()
        deserialize_tuple(length: usize)
        deserialize_tuple_struct(name: &'static str, length: usize) deserialize_map()
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
        deserialize_identifier()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        // Not to be passed over.
        let visitor = self.with(visitor);
        self.inner.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! passed_on {
    ($($method:ident($($value:ident: $kind:ty)?))*) => {$(
        #[inline]
        fn $method<E: Error>(self, $($value: $kind)?) -> Result<V::Value, E> {
            self.inner.$method($($value)?)
        }
    )*};
}

macro_rules! texts {
    ($($method:ident($kind:ty))*) => {$(
        #[inline]
        fn $method<E: Error>(self, text: $kind) -> Result<V::Value, E> {
            self.scales.text(&text, self.role)?;
            self.inner.$method(text)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Bounded<'_, V> {
    type Value = V::Value;

    passed_on! {
        visit_bool(value: bool) visit_i64(value: i64) visit_f64(value: f64) visit_none()
        visit_unit()
    }
    texts! { visit_str(&str) visit_borrowed_str(&'de str) visit_string(String) }

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(to)
    }

    #[inline]
    fn visit_u64<E: Error>(self, number: u64) -> Result<V::Value, E> {
        self.scales.add(number, self.role)?;
        self.inner.visit_u64(number)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        let from = self.with(from);
        self.inner.visit_some(from)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        let from = self.with(from);
        self.inner.visit_newtype_struct(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        let items = self.at(Role::Counted, items);
        self.inner.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        let members = self.at(Role::Counted, members);
        self.inner.visit_map(members)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        let variant = self.at(Role::Counted, variant);
        self.inner.visit_enum(variant)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Bounded<'_, S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        let from = self.with(from);
        self.inner.deserialize(from)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Bounded<'_, A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let seed = self.with(seed);
        self.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Bounded<'_, A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let seed = self.at(Role::Key, seed);
        self.inner.next_key_seed(seed)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.at(self.scales.next.take(), seed);
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, 's, A: EnumAccess<'de>> EnumAccess<'de> for Bounded<'s, A> {
    type Error = A::Error;
    type Variant = Bounded<'s, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (scales, role) = (self.scales, self.role);
        let (value, inner) = self.inner.variant_seed(seed)?;
        Ok((value, Bounded { inner, scales, role }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Bounded<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.with(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, to: V) -> Result<V::Value, A::Error> {
        let to = self.with(to);
        self.inner.tuple_variant(length, to)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        to: V,
    ) -> Result<V::Value, A::Error> {
        let to = self.with(to);
        self.inner.struct_variant(fields, to)
    }
}

#[cfg(test)]
mod tests;
