//! The `selvedge` command.

mod arguments;
mod commands;
mod output;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = arguments::in_our_spelling(std::env::args_os());
    match arguments::Arguments::try_parse_from(arguments) {
        Ok(arguments) => commands::run(arguments),
        Err(error) => {
            let _ = error.print();
            ExitCode::from(if error.use_stderr() { commands::USAGE } else { 0 })
        }
    }
}
