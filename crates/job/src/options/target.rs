//! Rows: names, files and devices.

use super::kind::{Choice, Kind, missing, word};
use super::row::{Category, OptionRow, row as any_row};
use crate::error::ValueProblem;
use crate::spec::{Fallocate, FileService, JobSize};

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Target, name, kind, help)
}

const SERVICE: &[Choice] = &[
    word("roundrobin", "each file in turn"),
    word("random", "any file, all equally likely"),
    word("sequential", "finish a file, then begin the next"),
    missing("zipf", "popular files more often, by Zipf"),
    missing("pareto", "popular files more often, by Pareto"),
    missing("normal", "files near the middle more often"),
    missing("gauss", "the same as normal"),
];

const FALLOCATE: &[Choice] = &[
    word("none", "reserve nothing"),
    word("native", "reserve where the file system can, else nothing"),
    word("posix", "posix_fallocate(3), which writes where the file system cannot reserve"),
    word("keep", "fallocate(2) without changing the size"),
    word("truncate", "set the size, reserve nothing"),
    word("0", "the same as none"),
    word("1", "the same as posix"),
];

const FADVISE: &[Choice] = &[
    word("0", "tell the kernel nothing"),
    word("1", "tell the kernel whether the job is random or sequential"),
    missing("random", "always say random"),
    missing("sequential", "always say sequential"),
    missing("noreuse", "say that data is used once"),
];

const LOCKFILE: &[Choice] = &[
    word("none", "no lock"),
    word("exclusive", "one I/O a file at a time"),
    word("readwrite", "many reads, or one write, a file at a time"),
];

const FILETYPE: &[Choice] = &[
    word("none", "files that can be read and written"),
    word("file", "regular files"),
    word("dir", "directories"),
];

