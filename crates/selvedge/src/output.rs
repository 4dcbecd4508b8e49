//! Writing to the terminal or the pipe: colour where it is wanted, and no complaint when the reader has gone.

use crate::arguments::{ColourChoice, Screen};
use selvedge_report::Style;
use std::io::{self, ErrorKind, IsTerminal, Write};

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
