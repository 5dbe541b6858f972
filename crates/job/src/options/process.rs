//! Rows: jobs, CPUs and order.

use super::kind::{Choice, Kind, word};
use super::row::{Category, OptionRow, row as any_row};
use crate::draft::Draft;
use crate::error::ValueProblem;
use crate::spec::{IoPriority, MemoryPolicy};
use fathom_text::text;

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Process, name, kind, help)
}

const U32: i64 = u32::MAX as i64;

const POLICY: &[Choice] = &[
    word("shared", "every clone may use all of them"),
    word("split", "each clone gets one of them"),
];

const EXIT_WHAT: &[Choice] = &[
    word("group", "jobs of the same group"),
    word("stonewall", "jobs that run now"),
    word("all", "every job"),
];

pub(super) static ROWS: &[OptionRow] = &[
    row("numjobs", Kind::Int(1, 1 << 20), "How many clones of the job run at once")
        .usual("1", "4")
        .set(|d, v| d.job.process.numjobs = v.int_u32()),
    row("thread", Kind::Flag, "Threads rather than processes; jobs are always threads here")
        .set(|d, v| d.job.process.thread = v.flag()),
    row("group_reporting", Kind::Flag, "One result for all jobs of a group")
        .set(|d, v| d.job.process.group_reporting = v.flag()),
    row("new_group", Kind::Flag, "Begin another group of results here")
        .set(|d, v| d.job.process.new_group = v.flag()),
    row("stonewall", Kind::Flag, "Wait until all jobs before this one have ended")
        .alias(&["wait_for_previous"])
        .set(|d, v| d.job.process.stonewall = v.flag()),
    row("wait_for", Kind::Text, "Wait until the job of this name has ended")
        .usual("", "fill")
        .set(|d, v| d.job.process.wait_for = v.owned()),
    row("exitall", Kind::Flag, "When this job ends, others end too")
        .set(|d, v| d.job.process.exitall = v.flag()),
    row("exit_what", Kind::Choice(EXIT_WHAT), "Which jobs exitall ends")
        .usual("group", "all")
        .not_yet_but(&["group"], "Leave it out: exitall ends the jobs of the group."),
    row("exitall_on_error", Kind::Flag, "When this job fails, all end")
        .set(|d, v| d.job.process.exitall_on_error = v.flag()),
    row("cpus_allowed", Kind::NumberList, "CPUs the job may use")
        .usual("", "0-1")
        .set(|d, v| d.job.process.cpus_allowed = v.numbers()),
    row("cpumask", Kind::Grammar("bits, decimal or 0x…"), "CPUs the job may use, as bits")
        .usual("", "0x3")
        .check(|d, v| {
            let text = v.text();
            let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
            let mask = hex.map_or_else(|| text.parse(), |hex| u64::from_str_radix(hex, 16));
            let mask = mask.map_err(|_| ValueProblem::new("a number is expected, as 3 or 0xff"))?;
            if mask == 0 {
                return Err(ValueProblem::new("a mask without any CPU"));
            }
            d.job.process.cpus_allowed = (0..64).filter(|cpu| mask >> cpu & 1 == 1).collect();
            Ok(())
        }),
    row("cpus_allowed_policy", Kind::Choice(POLICY), "How the clones of a job share cpus_allowed")
        .usual("shared", "split")
        .set(|d, v| d.job.process.cpus_split = v.choice() == "split"),
    row(
        "numa_cpu_nodes",
        Kind::Grammar("nodes, as 0-1,3, or all"),
        "NUMA nodes whose CPUs the job may use",
    )
    .usual("", "0")
    .check(|d, v| {
        let all = v.text() == "all";
        d.job.process.numa_cpu_nodes =
            if all { Vec::new() } else { super::kind::numbers(v.text())? };
        Ok(())
    }),
    row(
        "numa_mem_policy",
        Kind::Grammar("default, local, prefer:NODE, bind:NODES or interleave:NODES"),
        "NUMA nodes that memory comes from",
    )
    .usual("", "local")
    .check(|d, v| {
        d.job.process.numa_mem_policy = Some(memory_policy(v.text())?);
        Ok(())
    }),
    row("nice", Kind::Int(-20, 19), "Priority for the CPU; lower is more")
        .usual("0", "5")
        .set(|d, v| d.job.process.nice = i32::try_from(v.int()).unwrap_or(0)),
    row("threads", Kind::Int(0, U32), "Threads of fio's tiobench profile; jobs take thread")
        .usual("", "4")
        .no_effect("it belongs to fio's tiobench profile; jobs run as threads anyhow"),
    row("prio", Kind::Int(0, 7), "I/O priority within the class")
        .usual("", "4")
        .set(|d, v| io_priority(d).level = v.int_u16()),
    row("prioclass", Kind::Int(0, 3), "I/O priority class")
        .usual("", "2")
        .set(|d, v| io_priority(d).class = v.int_u16()),
    row("priohint", Kind::Int(0, 1023), "I/O priority hint")
        .usual("", "1")
        .set(|d, v| io_priority(d).hint = v.int_u16()),
    row("exec_prerun", Kind::Text, "Shell command to run before the job")
        .usual("", "sync")
        .set(|d, v| d.job.process.exec_prerun = v.owned()),
    row("exec_postrun", Kind::Text, "Shell command to run after the job")
        .usual("", "sync")
        .set(|d, v| d.job.process.exec_postrun = v.owned()),
    row("comm", Kind::Text, "Name of the process in ps")
        .usual("", "disk")
        .no_effect("jobs are threads, named after themselves"),
    row("uid", Kind::Int(0, U32), "Run the job as this user")
        .usual("", "1000")
        .not_yet_but(&[], "Run the program under sudo -u."),
    row("gid", Kind::Int(0, U32), "Run the job as this group")
        .usual("", "1000")
        .not_yet_but(&[], "Run the program under sudo -g."),
    row("lockmem", Kind::Bytes, "Memory to pin, so that less is left for the page cache")
        .usual("0", "1g")
        .set(|d, v| d.job.process.lockmem = v.amount()),
    row("cgroup", Kind::Text, "Control group to run in")
        .usual("", "disk")
        .not_yet_but(&[], "Run the program under systemd-run --slice=."),
    row("cgroup_weight", Kind::Int(100, 1000), "I/O weight of the control group")
        .usual("", "500")
        .not_yet_but(&[], "Run the program under systemd-run -p IOWeight=."),
    row("cgroup_nodelete", Kind::Bool, "Keep the control group after the run")
        .usual("0", "1")
        .not_yet("It serves cgroup, which is not there yet."),
    row("profile", Kind::Text, "A ready-made workload (act, tiobench)")
        .usual("", "act")
        .not_yet_but(&[], "Write its jobs out in a job file."),
];

