//! Dates in `ctime(3)`'s format, from a time and an offset, without calling the system.

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `Fri Nov 20 19:26:02 2026` of milliseconds since 1970, local by the offset in seconds.
pub(crate) fn ctime(timestamp_ms: u64, utc_offset_s: i32) -> String {
    let seconds = i64::try_from(timestamp_ms / 1000).unwrap_or(i64::MAX / 2);
    let local = seconds.saturating_add(i64::from(utc_offset_s)).max(0);
    let (days, time) = (local / 86_400, local % 86_400);
    let (year, month, day) = date_of(days);
    format!(
        "{} {} {day:2} {:02}:{:02}:{:02} {year}",
        DAYS[(days % 7) as usize],
        MONTHS[month],
        time / 3600,
        time / 60 % 60,
        time % 60,
    )
}

/// Year, month from 0 and day from 1 of a day since 1970.
fn date_of(mut days: i64) -> (i64, usize, i64) {
    // Whole cycles of 400 years first, so that a wild time costs no more than a sane one.
    const CYCLE: i64 = 146_097;
    let mut year = 1970 + days / CYCLE * 400;
    days %= CYCLE;
    while days >= year_length(year) {
        days -= year_length(year);
        year += 1;
    }
    let mut month = 0;
    while days >= month_length(year, month) {
        days -= month_length(year, month);
        month += 1;
    }
    (year, month, days + 1)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn year_length(year: i64) -> i64 {
    365 + i64::from(is_leap(year))
}

fn month_length(year: i64, month: usize) -> i64 {
    let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month];
    days + i64::from(month == 1 && is_leap(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_ctime_writes_them() {
        let cases: [(u64, i32, &str); 6] = [
            (0, 0, "Thu Jan  1 00:00:00 1970"),
            (1_795_202_762_123, 0, "Fri Nov 20 19:26:02 2026"),
            (951_782_400_000, 0, "Tue Feb 29 00:00:00 2000"),
            (951_782_400_000, -1, "Mon Feb 28 23:59:59 2000"),
            (4_107_542_400_000, 0, "Mon Mar  1 00:00:00 2100"),
            (951_782_400_000, 5 * 3600 + 1800, "Tue Feb 29 05:30:00 2000"),
        ];
        for (ms, offset, text) in cases {
            assert_eq!(ctime(ms, offset), text);
        }
    }
}
