//! The `selvedge` command.

mod arguments;
mod commands;
mod output;
mod project;

use clap::Parser;
use selvedge_meter::Metered;
use std::process::ExitCode;

/// Limits on memory hold for what each engine's thread really holds.
#[global_allocator]
static ALLOCATOR: Metered = Metered;

fn main() -> ExitCode {
    let arguments = arguments::in_our_spelling(std::env::args_os());
    let form = commands::Form::of(arguments.iter().any(|argument| argument == "--json"));
    let arguments = match project::complete(arguments, &std::env::current_dir().unwrap_or_default()) {
        Ok(completed) => {
            if let Some((path, words)) = completed.taken {
                eprintln!("note: {} adds {}", path.display(), words.join(" "));
            }
            completed.arguments
        }
        Err(error) => return commands::Refused::usage(&error.to_string()).report(form),
    };
    match arguments::Arguments::try_parse_from(arguments) {
        Ok(arguments) => commands::run(arguments),
        Err(error) if error.use_stderr() => {
            let _ = error.print();
            let message = error.render().to_string();
            commands::Refused::told(message.lines().next().unwrap_or_default().trim_start_matches("error: "))
                .report(form)
        }
        Err(error) => {
            let _ = error.print();
            ExitCode::SUCCESS
        }
    }
}
