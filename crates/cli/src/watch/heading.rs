//! The heading: the watched subjects and remarks on them, printed before the first figures.

use super::column::SubjectKind;
use super::format::Begin;
use super::limits::{amount, holder, limits_of};
use crate::terminal::heading::{device_text, line, named_line};
use crate::terminal::screen::{Screen, warning, wrapped};
use fathom_campaign::seconds;
use fathom_monitor::{WatchSubject, Watched};

/// More limits on one device than these are counted only: a node of a cluster has hundreds.
const LIMITS_TOLD: usize = 4;

/// The whole heading, with an empty line at its end.
pub fn whole(begin: &Begin<'_>, screen: &Screen) -> String {
    let every = seconds(begin.interval.as_micros() as u64);
    let since = begin.time.format("%Y-%m-%d %H:%M:%S %:z");
    let mut text =
        wrapped(localized!("Watching every {every}, from {since}."), screen.width, "", "");
    text += &begin.watched.iter().map(|watched| subject(watched, screen)).collect::<String>();
    text += &wrapped(units(begin.watched), screen.width, "", "");
    text + "\n"
}

/// One subject: its type, the typed name, its limits and notes.
fn subject(watched: &Watched, screen: &Screen) -> String {
    let mut text = match &watched.subject {
        WatchSubject::Device { device, .. } => {
            named_line(&watched.name, device_text(device), screen)
        }
        WatchSubject::Nfs { source, connections, options, .. } => {
            let about = localized!(
                "{source}, {connections|1=1 connection|{connections} connections}, mounted with {}",
                options.join(", ")
            );
            named_line(&watched.name, &about, screen)
        }
        WatchSubject::Memory { fstype, .. } => named_line(&watched.name, fstype, screen),
    };
    let asked: Vec<&str> =
        watched.asked.iter().map(String::as_str).filter(|asked| !is_it(watched, asked)).collect();
    if !asked.is_empty() {
        text += &line("", localized!("for {}", asked.join(", ")), screen);
    }
    let notes = limits(watched).into_iter().chain(watched.notes.clone());
    text + &notes.map(|note| warning(&note, screen)).collect::<String>()
}

/// Whether the typed name equals the subject's name.
fn is_it(watched: &Watched, asked: &str) -> bool {
    asked == watched.name || asked.strip_prefix("/dev/") == Some(&watched.name)
}

fn limits(watched: &Watched) -> Vec<String> {
    let limits = limits_of(watched);
    let told = limits.iter().take(LIMITS_TOLD);
    let name = &watched.name;
    let mut notes: Vec<String> = told
        .map(|limit| localized!("{name} is limited to {} for {}", amount(limit), holder(limit)))
        .collect();
    if limits.len() > LIMITS_TOLD {
        let more = limits.len() - LIMITS_TOLD;
        notes.push(localized!("{name} has {more} more limits of control groups"));
    }
    notes
}

/// The units of the visible columns.
fn units(watched: &[Watched]) -> String {
    let has = |kind| watched.iter().any(|watched| SubjectKind::of(&watched.subject) == kind);
    let mut text = localized!("MB = 1,000,000 bytes");
    if has(SubjectKind::Device) {
        text += &localized!("; await in ms; areq-sz in KiB (1,024 bytes); aqu-sz in I/Os");
    }
    if has(SubjectKind::Nfs) {
        text += &localized!("; rtt and exe in ms");
    }
    text + &localized!("; --help says more.")
}
