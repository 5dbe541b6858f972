//! Go's output formats, as kubestr uses them: JSON indented by four spaces, and durations.

use crate::cli_error::CliError;
use crate::output::OutputError;
use fathom_vocab::printable;
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use std::time::Duration;

/// JSON as `json.MarshalIndent` has it.
pub fn json(value: &(impl Serialize + ?Sized)) -> Result<String, CliError> {
    let mut text = Vec::new();
    let mut writer = Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(b"    "));
    value.serialize(&mut writer).map_err(OutputError::Json)?;
    Ok(printable::json(&String::from_utf8_lossy(&text)).into_owned())
}

/// A duration as Go prints it: `1m2.5s`, `850ms`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let trimmed = |text: String| text.trim_end_matches('0').trim_end_matches('.').to_owned();
    if seconds == 0 {
        return trimmed(format!("{:.6}", time.as_secs_f64() * 1e3)) + "ms";
    }
    let rest = trimmed(format!("{}.{:09}", seconds % 60, time.subsec_nanos())) + "s";
    match (seconds / 3600, seconds / 60 % 60) {
        (0, 0) => rest,
        (0, minutes) => format!("{minutes}m{rest}"),
        (hours, minutes) => format!("{hours}h{minutes}m{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_as_go_writes_them() {
        let of = |ms| duration(Duration::from_millis(ms));
        assert_eq!(
            [of(850), of(2000), of(62_500), of(600_000), of(3_723_000)],
            ["850ms", "2s", "1m2.5s", "10m0s", "1h2m3s"]
        );
    }
}
