//! Writing to the terminal or the pipe: colour where it is wanted, and no complaint when the reader has gone.

use crate::arguments::{ColourChoice, Screen};
use selvedge::CHECKS;
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
}

impl ProgressLine {
    /// On a terminal, an empty line to come.
    pub fn new() -> Self {
        ProgressLine {
            said: BTreeMap::new(),
            is_on: io::stderr().is_terminal(),
            is_shown: false,
            start: Instant::now(),
        }
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
        self.said.insert(engine, words.to_owned());
        // What is over in a moment needs no progress.
        if self.is_on && self.start.elapsed() > Duration::from_millis(500) {
            // What concerns all of them is said first.
            let (first, rest): (Vec<_>, Vec<_>) = self.said.iter().partition(|(engine, _)| **engine == CHECKS);
            let all = first.into_iter().chain(rest).map(|(engine, words)| format!("{engine}: {words}"));
            let all: Vec<String> = all.collect();
            let text = format!("{:.0} s; {}", self.start.elapsed().as_secs_f64(), all.join("; "));
            let text: String = text.chars().take(terminal_width().saturating_sub(1)).collect();
            complain(&format!("\r\x1b[K{text}"));
            self.is_shown = true;
        }
    }
}
