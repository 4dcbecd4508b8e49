//! Writing to the terminal or the pipe: colour where it is wanted, and no complaint when the reader has gone.

use crate::arguments::{ColourChoice, Screen};
use selvedge::{CHECKS, RESULT};
use selvedge_program::Progress;
use selvedge_program::budget::Report;
use selvedge_report::Style;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The style for standard output.
pub fn stdout_style(screen: Screen) -> Style {
    style(screen, io::stdout().is_terminal())
}

/// The style for standard error.
pub fn stderr_style(screen: Screen) -> Style {
    style(screen, io::stderr().is_terminal())
}

fn style(screen: Screen, is_terminal: bool) -> Style {
    let colour = match screen.color {
        ColourChoice::Always => true,
        ColourChoice::Never => false,
        ColourChoice::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none(),
    };
    let width = if is_terminal { terminal_width() } else { 100 };
    if colour { Style::coloured(width) } else { Style::plain(width) }
}

fn terminal_width() -> usize {
    let from_environment = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    from_environment.or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))).unwrap_or(80)
}

/// Writes to standard output; a reader who has gone ends the process quietly.
pub fn print(text: &str) {
    finish(io::stdout().lock().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()));
}

/// Writes to standard error.
pub fn complain(text: &str) {
    finish(io::stderr().lock().write_all(text.as_bytes()));
}

fn finish(written: io::Result<()>) {
    if let Err(error) = written {
        std::process::exit(if error.kind() == ErrorKind::BrokenPipe { 0 } else { i32::from(crate::commands::USAGE) });
    }
}

/// One line on the terminal that says what the engines are doing, and is gone when they have done it. Nothing in a
/// pipe.
#[derive(Debug)]
pub struct ProgressLine {
    /// What each engine said last.
    said: BTreeMap<&'static str, String>,
    is_on: bool,
    is_shown: bool,
    start: Instant,
    /// After how long a run results are told of as they come in; `None` if not before the end.
    telling: Option<Duration>,
    /// Results that have not been told yet.
    results: Vec<String>,
}

/// Whether results are told of as they come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// They are, on standard error, if the run takes longer than a moment.
    AsTheyCome,
    /// The report has them.
    AtTheEnd,
}

/// What is over sooner needs no progress.
const MOMENT: Duration = Duration::from_millis(500);

/// What is over sooner needs no word of results in a pipe: the report comes soon enough.
const WHILE: Duration = Duration::from_secs(5);

/// How long the line tells of one engine where it has no room for all.
const TURN: u64 = 2;

impl ProgressLine {
    /// On a terminal, an empty line to come.
    pub fn new(results: Results) -> Self {
        let is_on = io::stderr().is_terminal();
        let telling = match results {
            Results::AsTheyCome if is_on => Some(MOMENT),
            Results::AsTheyCome => Some(WHILE),
            Results::AtTheEnd => None,
        };
        let said = BTreeMap::new();
        ProgressLine { said, is_on, is_shown: false, start: Instant::now(), telling, results: Vec::new() }
    }

    /// Tells of results that have come in.
    fn tell(&mut self) {
        let elapsed = self.start.elapsed();
        if !self.results.is_empty() && self.telling.is_some_and(|telling| elapsed > telling) {
            self.clear();
            for result in std::mem::take(&mut self.results) {
                complain(&format!("{:.0} s: {result}\n", elapsed.as_secs_f64()));
            }
        }
    }

    /// What the line says: of all checks first, then of all engines, or of one after the other where there is no room.
    fn words(&self, width: usize) -> String {
        let seconds = self.start.elapsed().as_secs();
        let checks = self.said.get(CHECKS).map(|words| format!("; {CHECKS}: {words}")).unwrap_or_default();
        let engines = self.said.iter().filter(|(engine, _)| **engine != CHECKS);
        let engines: Vec<String> = engines.map(|(engine, words)| format!("{engine}: {words}")).collect();
        let all = |engines: &[String]| {
            let parts = std::iter::once(format!("{seconds} s{checks}")).chain(engines.iter().cloned());
            parts.collect::<Vec<_>>().join("; ")
        };
        let text = all(&engines);
        if text.chars().count() < width || engines.is_empty() {
            return text.chars().take(width.saturating_sub(1)).collect();
        }
        let turn = usize::try_from(seconds / TURN).unwrap_or(0) % engines.len();
        all(&engines[turn..=turn]).chars().take(width.saturating_sub(1)).collect()
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.is_shown {
            complain("\r\x1b[K");
            self.is_shown = false;
        }
    }
}

impl Progress for ProgressLine {
    fn report(&mut self, report: &Report) {
        let words = format!(
            "{} states, {} waiting, depth {}, {} MiB",
            report.states,
            report.waiting,
            report.depth,
            report.memory >> 20
        );
        self.say(report.engine, &words);
    }

    fn say(&mut self, engine: &'static str, words: &str) {
        if engine == RESULT {
            self.results.push(words.to_owned());
        } else {
            self.said.insert(engine, words.to_owned());
        }
        self.tell();
        if self.is_on && self.start.elapsed() > MOMENT {
            complain(&format!("\r\x1b[K{}", self.words(terminal_width())));
            self.is_shown = true;
        }
    }
}