pub(super) static ROWS: &[OptionRow] = &[
    row("name", Kind::Text, "Name of the job; replaces that of its section, except in [global]")
        .usual("", "measured")
        .check(|d, v| {
            if v.text().is_empty() {
                return Err(ValueProblem::new("a job needs a name"));
            }
            let before = std::mem::replace(&mut d.job.name, v.text().to_string());
            if before != d.job.name {
                d.job.target.section.get_or_insert(before);
            }
            Ok(())
        }),
    row("description", Kind::Text, "Free text, repeated in the results")
        .usual("", "a disk")
        .set(|d, v| d.job.description = v.owned()),
    row(
        "filename",
        Kind::PathList,
        "Files or devices to use, rather than names made from the job's; given again, it adds",
    )
    .usual("", "/dev/null")
    .set(|d, v| d.add_files(v.paths())),
    row(
        "directory",
        Kind::PathList,
        "Folders to put files in, absolute names too; on a command line give it before filename",
    )
    .usual("", "/tmp")
    .set(|d, v| d.put_below(v.paths())),
    row("filename_format", Kind::Text, "How names of files are made: $jobname, $jobnum, $filenum")
        .usual("$jobname.$jobnum.$filenum", "$jobname.$filenum")
        .set(|d, v| d.job.target.filename_format = v.owned()),
    row("unique_filename", Kind::Bool, "Put the client's address before names of files")
        .usual("1", "0")
        .set(|d, v| d.job.target.unique_filename = v.flag()),
    row("lockfile", Kind::Choice(LOCKFILE), "Lock a file around each I/O")
        .usual("none", "exclusive")
        .not_yet_but(&["none"], "Give each job files of its own."),
    row("opendir", Kind::Path, "Use all files below this folder; given again, it adds")
        .usual("", "/tmp")
        .set(|d, v| d.add_folder(v.text().into())),
    row("filetype", Kind::Choice(FILETYPE), "What file engines create and remove")
        .usual("file", "dir")
        .not_yet("It serves engines that Fathom does not have (filecreate and its kin)."),
    row(
        "size",
        Kind::SizeOrPercent(u32::MAX),
        "Bytes of each clone's files together, or part of what is there; 0 is all of it",
    )
    .usual("", "1g")
    .set(|d, v| {
        let nothing = [JobSize::Bytes(0), JobSize::Percent(0)];
        d.job.target.size = Some(v.size()).filter(|size| !nothing.contains(size));
    }),
    row("filesize", Kind::SizeRange, "Size of each file, or a range to draw it from")
        .usual("", "1m-2m")
        .check(|d, v| {
            if v.range().0 == 0 {
                return Err(
                    ValueProblem::new("a file of 0 bytes").hinted("Give filesize=1m or more.")
                );
            }
            d.job.target.filesize = Some(v.range());
            Ok(())
        }),
    row("nrfiles", Kind::Int(0, 1 << 24), "How many files each clone uses")
        .alias(&["nr_files"])
        .usual("1", "4")
        .set(|d, v| d.count_files(v.int_u32().max(1))),
    row("openfiles", Kind::Int(0, u32::MAX as i64), "How many files may be open at once")
        .usual("", "2")
        .no_effect("a job keeps all of its files open; raise ulimit -n for very many"),
    row(
        "file_service_type",
        Kind::ChoiceAnd(SERVICE, "then :N for the I/Os in a row on a file"),
        "Which file the next I/O goes to",
    )
    .usual("roundrobin", "random:8")
    .check(|d, v| {
        if !["roundrobin", "random", "sequential"].contains(&v.choice()) {
            return Err(ValueProblem::new("popular files are not there yet")
                .hinted("Use roundrobin, random or sequential."));
        }
        let run = if v.rest().is_empty() { Ok(1) } else { v.rest().parse::<u32>() };
        let run = run.map_err(|_| ValueProblem::new("a count is expected after the ':'"))?.max(1);
        d.job.target.file_service = match v.choice() {
            "roundrobin" => FileService::RoundRobin(run),
            "random" => FileService::Random(run),
            _ => FileService::Sequential,
        };
        Ok(())
    }),
    row("offset", Kind::SizeOrPercent(100), "Where in each file or device the I/O begins")
        .alias(&["fileoffset"])
        .usual("0", "1m")
        .set(|d, v| d.job.target.offset = v.size()),
    row(
        "offset_increment",
        Kind::SizeOrPercent(100),
        "Added to offset once for each clone before this one",
    )
    .usual("0", "1m")
    .set(|d, v| d.job.target.offset_increment = v.size()),
    row("offset_align", Kind::Bytes, "What offset is rounded down to; 0 is the block size")
        .usual("0", "8k")
        .set(|d, v| d.job.target.offset_align = v.amount()),
    row("fallocate", Kind::Choice(FALLOCATE), "How files get their space before the job writes")
        .usual("native", "none")
        .set(|d, v| {
            d.job.target.fallocate = match v.choice() {
                "none" | "0" => Fallocate::None,
                "posix" | "1" => Fallocate::Posix,
                "keep" => Fallocate::Keep,
                "truncate" => Fallocate::Truncate,
                _ => Fallocate::Native,
            };
        }),
    row("fadvise_hint", Kind::Choice(FADVISE), "Whether the kernel is told of the access pattern")
        .usual("1", "0")
        .check(|d, v| match v.choice() {
            "0" | "1" => {
                d.job.target.fadvise = v.choice() == "1";
                Ok(())
            }
            _ => Err(ValueProblem::new("not there yet").hinted("Use 0 or 1.")),
        }),
    row("create_only", Kind::Bool, "Lay the files out, then stop")
        .usual("0", "1")
        .set(|d, v| d.job.target.create_only = v.flag()),
    row("create_fsync", Kind::Bool, "Flush files after laying them out")
        .usual("1", "0")
        .set(|d, v| d.job.target.create_fsync = v.flag()),
    row("create_serialize", Kind::Bool, "Lay files out one job after another")
        .usual("1", "0")
        .no_effect("files are always laid out one after another"),
    row("create_on_open", Kind::Bool, "Make a file when its first I/O is due")
        .usual("0", "1")
        .set(|d, v| d.job.target.create_on_open = v.flag()),
    row("allow_file_create", Kind::Bool, "Whether missing files may be made")
        .usual("1", "0")
        .set(|d, v| d.job.target.allow_file_create = v.flag()),
    row("allow_mounted_write", Kind::Bool, "Whether a device that is in use may be written")
        .usual("0", "1")
        .set(|d, v| d.job.target.allow_mounted_write = v.flag()),
    row("overwrite", Kind::Bool, "Lay files out fully before writing over them")
        .usual("0", "1")
        .set(|d, v| d.job.target.overwrite = v.flag()),
    row("unlink", Kind::Bool, "Remove the job's files when it ends")
        .usual("0", "1")
        .set(|d, v| d.job.target.unlink = v.flag()),
    row("unlink_each_loop", Kind::Bool, "Remove the job's files after each pass")
        .usual("0", "1")
        .not_yet("Use unlink=1, and one job for each pass."),
    row("pre_read", Kind::Bool, "Read the files into memory before measuring")
        .usual("0", "1")
        .set(|d, v| d.job.target.pre_read = v.flag()),
    row("invalidate", Kind::Bool, "Drop the files from the page cache before measuring")
        .usual("1", "0")
        .set(|d, v| d.job.target.invalidate = v.flag()),
    row("file_append", Kind::Bool, "Begin at the end of the files")
        .usual("0", "1")
        .not_yet("Use offset= with the size that the file has."),
    row("fill_device", Kind::Bool, "Write until the device is full")
        .alias(&["fill_fs"])
        .usual("0", "1")
        .not_yet("Give the size: size=100% for a device, or filesize=."),
    row("write_hint", Kind::Text, "Expected life time of what is written")
        .usual("none", "short")
        .not_yet_but(&["none"], "Leave it out."),
    row("ioscheduler", Kind::Text, "Switch the device to this scheduler for the run")
        .usual("", "none")
        .not_yet("Write its name to /sys/block/DEVICE/queue/scheduler before the run."),
];
