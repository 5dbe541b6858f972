//! The order and form of the lines of fio's normal text, and of its terse lines.
//!
//! Scripts pick lines by their words and columns, so the words and the blanks before them are
//! held, and numbers are not. The grammar follows reference runs of fio 3.33.

/// What a report in normal text was found to hold.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Blocks, one a job or group.
    pub jobs: usize,
    /// Directions that stand in any of them.
    pub moves: Vec<String>,
    /// Whether a block of fsync latencies is there.
    pub sync: bool,
    /// Blocks `Run status group`.
    pub groups: usize,
    /// Names of the disks in the last block.
    pub disks: Vec<String>,
}

/// In the order in which a block has them.
const DIRECTIONS: [&str; 4] = ["read", "write", "trim", "mixed"];

/// Reads a report, or says which line is not as fio writes it.
pub fn read_report(text: &str) -> Result<Report, String> {
    let mut lines = Lines { lines: text.lines().collect(), at: 0 };
    let mut report = Report::default();
    head(&mut lines)?;
    while job(&mut lines, &mut report)? {}
    while lines.look_ahead("Run status group") {
        group(&mut lines, &mut report)?;
    }
    disks(&mut lines, &mut report)?;
    match lines.peek() {
        None => {
            report.moves.sort_by_key(|name| DIRECTIONS.iter().position(|known| known == name));
            Ok(report)
        }
        Some(_) => Err(lines.fault("the end")),
    }
}

/// Checks terse lines of `version`; returns the directions with data in them.
pub fn read_terse(text: &str, version: u8, lines: usize) -> Result<Vec<String>, String> {
    let (bare, read_kb, write_kb) = match version {
        // Version 2 has no disk fields at all, and no version of the program in it.
        2 => (161, 4, 45),
        3 => (121, 5, 46),
        4 => (162, 5, 46),
        5 => (180, 5, 52),
        other => return Err(format!("there is no terse version {other}")),
    };
    if text.lines().count() != lines {
        return Err(format!("{} terse lines, expected {lines}", text.lines().count()));
    }
    let mut moves = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let disks = fields.len().checked_sub(bare).map(|more| (more / 9, more % 9));
        if fields[0] != version.to_string() || disks.is_none_or(|(_, rest)| rest != 0) {
            return Err(format!("{} fields in {line}", fields.len()));
        }
        for (name, at) in [("read", read_kb), ("write", write_kb)] {
            let kb: u64 = fields[at].parse().map_err(|e| format!("field {at} of {line}: {e}"))?;
            if kb > 0 && !moves.contains(&name.to_owned()) {
                moves.push(name.to_owned());
            }
        }
    }
    Ok(moves)
}

struct Lines<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

impl<'a> Lines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.at).copied()
    }

    /// Whether the next line that is not empty starts with `prefix`.
    fn look_ahead(&self, prefix: &str) -> bool {
        self.lines[self.at..]
            .iter()
            .find(|line| !line.is_empty())
            .is_some_and(|line| line.starts_with(prefix))
    }

    fn maybe(&mut self, pattern: &str) -> Option<&'a str> {
        let line = self.peek().filter(|line| fits(line, pattern))?;
        self.at += 1;
        Some(line)
    }

    fn want(&mut self, pattern: &str) -> Result<&'a str, String> {
        self.maybe(pattern).ok_or_else(|| self.fault(pattern))
    }

    fn skip_all(&mut self, pattern: &str) -> usize {
        std::iter::from_fn(|| self.maybe(pattern)).count()
    }

    fn fault(&self, wanted: &str) -> String {
        format!("line {}: wanted {wanted:?}, found {:?}", self.at + 1, self.peek())
    }
}

fn head(lines: &mut Lines) -> Result<(), String> {
    let job = "*: (g=*): rw=*, bs=(R) *-*, (W) *-*, (T) *-*, ioengine=*, iodepth=*";
    lines.want(job)?;
    lines.maybe("...");
    while lines.maybe(job).is_some() {
        lines.maybe("...");
    }
    lines.want("fio-*")?;
    lines.want("Starting *")?;
    lines.skip_all("*: Laying out IO file* (* file* / *)");
    lines.want("").map(|_| ())
}

