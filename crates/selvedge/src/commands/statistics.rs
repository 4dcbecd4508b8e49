//! What the engines took, for people and for programs.

use selvedge::{Checked, Statistics};
use selvedge_evidence::Figure;
use selvedge_report::model;

/// One line per engine, `explicit: 12 states, 30 transitions, …`, and below it figures that have lines of their own.
pub fn text(checked: &Checked) -> String {
    checked.statistics.iter().map(|engine| format!("{}: {}\n", engine.engine, words(engine))).collect()
}

fn words(engine: &Statistics) -> String {
    let figure = |(name, figure): &(&str, Figure)| match figure {
        Figure::Count(count) => format!("{count} {name}"),
        Figure::Level(level) => format!("{name} {level}"),
        Figure::Ratio(ratio) => format!("{ratio:.2} {name}"),
        Figure::Bytes(bytes) => format!("{:.1} MiB", *bytes as f64 / f64::from(1 << 20)),
        Figure::Time(time) => format!("{:.3} s", time.as_secs_f64()),
        Figure::Words(words) => format!("{name} {words}"),
    };
    let has_lines = |(_, figure): &&(&str, Figure)| matches!(figure, Figure::Words(words) if words.contains('\n'));
    let words: Vec<String> = engine.figures.iter().filter(|figure| !has_lines(figure)).map(figure).collect();
    let mut words = if words.is_empty() { "nothing to count".to_owned() } else { words.join(", ") };
    for (name, text) in engine.figures.iter().filter(has_lines) {
        if let Figure::Words(text) = text {
            words.push_str(&format!("\n{name}:\n{}", text.trim_end()));
        }
    }
    words
}

/// The figures, for the report.
pub fn of(checked: &Checked) -> model::Statistics {
    model::Statistics::of(checked.statistics.iter().map(|engine| (engine.engine, &engine.figures[..])))
}
