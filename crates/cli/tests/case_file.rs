//! The small format in which the corpus keeps a published command.
//!
//! The command and its job files stand as their publisher wrote them; what a test has to change
//! is said beside them, so that nobody has to guess what is original.
//!
//! ```text
//! # where it is from, and what is special about it
//! path: /mnt/hdd => folder        a path of the publisher's and what stands for it here:
//!                                 folder, file (in a folder that exists) or device SIZE
//! cut: --runtime=180 => --runtime=1
//! expect: text | json | terse VERSION   [the file with the output, where not standard output]
//!                                 `text sync` wants the block of fsync latencies too
//! jobs: 1                         blocks or lines in the report
//! moves: read write               the directions with I/O in them; the others have none
//! file: /configs/fio.job          a file the command needs, its lines after a bar
//! | [global]
//! run:                            a shell script, its lines after a bar
//! | fio /configs/fio.job
//! ```

use std::path::{Path, PathBuf};

/// What stands for one of the publisher's paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stand {
    /// A folder.
    Folder,
    /// A file that does not exist yet, in a folder that does.
    File,
    /// A block device of so many bytes.
    Device(u64),
}

/// The form of the output that is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// fio's normal text; with the block of fsync latencies or without.
    Text {
        /// Whether that block has to be there.
        sync: bool,
    },
    /// One JSON document.
    Json,
    /// Terse lines of this version.
    Terse(u8),
}

/// A published command with its files, its cuts and what is expected of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's name without its ending.
    pub name: String,
    /// The publisher's paths and what stands for them.
    pub paths: Vec<(String, Stand)>,
    /// The form of the output.
    pub form: Form,
    /// The file the output goes to, where not standard output.
    pub output: Option<String>,
    /// Blocks, elements or lines in the report.
    pub jobs: usize,
    /// Directions that move data.
    pub moves: Vec<String>,
    /// Names and content of files, cut.
    pub files: Vec<(String, String)>,
    /// The shell script, cut.
    pub script: String,
}

impl Case {
    /// Reads the file at `path`; every mistake in it is a panic that names it.
    pub fn read(path: &Path) -> Case {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut reader = Reader::new(&name);
        text.lines().for_each(|line| reader.line(line));
        reader.finish()
    }

    /// Every case file, sorted by name.
    pub fn all() -> Vec<Case> {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus"));
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "case"))
            .collect();
        paths.sort();
        paths.iter().map(|path| Case::read(path)).collect()
    }
}

/// Where the lines after a bar belong.
enum Block {
    None,
    File,
    Run,
}

struct Reader {
    case: Case,
    cuts: Vec<(String, String)>,
    block: Block,
}

impl Reader {
    fn new(name: &str) -> Reader {
        let case = Case {
            name: name.to_owned(),
            paths: Vec::new(),
            form: Form::Json,
            output: None,
            jobs: 0,
            moves: Vec::new(),
            files: Vec::new(),
            script: String::new(),
        };
        Reader { case, cuts: Vec::new(), block: Block::None }
    }

    fn line(&mut self, line: &str) {
        let name = &self.case.name;
        if let Some(rest) = line.strip_prefix('|') {
            let rest = rest.strip_prefix(' ').unwrap_or(rest);
            let into = match self.block {
                Block::File => &mut self.case.files.last_mut().expect("a file was opened").1,
                Block::Run => &mut self.case.script,
                Block::None => panic!("{name}: {line:?} belongs to nothing"),
            };
            into.push_str(rest);
            into.push('\n');
            return;
        }
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("{name}: {line:?}"));
        self.entry(key, value.trim());
    }

    fn entry(&mut self, key: &str, value: &str) {
        let name = self.case.name.clone();
        let arrow = || {
            let (from, to) = value.split_once(" => ").unwrap_or_else(|| panic!("{name}: {value}"));
            (from.to_owned(), to.to_owned())
        };
        match key {
            "path" => {
                let (from, to) = arrow();
                self.case.paths.push((from, parse_stand(&to)));
            }
            "cut" => self.cuts.push(arrow()),
            "expect" => (self.case.form, self.case.output) = parse_form(value),
            "jobs" => self.case.jobs = value.parse().unwrap(),
            "moves" => self.case.moves = value.split(' ').map(str::to_owned).collect(),
            "file" => {
                self.case.files.push((value.to_owned(), String::new()));
                self.block = Block::File;
            }
            "run" => self.block = Block::Run,
            _ => panic!("{name}: unknown entry {key:?}"),
        }
    }

    /// Applies the cuts; one that changes nothing no longer says what it seems to say.
    fn finish(mut self) -> Case {
        let case = &mut self.case;
        for (from, to) in &self.cuts {
            let mut used = false;
            for text in case.files.iter_mut().map(|(_, text)| text).chain([&mut case.script]) {
                used |= text.contains(from.as_str());
                *text = text.replace(from.as_str(), to);
            }
            assert!(used, "{}: the cut of {from:?} finds nothing", case.name);
        }
        assert!(case.jobs > 0 && !case.moves.is_empty(), "{}: expects nothing", case.name);
        assert!(!case.script.is_empty(), "{}: runs nothing", case.name);
        self.case
    }
}

fn parse_stand(text: &str) -> Stand {
    match text.split_once(' ') {
        Some(("device", size)) => {
            let mib: u64 = size.strip_suffix('M').expect("device sizes are in M").parse().unwrap();
            Stand::Device(mib << 20)
        }
        None if text == "folder" => Stand::Folder,
        None if text == "file" => Stand::File,
        _ => panic!("{text:?} is neither folder, file nor device SIZE"),
    }
}

fn parse_form(text: &str) -> (Form, Option<String>) {
    let mut words = text.split(' ');
    let form = match words.next() {
        Some("text") if text == "text sync" => return (Form::Text { sync: true }, None),
        Some("text") => Form::Text { sync: false },
        Some("json") => Form::Json,
        Some("terse") => Form::Terse(words.next().expect("a version").parse().unwrap()),
        other => panic!("{other:?} is not a form of output"),
    };
    (form, words.next().map(str::to_owned))
}
