//! What one call of the library writes byte by byte or word by word, told at once: `conf[0..800] = 0` for what `memset`
//! does, and the text that `strcpy` copies.

use crate::words::{Said, Written};
use selvedge_program::Bits;

/// So many writes in a row by a call of the library are told at once.
const FEWEST: usize = 4;

/// The same of the program's own, such as the members of a struct that it initialises.
const FEWEST_OF_PROGRAM: usize = 16;

/// So many things that a thread does on one line are told of, the first and the last.
const MOST: usize = 12;

/// What was done, in short; `None` where that is no shorter.
pub fn in_short(said: &[Said]) -> Option<Vec<String>> {
    let mut short = Vec::new();
    let mut position = 0;
    while let Some(one) = said.get(position) {
        let run = run(&said[position..]);
        let fewest = if run.iter().all(|written| written.is_by_library) { FEWEST } else { FEWEST_OF_PROGRAM };
        let told = told(&run).filter(|_| run.len() >= fewest);
        if let Some(told) = told {
            short.push(told);
            position += run.len();
        } else {
            short.push(one.text());
            position += 1;
        }
    }
    if let Some(left_out) = short.len().checked_sub(MOST).filter(|left_out| *left_out > 0) {
        let at = MOST / 2;
        short.splice(at..at + left_out, [format!("… {left_out} more (-v shows them)")]);
    }
    (short.len() < said.len()).then_some(short)
}

/// The writes at the start that go on where the one before ended.
fn run(said: &[Said]) -> Vec<&Written> {
    let mut run: Vec<&Written> = Vec::new();
    for written in said.iter().map_while(|said| said.written.as_ref()) {
        let follows =
            run.last().is_none_or(|last| last.object == written.object && last.offset + last.size == written.offset);
        if !follows {
            break;
        }
        run.push(written);
    }
    run
}

/// `conf[0..800] = 0`, where the numbers count bytes; a few numbers that have nothing in common are worth being shown.
fn told(run: &[&Written]) -> Option<String> {
    let (first, last) = (run.first()?, run.last()?);
    let name = first.name.strip_suffix("[0]").unwrap_or(&first.name);
    let stretch = format!("{name}[{}..{}]", first.offset, last.offset + last.size);
    let number = |written: &&Written| written.value.map(Bits::unsigned);
    let numbers: Option<Vec<u128>> = run.iter().map(number).collect();
    Some(match numbers {
        Some(numbers) if numbers.iter().all(|number| *number == numbers[0] && (*number == 0 || first.size == 1)) => {
            format!("{stretch} = {}", numbers[0])
        }
        Some(numbers) if run.iter().all(|written| written.size == 1) && is_text(&numbers) => {
            let text: String = numbers.iter().filter_map(|byte| u8::try_from(*byte).ok()).map(char::from).collect();
            format!("{stretch} = \"{}\"", text.trim_end_matches('\0'))
        }
        _ if run.len() < FEWEST_OF_PROGRAM => return None,
        _ => format!("writes {stretch}"),
    })
}

/// Whether these are characters that can be shown, perhaps with a zero at the end.
fn is_text(bytes: &[u128]) -> bool {
    let shown = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    !shown.is_empty() && shown.iter().all(|byte| (0x20..0x7f).contains(byte) && *byte != u128::from(b'"'))
}
