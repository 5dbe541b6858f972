//! A row of the option table, and how rows are written.

use super::kind::Kind;
use super::value::OptionValue;
use crate::draft::Draft;
use crate::error::ValueProblem;

/// The heading that help lists an option under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// Names and targets of the I/O.
    Target,
    /// The form of each I/O and how it is issued.
    Io,
    /// How long and how much.
    Time,
    /// Speed.
    Pace,
    /// Start, related jobs, CPUs.
    Process,
    /// Written data.
    Buffers,
    /// Verification of data, and replay of traces.
    Verify,
    /// Measurement, and errors.
    Measure,
    /// Log files.
    Logs,
    /// Options of one engine.
    Engine,
}

impl Category {
    /// All, in the order of help.
    pub const ALL: [Category; 10] = [
        Category::Target,
        Category::Io,
        Category::Time,
        Category::Pace,
        Category::Process,
        Category::Buffers,
        Category::Verify,
        Category::Measure,
        Category::Logs,
        Category::Engine,
    ];

    /// Heading.
    pub fn title(self) -> &'static str {
        match self {
            Category::Target => "Names, files and devices",
            Category::Io => "The I/O itself",
            Category::Time => "How long, how much",
            Category::Pace => "How fast",
            Category::Process => "Jobs, CPUs and order",
            Category::Buffers => "Data that is written",
            Category::Verify => "Verification, zones and traces",
            Category::Measure => "Measuring and errors",
            Category::Logs => "Log files",
            Category::Engine => "Options of one engine",
        }
    }
}

/// The status of an option in Fathom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionStatus {
    /// The same as in fio.
    Supported,
    /// Without effect, as in fio, which retired it.
    Retired,
    /// Accepted; has no effect, for this reason.
    NoEffect(&'static str),
    /// Not implemented; with an alternative. Values without effect (the default, and those listed)
    /// are accepted.
    NotYet(&'static str, &'static [&'static str]),
    /// Will not be there, for this reason.
    Refused(&'static str),
}

impl OptionStatus {
    /// One word for tables.
    pub fn word(self) -> &'static str {
        match self {
            OptionStatus::Supported => "supported",
            OptionStatus::Retired => "retired",
            OptionStatus::NoEffect(_) => "no effect",
            OptionStatus::NotYet(..) => "not yet",
            OptionStatus::Refused(_) => "refused",
        }
    }

    /// The reason or the advice, if there is one.
    pub fn reason(self) -> &'static str {
        match self {
            OptionStatus::Supported | OptionStatus::Retired => "",
            OptionStatus::NoEffect(why)
            | OptionStatus::NotYet(why, _)
            | OptionStatus::Refused(why) => why,
        }
    }
}

/// How a value gets into the job.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Apply {
    /// Not at all.
    Nothing,
    /// Always succeeds.
    Set(fn(&mut Draft, &OptionValue<'_>)),
    /// May find the value wrong.
    Try(fn(&mut Draft, &OptionValue<'_>) -> Result<(), ValueProblem>),
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// Canonical name, as results report it.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The kind of its value.
    pub kind: Kind,
    /// Where help lists it.
    pub category: Category,
    /// Default, as typed; empty means none.
    pub default: &'static str,
    /// One line.
    pub help: &'static str,
    /// Its status in Fathom.
    pub status: OptionStatus,
    /// A value that is not the default: for help, and for the tests of the table.
    pub example: &'static str,
    /// The fio engines it belongs to; empty is every engine.
    pub engines: &'static [&'static str],
    pub(crate) apply: Apply,
}

impl OptionRow {
    /// Canonical name, then aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Whether Fathom takes it.
    pub fn is_there(&self) -> bool {
        !matches!(self.status, OptionStatus::NotYet(..) | OptionStatus::Refused(_))
    }

    /// Whether a value requests nothing that is missing: the default, or one that the row lists as
    /// harmless.
    pub(crate) fn is_harmless(&self, value: Option<&str>) -> bool {
        let OptionStatus::NotYet(_, harmless) = self.status else { return true };
        value.is_some_and(|v| (v == self.default && !v.is_empty()) || harmless.contains(&v))
    }
}

/// Begins a row: by default it is supported, has no default and sets nothing.
pub(crate) const fn row(
    category: Category,
    name: &'static str,
    kind: Kind,
    help: &'static str,
) -> OptionRow {
    OptionRow {
        name,
        aliases: &[],
        kind,
        category,
        default: "",
        help,
        status: OptionStatus::Supported,
        example: "1",
        engines: &[],
        apply: Apply::Nothing,
    }
}

impl OptionRow {
    pub(crate) const fn alias(mut self, aliases: &'static [&'static str]) -> OptionRow {
        self.aliases = aliases;
        self
    }

    /// Default and an example that differs from it.
    pub(crate) const fn usual(mut self, default: &'static str, example: &'static str) -> OptionRow {
        self.default = default;
        self.example = example;
        self
    }

    pub(crate) const fn set(mut self, set: fn(&mut Draft, &OptionValue<'_>)) -> OptionRow {
        self.apply = Apply::Set(set);
        self
    }

    pub(crate) const fn check(
        mut self,
        set: fn(&mut Draft, &OptionValue<'_>) -> Result<(), ValueProblem>,
    ) -> OptionRow {
        self.apply = Apply::Try(set);
        self
    }

    pub(crate) const fn only(mut self, engines: &'static [&'static str]) -> OptionRow {
        self.engines = engines;
        self
    }

    pub(crate) const fn retired(mut self) -> OptionRow {
        self.status = OptionStatus::Retired;
        self
    }

    pub(crate) const fn no_effect(mut self, why: &'static str) -> OptionRow {
        self.status = OptionStatus::NoEffect(why);
        self
    }

    pub(crate) const fn not_yet(mut self, instead: &'static str) -> OptionRow {
        self.status = OptionStatus::NotYet(instead, &["0"]);
        self
    }

    /// Not implemented, except for these values, which request nothing.
    pub(crate) const fn not_yet_but(
        mut self,
        harmless: &'static [&'static str],
        instead: &'static str,
    ) -> OptionRow {
        self.status = OptionStatus::NotYet(instead, harmless);
        self
    }

    pub(crate) const fn refused(mut self, why: &'static str) -> OptionRow {
        self.status = OptionStatus::Refused(why);
        self
    }
}