fn job(lines: &mut Lines, report: &mut Report) -> Result<bool, String> {
    if lines.maybe("*: (groupid=*, jobs=*): err=*: pid=*: *").is_none() {
        return Ok(false);
    }
    report.jobs += 1;
    lines.maybe("  Description  : [[]*]");
    for name in DIRECTIONS {
        direction(lines, name, report)?;
    }
    for unit in ["nsec", "usec", "msec"] {
        lines.skip_all(&format!("  lat ({unit})   : *=*%*"));
    }
    if lines.maybe("  fsync/fdatasync/sync_file_range*:").is_some() {
        report.sync = true;
        lines.want("    sync (*sec): min=*, max=*, avg=*, stdev=*")?;
        percentiles(lines, "    sync percentiles (*sec):")?;
    }
    lines.want("  cpu          : usr=*%, sys=*%, ctx=*, majf=*, minf=*")?;
    lines.want("  IO depths    : 1=*%, 2=*%, 4=*%, 8=*%, 16=*%, 32=*%, >=64=*%")?;
    lines.want("     submit    : 0=*%, 4=*%, 8=*%, 16=*%, 32=*%, 64=*%, >=64=*%")?;
    lines.want("     complete  : 0=*%, 4=*%, 8=*%, 16=*%, 32=*%, 64=*%, >=64=*%")?;
    lines.want("     issued rwts: total=*,*,*,* short=*,*,*,* dropped=*,*,*,*")?;
    lines.maybe("     errors    : total=*, first_error=*/<*>");
    lines.want("     latency   : target=*, window=*, percentile=*%, depth=*")?;
    lines.maybe("  steadystate  : attained=*, bw=*, iops=*, *=*");
    Ok(true)
}

fn direction(lines: &mut Lines, name: &str, report: &mut Report) -> Result<(), String> {
    if lines.maybe(&format!("  {name}: IOPS=*, BW=*B/s (*B/s)(*B/*msec)*")).is_none() {
        return Ok(());
    }
    if !report.moves.iter().any(|known| known == name) {
        report.moves.push(name.to_owned());
    }
    for latency in ["    slat", "    clat", "     lat"] {
        lines.maybe(&format!("{latency} (*sec): min=*, max=*, avg=*, stdev=*"));
    }
    percentiles(lines, "    *lat percentiles (*sec):")?;
    if lines.maybe("   bw (  *iB/s): min=*, max=*, per=*%, avg=*, stdev=*, samples=*").is_some() {
        lines.want("   iops        : min=*, max=*, avg=*, stdev=*, samples=*")?;
    }
    Ok(())
}

fn percentiles(lines: &mut Lines, head: &str) -> Result<(), String> {
    if lines.maybe(head).is_some() && lines.skip_all("     | *th=[[]*]*") == 0 {
        return Err(lines.fault("a row of percentiles"));
    }
    Ok(())
}

fn group(lines: &mut Lines, report: &mut Report) -> Result<(), String> {
    lines.want("")?;
    lines.want("Run status group * (all jobs):")?;
    report.groups += 1;
    for name in [" READ", "WRITE", " TRIM", "MIXED"] {
        lines.maybe(&format!("  {name}: bw=*B/s (*B/s), *-* (*-*), io=*B (*B), run=*-*msec"));
    }
    Ok(())
}

fn disks(lines: &mut Lines, report: &mut Report) -> Result<(), String> {
    if lines.peek().is_none() {
        return Ok(());
    }
    lines.want("")?;
    lines.want("Disk stats (read/write):")?;
    let pattern = "  *: ios=*/*, *merge=*/*, ticks=*/*, in_queue=*, util=*%*";
    while let Some(line) = lines.maybe(pattern) {
        report.disks.push(line.trim_start().split(':').next().unwrap_or_default().to_owned());
    }
    match report.disks.is_empty() {
        true => Err(lines.fault(pattern)),
        false => Ok(()),
    }
}

/// Whether `line` is `pattern`, where `*` stands for anything and `[[]` for a bracket.
pub fn fits(line: &str, pattern: &str) -> bool {
    let pattern = pattern.replace("[[]", "[");
    let mut parts = pattern.split('*');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[test]
fn a_pattern_fits_only_its_lines() {
    assert!(fits("  cpu          : usr=1.70%, sys=2.00%", "  cpu          : usr=*%, sys=*%"));
    assert!(!fits("  cpu         : usr=1.70%, sys=2.00%", "  cpu          : usr=*%, sys=*%"));
    assert!(!fits("Starting 1 process", ""));
    assert!(fits("", ""));
    assert!(!fits("fio", "fio-*"));
}
