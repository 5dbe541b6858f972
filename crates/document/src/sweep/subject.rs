//! What a sweep measures, in a line: `Random read, 4 KiB, O_DIRECT; varies: queue depth 1 … 64`.

use super::question::{
    AxisRecord, CACHE, CLIENTS, NCONNECT, QuestionRecord, RWMIX, USUAL_BS, USUAL_DEPTH,
};
use super::values::Value;
use crate::Setting;
use fathom_analysis::quantity::binary_bytes;
use fathom_message::{Message, list};

/// Axes with more values are shown by their ends.
const MOST_LISTED: usize = 3;

impl QuestionRecord {
    /// What is the same in all cases, and what varies; `direct` says whether the page cache is
    /// bypassed where no option says it. None if that is unknown or there is no page cache, and
    /// then the line says nothing of it.
    pub fn subject(&self, direct: Option<bool>) -> Message {
        let constant = [self.pattern(), self.block(), self.load(), self.cache(direct)];
        let constant: Vec<Message> = constant.into_iter().flatten().collect();
        let axes = self.axes.iter().filter(|axis| axis.varies()).map(axis);
        let varies = Message::new("sweep-varies").part("axes", list::semicolons(axes));
        match constant.is_empty() {
            true => varies,
            false => Message::new("sweep-subject")
                .part("work", list::commas(constant))
                .part("varies", varies),
        }
    }

    fn pattern(&self) -> Option<Message> {
        let constants = self.constants();
        let pattern = constants.iter().find_map(|constant| constant.strip_prefix("rw="))?;
        Some(match pattern {
            "read" => Message::new("sweep-read"),
            "write" => Message::new("sweep-write"),
            "randread" => Message::new("sweep-randread"),
            "randwrite" => Message::new("sweep-randwrite"),
            "rw" | "readwrite" => Message::new("sweep-rw"),
            "randrw" => Message::new("sweep-randrw"),
            other => Message::verbatim(format!("rw={other}")),
        })
    }

    fn block(&self) -> Option<Message> {
        let sizes = ["bsrange", "bssplit"].into_iter().any(|name| self.is_given(name));
        let value = self.value_of("bs", USUAL_BS).filter(|_| !sizes)?;
        let bytes = Value::of(value).position();
        Some(Message::verbatim(bytes.map_or_else(|| format!("bs={value}"), binary_bytes)))
    }

    /// Depth and jobs, where the depth does not vary: a block size alone would not tell the load.
    fn load(&self) -> Option<Message> {
        let depth = self.value_of("iodepth", USUAL_DEPTH)?;
        let depth = Message::new("sweep-depth").with("depth", depth);
        let jobs = self.value_of("numjobs", "1").filter(|jobs| *jobs != "1");
        let jobs = jobs.map(|jobs| Message::new("sweep-jobs").with("jobs", jobs));
        Some(list::commas(std::iter::once(depth).chain(jobs)))
    }

    fn cache(&self, direct: Option<bool>) -> Option<Message> {
        let direct = direct?;
        let through = match self.value_of(CACHE, "")? {
            "in" => true,
            "out" => false,
            _ => match ["direct", "buffered"].map(|name| self.is_given(name)) {
                [false, false] => !direct,
                [true, false] => !self.is_on("direct")?,
                [false, true] => self.is_on("buffered")?,
                // The later one counts, and the record has no order of axes and options.
                [true, true] => return None,
            },
        };
        Some(match through {
            true => Message::new("sweep-through-cache"),
            false => Message::verbatim("O_DIRECT"),
        })
    }

    /// Whether a switch that is given is on in all cases; none if it varies.
    fn is_on(&self, name: &str) -> Option<bool> {
        match self.value_of(name, "1")? {
            "1" => Some(true),
            "0" => Some(false),
            _ => None,
        }
    }
}

/// `queue depth 1 … 64`, `pattern read, randwrite`.
fn axis(axis: &AxisRecord) -> Message {
    let values = match axis.values.as_slice() {
        [first, .., last] if axis.values.len() > MOST_LISTED && axis.is_scale() => {
            format!("{first} … {last}")
        }
        values => values.join(", "),
    };
    Message::new("sweep-axis").part("name", axis_name(&axis.name)).with("values", values)
}

/// Each axis with its option in the catalogue, and with what it is called in a sentence.
const AXES: [(&str, &str, &str); 9] = [
    ("iodepth", "sweep-option-iodepth", "sweep-axis-iodepth"),
    ("bs", "sweep-option-bs", "sweep-axis-bs"),
    ("numjobs", "sweep-option-numjobs", "sweep-axis-numjobs"),
    ("rw", "sweep-option-rw", "sweep-axis-rw"),
    ("ioengine", "sweep-option-engine", "sweep-axis-engine"),
    (RWMIX, "sweep-option-mix", "sweep-axis-mix"),
    (CACHE, "sweep-option-cache", "sweep-axis-cache"),
    (CLIENTS, "sweep-option-clients", "sweep-axis-clients"),
    (NCONNECT, "sweep-option-nconnect", "sweep-axis-nconnect"),
];

/// An axis as it is typed; in Korean, which has no words of that form, as in a sentence.
pub fn option_name(name: &str) -> Message {
    let known = AXES.iter().find(|(axis, ..)| *axis == name);
    known.map_or_else(|| Message::verbatim(name), |(_, option, _)| Message::new(option))
}

/// Whether a name is that of an axis.
pub(crate) fn is_axis(name: &str) -> bool {
    AXES.iter().any(|(axis, ..)| *axis == name)
}

/// Settings in a line: `rw=randread, iodepth=16`.
pub fn settings_title(settings: &[Setting]) -> Message {
    list::commas(settings.iter().map(|of| setting_title(&of.axis, &of.value)))
}

/// `iodepth=16`: an axis and its value.
pub(crate) fn setting_title(axis: &str, value: &str) -> Message {
    Message::new("sweep-setting").part("axis", option_name(axis)).with("value", value)
}

/// What an axis is called in a sentence.
fn axis_name(name: &str) -> Message {
    let known = AXES.iter().find(|(axis, ..)| *axis == name);
    known.map_or_else(|| Message::verbatim(name), |(.., spoken)| Message::new(spoken))
}