fn io_priority(draft: &mut Draft) -> &mut IoPriority {
    draft.job.process.io_priority.get_or_insert_default()
}

/// Reads a memory policy; `all` is every node.
fn memory_policy(text: &str) -> Result<MemoryPolicy, ValueProblem> {
    let (name, nodes) = text.split_once(':').unwrap_or((text, ""));
    let list = || match nodes {
        "" => Err(ValueProblem::new(text!("a list of nodes is needed for {name}"))
            .hinted(text!("Write {name}:0-1 or {name}:all."))),
        "all" => Ok(Vec::new()),
        _ => super::kind::numbers(nodes),
    };
    match name {
        "default" | "local" if !nodes.is_empty() => {
            Err(ValueProblem::new(text!("{name} takes no nodes"))
                .hinted("Use prefer, bind or interleave with nodes."))
        }
        "default" => Ok(MemoryPolicy::Default),
        "local" => Ok(MemoryPolicy::Local),
        "prefer" => match list()?.as_slice() {
            [node] => Ok(MemoryPolicy::Prefer(*node)),
            _ => Err(ValueProblem::new("prefer takes one node").hinted("Write prefer:0.")),
        },
        "bind" => list().map(MemoryPolicy::Bind),
        "interleave" => list().map(MemoryPolicy::Interleave),
        _ => Err(ValueProblem::new("no such policy")
            .hinted("Use default, local, prefer:0, bind:0-1 or interleave:0-1.")),
    }
}
