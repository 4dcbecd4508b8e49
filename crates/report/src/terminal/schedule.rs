//! A schedule as lines of text, each with its source line.

use super::Detail;
use crate::model::{Location, Step};
use crate::style::{columns, fitting, printable};
use crate::{Paint, Style};
use std::fmt::Write;

/// So many steps in a row that no other thread notices are told of in one line.
const FEWEST_FOLDED: usize = 3;

/// A schedule of more lines than this gets a short form first.
const LONGEST: usize = 60;

/// So many steps before a thread gives way to another are kept of it in the short form, and at the very end.
const LAST: usize = 1;

/// The steps as text.
pub fn render(steps: &[Step], detail: Detail, style: &Style) -> String {
    let files = |step: &Step| step.location.as_ref().map(|location| location.file.clone());
    let layout = Layout {
        style,
        is_one_file: steps.windows(2).all(|pair| files(&pair[0]) == files(&pair[1])),
        name_width: steps.iter().map(|step| columns(&name(step))).max().unwrap_or(0),
        place_width: 0,
    };
    let place_width = steps.iter().map(|step| columns(&layout.place(step))).max().unwrap_or(0);
    let layout = Layout { place_width, ..layout };
    let mut text = String::new();
    let mut previous = None;
    let mut position = 0;
    let kept = if detail == Detail::Unfolded { None } else { in_short(steps) };
    while let Some(step) = steps.get(position) {
        if let Some(kept) = &kept {
            let left_out = kept[position..].iter().take_while(|is_kept| !**is_kept).count();
            if left_out > 0 {
                text.push_str(&layout.gap(left_out));
                position += left_out;
                previous = None;
                continue;
            }
            text.push_str(&layout.line(step, previous != Some(step.thread), detail));
            previous = Some(step.thread);
            position += 1;
            continue;
        }
        let is_first = previous != Some(step.thread);
        previous = Some(step.thread);
        let alike = |other: &&Step| other.internal && other.thread == step.thread;
        let folded = steps[position..].iter().take_while(alike).count();
        if detail != Detail::Unfolded && folded >= FEWEST_FOLDED {
            text.push_str(&layout.fold(step, is_first, folded));
            position += folded;
        } else {
            text.push_str(&layout.line(step, is_first, detail));
            position += 1;
        }
    }
    text
}

/// Which steps the short form of a long schedule has; `None` if it is not long. Those that matter, those before another
/// thread moves, and what is about to happen; of too many of these the last, which lead to the violation.
fn in_short(steps: &[Step]) -> Option<Vec<bool>> {
    let is_alike = |pair: &[Step]| pair[0].internal && pair[1].internal && pair[0].thread == pair[1].thread;
    let lines = steps.len() - steps.windows(2).filter(|pair| is_alike(pair)).count();
    if lines <= LONGEST {
        return None;
    }
    let gives_way = |position: usize| {
        let next = steps[position..].iter().take(LAST + 1).position(|next| next.thread != steps[position].thread);
        next.is_some() || position + LAST >= steps.len()
    };
    let matters = |position: usize| steps[position].matters || steps[position].pending;
    let all: Vec<usize> = (0..steps.len()).filter(|position| matters(*position) || gives_way(*position)).collect();
    let needed: Vec<usize> = (0..steps.len()).filter(|position| matters(*position)).collect();
    let chosen = if all.len() <= LONGEST { all } else { needed };
    let last = chosen.len().saturating_sub(LONGEST);
    let mut kept = vec![false; steps.len()];
    chosen[last..].iter().for_each(|position| kept[*position] = true);
    Some(kept)
}

fn name(step: &Step) -> String {
    format!("thread {}", step.thread)
}

struct Layout<'a> {
    style: &'a Style,
    is_one_file: bool,
    name_width: usize,
    place_width: usize,
}

impl Layout<'_> {
    fn place(&self, step: &Step) -> String {
        let Some(Location { file, line, .. }) = &step.location else { return String::new() };
        let file = file.rsplit('/').next().unwrap_or(file);
        if self.is_one_file { format!("line {line}") } else { format!("{file}:{line}") }
    }

    /// Columns before the code.
    fn lead(&self) -> usize {
        6 + self.name_width + self.place_width
    }

    fn start(&self, step: &Step, is_first: bool, place: &str) -> String {
        let shown = if is_first { name(step) } else { String::new() };
        let shown = self.style.paint(Paint::Strong, &format!("{shown:width$}", width = self.name_width));
        let at = self.style.paint(Paint::Frame, &format!("{place:width$}", width = self.place_width));
        format!("  {shown}  {at}  ")
    }

    fn fold(&self, step: &Step, is_first: bool, folded: usize) -> String {
        let words = format!("{folded} lines that no other thread notices (-v shows them)");
        let words = self.style.wrap(&words, self.lead(), self.lead());
        format!("{}{}\n", self.start(step, is_first, "…"), self.style.paint(Paint::Frame, &words))
    }

    fn gap(&self, left_out: usize) -> String {
        let steps = if left_out == 1 { "step" } else { "steps" };
        let words = format!("… {left_out} {steps} left out (-v shows all)");
        format!("  {}\n", self.style.paint(Paint::Frame, &words))
    }

    fn line(&self, step: &Step, is_first: bool, detail: Detail) -> String {
        let mut text = self.start(step, is_first, &self.place(step));
        let lead = self.lead();
        let code = clip(&printable(&step.statement), self.style.width.saturating_sub(lead));
        text.push_str(&code);
        if !step.changes.is_empty() {
            let is_short = detail != Detail::Unfolded && !step.in_short.is_empty();
            let changes = if is_short { &step.in_short } else { &step.changes };
            let changes = printable(&changes.join(", "));
            let used = lead + columns(&code);
            if used + 2 + columns(&changes) <= self.style.width {
                let _ = write!(text, "  {}", self.style.paint(Paint::Note, &changes));
            } else {
                let indent = (lead + 2).min(self.style.width / 2);
                let changes = self.style.wrap(&changes, indent, indent);
                let _ = write!(text, "\n{:indent$}{}", "", self.style.paint(Paint::Note, &changes));
            }
        }
        text.push('\n');
        text
    }
}

fn clip(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    format!("{}…", fitting(text, width.saturating_sub(1)))
}
