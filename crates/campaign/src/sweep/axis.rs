//! The axes of a sweep: an option of the job table, or one of four names of our own.
//!
//! `rwmix` is the share of reads and writes in the usual notation (100:0 to 0:100); its ends are
//! pure reads and pure writes, so that the first is possible on a read-only volume. `cache` says
//! whether the client's page cache is used; `clients` how many machines run the same at once,
//! `nconnect` how many connections each job has to an export. The sweep itself sets the target, the
//! time and the options that make cases comparable, so those options are refused.

use super::error::SweepError;
use fathom_document::sweep::{CACHE, CLIENTS, NCONNECT, RWMIX, Value, Values};
use fathom_job::{Category, find_option, nearest_option};
use fathom_text::{Text, text};
use fathom_vocab::NCONNECT_MAX;

/// One axis of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Canonical name of the option, or [`RWMIX`], [`CACHE`], [`CLIENTS`] or [`NCONNECT`].
    pub name: String,
    /// Its values as written, canonically.
    pub list: String,
    /// Its values in order.
    pub values: Vec<Value>,
}

impl Axis {
    /// Reads an axis from its name (any that the option has) and its list of values.
    ///
    /// # Errors
    /// For a name that is no option or that cannot vary, and for a list that cannot be read.
    pub fn read(name: &str, list: &str) -> Result<Axis, SweepError> {
        let name = match name {
            RWMIX | CACHE | CLIENTS | NCONNECT => name.to_owned(),
            other => option(other)?,
        };
        // Of a list of one value, that value is the list, and is told once.
        let only = format!("{list}: ");
        let wrong = |why: Text| {
            let once = |lang| why.text(lang).trim_start_matches(&only).to_owned();
            let (axis, text) = (name.clone(), list.to_owned());
            SweepError::Values { axis, text, why: Text::each(once) }
        };
        let read = Values::read(list).map_err(|why| wrong(Text::of(why)))?;
        let values = read.expand();
        if let Some(range) = values.iter().find_map(|value| hyphened(&name, value)) {
            return Err(wrong(text!("for a range write {range}")));
        }
        if let Some(odd) = values.iter().find(|value| !fits(&name, value)) {
            return Err(wrong(text!("{odd}: {}", Text::from(expected(&name)))));
        }
        let list = read.to_string();
        Ok(Axis { name, list, values })
    }

    /// Whether it has more than one value.
    pub fn varies(&self) -> bool {
        self.values.len() > 1
    }

    /// Whether its values are on a scale.
    pub fn is_scale(&self) -> bool {
        self.values.iter().all(|value| value.position().is_some())
    }
}

/// The values of the axis of the page cache: through it, and past it.
pub const CACHE_NAMES: [&str; 2] = ["in", "out"];

/// Options of a job with a single number or mix as their value, where a hyphen means a range.
const SINGLE: [&str; 8] =
    ["iodepth", "numjobs", "bs", "rwmixread", "rwmixwrite", RWMIX, CLIENTS, NCONNECT];

/// `1..8` for a value `1-8` of an axis that has no such values.
fn hyphened(name: &str, value: &Value) -> Option<String> {
    let Value::Word(word) = value else { return None };
    let (first, last) = word.split_once('-').filter(|_| SINGLE.contains(&name))?;
    let is_end = |end: &str| Value::of(end).position().is_some();
    (is_end(first) && is_end(last)).then(|| format!("{first}..{last}"))
}

/// Whether a value is of the axis's kind; options are checked by their table.
fn fits(name: &str, value: &Value) -> bool {
    match (name, value) {
        (RWMIX, value) => matches!(value, Value::Mix(_)),
        (NCONNECT, value) => {
            let most = u64::from(NCONNECT_MAX);
            value.position().is_some_and(|count| (1..=most).contains(&count))
        }
        (CLIENTS, value) => {
            matches!(value, Value::Number(_)) && value.position().is_some_and(|count| count > 0)
        }
        (CACHE, value) => {
            matches!(value, Value::Word(word) if CACHE_NAMES.contains(&word.as_str()))
        }
        _ => true,
    }
}

fn expected(name: &str) -> &'static str {
    match name {
        RWMIX => "write reads:writes in percent, as 70:30 or 100:0..0:100/10",
        NCONNECT => "write numbers of connections from 1 to 64, as 1..8 or 1,2,4",
        CLIENTS => "write how many, as 1..6 or 1,2,3",
        _ => "write in (through the page cache, repeating offsets) or out (past it)",
    }
}

