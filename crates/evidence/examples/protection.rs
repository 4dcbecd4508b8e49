//! What keeps the objects of a program from being protected: `protection [-Iflag] [-Dflag] [--args WORDS] [--no-signals]
//! [--assume-externals] [--setup CALLS] [--concurrent CALLS] FILE…` prints what is protected, what is in the way of the
//! rest, and the pairs of accesses that nothing keeps apart.

use std::path::PathBuf;

use selvedge_analysis::{AbstractObject, Facts};
use selvedge_evidence::protection::{Asked, explain, protected};
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_frontend::lower::{Accepted, Call, Calls, Start};
use selvedge_program::Budget;

fn main() {
    let mut options = CompileOptions::default();
    let (mut files, mut calls) = (Vec::new(), Calls::default());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut list = || Call::list(&arguments.next().unwrap_or_default()).unwrap_or_else(|error| panic!("{error}"));
        match argument.as_str() {
            "--setup" => calls.setup = list().concat(),
            "--concurrent" => calls.concurrent = list(),
            "--args" => {
                let words = arguments.next().unwrap_or_default();
                options.lower.arguments = Some(words.split_whitespace().map(str::to_owned).collect());
            }
            "--assume-externals" => options.lower.assume_externals = Accepted::All,
            "--no-signals" => options.lower.no_signals = true,
            "-I" => options.preprocess.extra.push(format!("-I{}", arguments.next().unwrap_or_default())),
            _ if argument.starts_with('-') => options.preprocess.extra.push(argument),
            _ => files.push(PathBuf::from(argument)),
        }
    }
    options.lower.library.silent_strings = true;
    if calls != Calls::default() {
        options.lower.start = Start::Calls(calls);
    }
    let program = match compile(&files, &options) {
        Ok(compiled) => compiled.program,
        Err(error) => return println!("{error}"),
    };
    let facts = Facts::of(&program);
    let Ok(sharing) = facts.sharing() else { return println!("what is shared is not known") };
    let asked: Asked = sharing.shared.keys().copied().collect();
    let budget = Budget::unlimited();
    let Ok(proof) = protected(&program, &asked, &budget) else { return };
    let name = |object: &AbstractObject| object.name(&program);
    proof.objects.iter().for_each(|(object, protection)| println!("{}: {protection:?}", name(object)));
    let open = Asked { objects: &asked.objects - &proof.objects.keys().copied().collect(), ..Asked::default() };
    explain(&program, &open, &budget).into_iter().flatten().for_each(|line| println!("{line}"));
}
