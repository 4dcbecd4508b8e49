//! Property files and task definitions on the command line, the answer to them, and witnesses.

use super::{Refused, show};
use crate::arguments::{DataModelChoice, Input, Screen};
use selvedge::svcomp::{Answer, Expected, Goal, Specification, Task, Unusable};
use selvedge_program::{DataModel, Program};
use selvedge_report::witness::{self, Provenance, graphml, yaml};
use selvedge_report::{SourceCache, model};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Puts the files of a task definition in its place, and reads the property file. Gives what the task expects of it.
pub fn resolve(input: &mut Input, takes_its_property: bool, screen: Screen) -> Result<Option<Expected>, Refused> {
    let refuse = |unusable: Unusable| {
        show(&unusable.diagnostics, &unusable.sources, screen);
        Refused { diagnostics: unusable.diagnostics, sources: unusable.sources }
    };
    let mut task = None;
    if let Some(position) = input.files.iter().position(|file| Task::is_one(file)) {
        let file = input.files[position].clone();
        let read = Task::load(&file).map_err(refuse)?;
        input.files.splice(position..=position, read.files.clone());
        take_data_model(input, &file, read.data_model)?;
        if takes_its_property && input.spec.is_none() {
            input.spec = only_property(&file, &read)?;
        }
        task = Some(read);
    }
    let Some(spec) = &input.spec else { return Ok(None) };
    input.specification = Some(Specification::load(spec).map_err(refuse)?);
    Ok(task.and_then(|task| task.property(spec)?.expected.clone()))
}

/// A task has a data model of its own, which the command line may repeat.
fn take_data_model(input: &mut Input, file: &Path, model: Option<DataModel>) -> Result<(), Refused> {
    let Some(model) = model else { return Ok(()) };
    let choice = match model {
        DataModel::Ilp32 => DataModelChoice::Ilp32,
        DataModel::Lp64 => DataModelChoice::Lp64,
    };
    let given = if input.m32 { Some(DataModelChoice::Ilp32) } else { input.data_model };
    if given.is_some_and(|given| given != choice) {
        return Err(Refused::usage(&format!("{}: the task has another data model", file.display())));
    }
    input.data_model = Some(choice);
    Ok(())
}

/// The property of a task, if it has but one.
fn only_property(file: &Path, task: &Task) -> Result<Option<PathBuf>, Refused> {
    match &task.properties[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.file.clone())),
        several => {
            let names: Vec<String> = several.iter().map(|one| one.file.display().to_string()).collect();
            let message = format!("{}: say with --spec which is asked: {}", file.display(), names.join(", "));
            Err(Refused::usage(&message))
        }
    }
}

/// The answer, for the report.
pub fn told(answer: &Answer, expected: Option<&Expected>) -> model::Specification {
    model::Specification {
        result: answer.to_string(),
        reasons: answer.reasons().into_iter().map(str::to_owned).collect(),
        expected: expected.map(ToString::to_string),
    }
}

/// The text of a witness of what is violated, in the form that the name of its file asks for; none where nothing is.
///
/// # Errors
/// When a file of the program cannot be read once more.
pub fn witness(
    input: &Input,
    path: &Path,
    program: &Program,
    answer: &Answer,
    cache: &mut SourceCache,
) -> Result<Option<String>, String> {
    let (Some((goal, found)), Some(specification)) = (answer.violation(), &input.specification) else {
        let why = match answer.holds() {
            // What our certificates stand on (sets of states, refutations, what holds at places within expressions) is
            // no invariant between statements in the words of C.
            true => "a witness is written of violations only; --certificate writes what a proof stands on",
            false => "there is no violation to witness",
        };
        crate::output::complain(&format!("selvedge: {why}\n"));
        return Ok(None);
    };
    let calls = match goal {
        Goal::UnreachCall(function) => Some(function.as_str()),
        _ => None,
    };
    let passed = witness::path(program, found.trace(), found.replay(), calls, cache);
    let passed = passed.ok_or("the schedule passes no place of the program")?;
    let files = input.files.iter().map(|file| hashed(file)).collect::<Result<Vec<_>, String>>()?;
    let mut provenance = Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created: created(),
        uuid: String::new(),
        command_line: command_line(),
        files,
        specification: specification.lines.clone(),
        data_model: program.data_model,
    };
    provenance.uuid = uuid(&yaml::violation(&passed, &provenance));
    Ok(Some(match path.extension().is_some_and(|ending| ending == "graphml") {
        true => graphml::violation(&passed, &provenance),
        false => yaml::violation(&passed, &provenance),
    }))
}

fn hashed(file: &Path) -> Result<(String, String), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok((file.to_string_lossy().into_owned(), hexadecimal(&Sha256::digest(bytes))))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Now, in ISO 8601; `SOURCE_DATE_EPOCH` is for those who want the same witness again.
fn created() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let fixed = fixed.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let now = fixed.unwrap_or_else(jiff::Timestamp::now);
    now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// An identifier of version 8, made of all that a witness says.
fn uuid(text: &str) -> String {
    let mut bytes = Sha256::digest(text.as_bytes());
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hexadecimal(&bytes[..16]);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// The command, as a shell would be given it.
fn command_line() -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./+,:@%".contains(c);
    let word = |word: String| match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    let words: Vec<String> = std::env::args().skip(1).map(word).collect();
    format!("selvedge {}", words.join(" "))
}
