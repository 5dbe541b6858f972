//! Filters for runs, as SQL.
//!
//! Conditions are fixed texts and values are bound, so that user input never becomes SQL. Results
//! are ordered newest first, along an index.

use crate::run::HistoryOutcome;
use rusqlite::types::Value;

/// A filter for runs: all given conditions must be true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this kind.
    pub kind: Option<String>,
    /// With this label.
    pub tag: Option<String>,
    /// All these words must occur in title, command, targets, host, kind or labels, also inside
    /// words, ignoring case.
    pub text: Option<String>,
    /// Begun at this time or later, in milliseconds since 1970.
    pub since_ms: Option<u64>,
    /// Begun before this time, in milliseconds since 1970.
    pub until_ms: Option<u64>,
    /// With exactly this target.
    pub target: Option<String>,
    /// Measured by this machine.
    pub host: Option<String>,
    /// That ended so.
    pub outcome: Option<HistoryOutcome>,
    /// Maximum number; all if there is none.
    pub limit: Option<u64>,
    /// Number of newest runs to skip.
    pub offset: u64,
}

/// Letters of the shortest word that the index of text can find.
const INDEXED_LETTERS: usize = 3;

/// All columns of an entry, and the names before and after it, which determine its short name.
pub(crate) const COLUMNS: &str = "
run.id, kind, started_ms, duration_ms, host, folder, command, title, headline, outcome,
fathom_version,
(SELECT json_group_array(path ORDER BY place) FROM target WHERE target.run = run.seq),
(SELECT json_group_array(name ORDER BY name) FROM tag WHERE tag.run = run.seq),
(SELECT max(other.id) FROM run AS other WHERE other.id < run.id),
(SELECT min(other.id) FROM run AS other WHERE other.id > run.id)";

pub(crate) const NEWEST_FIRST: &str = "ORDER BY started_ms DESC, id DESC";

/// A statement's text and the values for its places.
#[derive(Debug, Default)]
pub(crate) struct Query {
    conditions: Vec<&'static str>,
    pub(crate) values: Vec<Value>,
}

impl Query {
    /// The conditions of `filter`, without its limit and offset.
    pub(crate) fn of(filter: &Filter) -> Query {
        let mut query = Query::default();
        let text = |text: &Option<String>| text.clone().map(Value::Text);
        query.add("kind = ?", text(&filter.kind));
        query.add("host = ?", text(&filter.host));
        let outcome = filter.outcome.map(|outcome| Value::Text(outcome.name().to_owned()));
        query.add("outcome = ?", outcome);
        query.add("started_ms >= ?", filter.since_ms.map(whole));
        query.add("started_ms < ?", filter.until_ms.map(whole));
        query.add("seq IN (SELECT run FROM tag WHERE name = ?)", text(&filter.tag));
        query.add("seq IN (SELECT run FROM target WHERE path = ?)", text(&filter.target));
        query.words(filter.text.as_deref().unwrap_or_default());
        query
    }

    fn add(&mut self, condition: &'static str, value: Option<Value>) {
        if let Some(value) = value {
            self.conditions.push(condition);
            self.values.push(value);
        }
    }

    fn words(&mut self, text: &str) {
        let text = text.to_lowercase().replace('\0', " ");
        let (long, short): (Vec<&str>, Vec<&str>) =
            text.split_whitespace().partition(|word| word.chars().count() >= INDEXED_LETTERS);
        // Quoted, so that no letter has a meaning; side by side means all of them.
        let quoted: Vec<String> =
            long.iter().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
        let phrases = (!quoted.is_empty()).then(|| Value::Text(quoted.join(" ")));
        self.add("seq IN (SELECT rowid FROM run_text WHERE run_text MATCH ?)", phrases);
        // One condition for any number of words: an expression's depth is limited.
        let short = (!short.is_empty()).then(|| Value::Text(serde_json::json!(short).to_string()));
        self.add("NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(searched, value) = 0)", short);
    }

    fn condition(&self) -> String {
        match self.conditions.is_empty() {
            true => String::new(),
            false => format!(" WHERE {}", self.conditions.join(" AND ")),
        }
    }

    /// The statement that lists entries.
    pub(crate) fn entries(&mut self, filter: &Filter) -> String {
        // Those that are shown are chosen first: the columns of the others cost too much.
        let chosen = self.chosen(filter);
        format!("SELECT {COLUMNS} FROM run WHERE seq IN ({chosen}) {NEWEST_FIRST}")
    }

    /// The statement that selects the listed rows.
    pub(crate) fn chosen(&mut self, filter: &Filter) -> String {
        // SQLite takes a limit below zero for none.
        self.values.push(filter.limit.map_or(Value::Integer(-1), whole));
        self.values.push(whole(filter.offset));
        format!("SELECT seq FROM run{} {NEWEST_FIRST} LIMIT ? OFFSET ?", self.condition())
    }

    /// The statement that counts them.
    pub(crate) fn count(&self) -> String {
        format!("SELECT count(*) FROM run{}", self.condition())
    }
}

fn whole(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}