/// The canonical name of an option that may be set or varied.
///
/// # Errors
/// For a name that is no option, and for one that the sweep decides by itself.
pub fn option(name: &str) -> Result<String, SweepError> {
    let Some(row) = find_option(name) else {
        let nearest = nearest_option(name).map(str::to_owned);
        return Err(SweepError::UnknownOption { name: name.to_owned(), nearest });
    };
    let owned = row.name.to_owned();
    match reserved(row.name, row.category) {
        Some(why) => Err(SweepError::Reserved { name: owned, why }),
        None => Ok(owned),
    }
}

const PLACE: &str = "the sweep makes or checks the place it measures in";
const TIME: &str = "give --time-per-run and --ramp, which hold for every case";
const FIGURES: &str = "without latencies a case has no figures";

/// Why an option is the sweep's own business.
fn reserved(name: &str, category: Category) -> Option<&'static str> {
    Some(match name {
        "name" => "each case is named after its settings",
        "filename" | "directory" | "filename_format" | "unique_filename" | "opendir" => {
            "the target is the first argument"
        }
        "filesize" | "nrfiles" | "unlink" | "allow_file_create" | "overwrite" => PLACE,
        "create_only" | "create_on_open" | "create_serialize" | "create_fsync" => PLACE,
        "allow_mounted_write" => "a device in use is never written",
        "runtime" | "time_based" | "ramp_time" | "loops" => TIME,
        "gtod_reduce" | "disable_lat" | "lat_percentiles" => FIGURES,
        "thread" => "jobs are threads",
        "kb_base" => "k means 1024 here",
        "stonewall" | "wait_for" | "new_group" => "a case is a single job",
        _ if category == Category::Logs => "a case's figures are in the sweep's document",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_table_s_and_aliases_lead_to_them() {
        let axis = Axis::read("blocksize", "4k..16k").unwrap();
        assert_eq!((axis.name.as_str(), axis.list.as_str()), ("bs", "4k..16k"));
        assert_eq!(axis.values.len(), 3);
        assert!(axis.varies() && axis.is_scale());
        assert!(!Axis::read("rw", "read,write").unwrap().is_scale());
        assert!(!Axis::read("rwmix", "70:30").unwrap().varies());
    }

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest() {
        let why = Axis::read("iodeth", "1..4").unwrap_err().to_string();
        assert!(why.contains("did you mean iodepth?"), "{why}");
        let why = Axis::read("qwertyuiop", "1").unwrap_err().to_string();
        assert!(!why.contains("did you mean") && why.contains("lists them"), "{why}");
    }

    #[test]
    fn what_the_sweep_decides_is_refused() {
        for name in ["filename", "runtime", "timeout", "allow_mounted_write", "write_bw_log"] {
            let refused = Axis::read(name, "1");
            assert!(matches!(refused, Err(SweepError::Reserved { .. })), "{name}: {refused:?}");
        }
    }

    #[test]
    fn a_range_with_a_hyphen_is_answered_with_the_right_form() {
        for (name, list, form) in [
            ("iodepth", "1-8", "1..8"),
            ("bs", "4k-64k", "4k..64k"),
            ("numjobs", "1,2-4", "2..4"),
            ("rwmix", "100:0-0:100", "100:0..0:100"),
            ("nconnect", "1-8", "1..8"),
        ] {
            let why = Axis::read(name, list).unwrap_err().to_string();
            assert_eq!(why, format!("--{name} {list}: for a range write {form}"));
        }
        let why = Axis::read("iodepth", "a..b").unwrap_err().to_string();
        assert!(why.starts_with("--iodepth a..b: a range goes from number"), "{why}");
        // These are values of their options.
        assert!(Axis::read("bsrange", "4k-16k,4k-64k").is_ok());
        assert!(Axis::read("iodepth", "1-x").is_ok());
    }

    #[test]
    fn our_own_words_take_their_own_values() {
        let why = Axis::read("cache", "in,on").unwrap_err().to_string();
        assert!(why.starts_with("--cache in,on: on: write in ("), "{why}");
        let why = Axis::read("clients", "0,1").unwrap_err().to_string();
        assert!(why.contains("how many"), "{why}");
        let why = Axis::read("rwmix", "0..100/10").unwrap_err().to_string();
        assert!(why.contains("70:30"), "{why}");
    }
}
