//! Processors: the existing ones, the allowed ones, and their activity.

use crate::{CpuTimes, Host, HostError};

impl Host {
    /// The activity of each processor since its start.
    ///
    /// # Errors
    /// [`HostError::Read`] if `/proc/stat` cannot be read.
    pub fn cpu_times(&self) -> Result<Vec<CpuTimes>, HostError> {
        Ok(parse_cpu_times(&self.bytes("/proc/stat")?))
    }

    /// Numbers of the processors that are switched on.
    pub fn online_cpus(&self) -> Vec<u32> {
        parse_cpu_list(&self.text("/sys/devices/system/cpu/online").unwrap_or_default())
    }

    /// Numbers of the processors that this process may run on: its affinity and its cpuset.
    pub fn allowed_cpus(&self) -> Vec<u32> {
        let status = self.text("/proc/self/status").unwrap_or_default();
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        parse_cpu_list(list.unwrap_or_default())
    }

    /// Numbers of the NUMA nodes that are switched on; empty on a kernel without NUMA.
    pub fn numa_nodes(&self) -> Vec<u32> {
        parse_cpu_list(&self.text("/sys/devices/system/node/online").unwrap_or_default())
    }

    /// Numbers of the processors of a NUMA node; empty if there is no such node.
    pub fn numa_cpus(&self, node: u32) -> Vec<u32> {
        let file = format!("/sys/devices/system/node/node{node}/cpulist");
        parse_cpu_list(&self.text(file).unwrap_or_default())
    }
}

/// Reads the kernel's lists, such as `0-3,8,10-11`, in order; parts of another shape are passed
/// over. No processor number can exceed the kernel's bound of 8,192, so a range is cut there.
pub fn parse_cpu_list(text: &str) -> Vec<u32> {
    const MAX_CPUS: u32 = 8192;
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.trim().parse(), last.trim().parse::<u32>()) {
            cpus.extend(first..=last.min(MAX_CPUS));
        }
    }
    cpus.sort_unstable();
    cpus.dedup();
    cpus
}

/// Reads the `cpuN` lines of `/proc/stat`; the line of all together is left out.
pub fn parse_cpu_times(text: &[u8]) -> Vec<CpuTimes> {
    String::from_utf8_lossy(text).lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<CpuTimes> {
    let mut columns = line.strip_prefix("cpu")?.split(' ');
    let cpu = columns.next()?.parse().ok()?;
    let mut next = || columns.next().map_or(Some(0), |column| column.parse::<u64>().ok());
    let (user, nice, system, idle) = (next()?, next()?, next()?, next()?);
    let (iowait, irq, softirq, steal) = (next()?, next()?, next()?, next()?);
    Some(CpuTimes {
        cpu,
        user: user.saturating_add(nice),
        system,
        idle,
        iowait,
        irq,
        softirq,
        steal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu_deltas;
    use proptest::prelude::*;

    #[test]
    fn lists_are_read_in_order_and_without_repeats() {
        assert_eq!(parse_cpu_list("0-2,8,5-6,2\n"), [0, 1, 2, 5, 6, 8]);
        assert!(parse_cpu_list("").is_empty());
        assert!(parse_cpu_list("3-1,x,-").is_empty());
        assert_eq!(parse_cpu_list("0-4294967295").len(), 8193);
    }

    #[test]
    fn busy_is_what_is_neither_idle_nor_waiting() {
        let text = b"cpu  9 9 9 9\ncpu0 10 5 5 60 10 4 4 2 0 0\ncpu1 0 0 0 0\nintr 5\n";
        let times = parse_cpu_times(text);
        assert_eq!(times.len(), 2);
        assert_eq!((times[0].user, times[0].steal), (15, 2));
        assert_eq!(times[0].busy(), 0.3);
        assert_eq!(times[1].busy(), 0.0);
        assert_eq!(cpu_deltas(&times, &times)[0].busy(), 0.0);
        assert_eq!(cpu_deltas(&times[..1], &times).len(), 1);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in ".{0,300}") {
            parse_cpu_list(&text);
            parse_cpu_times(text.as_bytes());
        }

        #[test]
        fn a_written_list_comes_back(set in proptest::collection::btree_set(0u32..8192, 0..60)) {
            let words: Vec<String> = set.iter().map(u32::to_string).collect();
            prop_assert_eq!(parse_cpu_list(&words.join(",")), set.into_iter().collect::<Vec<_>>());
        }
    }
}
