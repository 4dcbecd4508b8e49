//! Abstract threads as a picture (SVG): one self-contained file, for light and dark screens alike.
//!
//! States are boxes in layers, by their distance from the initial states; within a layer they are ordered by the mean
//! place of those that lead to them (the barycentre of Sugiyama's method), so that few edges cross. Edges that go down
//! one layer or to the right neighbour are straight, others go round on the side. Idle steps are not drawn, as they are not written.

use std::fmt::Write;

use selvedge_program::Program;

use crate::spec::{Edge, Instances, Specification, StateId, Thread};

const CHARACTER: f64 = 7.3;
const LINE: f64 = 17.0;
const PADDING: f64 = 10.0;
/// Between layers, beside what labels take.
const LAYER_GAP: f64 = 46.0;
const BOX_GAP: f64 = 40.0;
const MARGIN: f64 = 24.0;
/// Longer labels are broken.
const WIDEST: usize = 44;

struct Placed {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    lines: Vec<String>,
}

impl Placed {
    fn middle(&self) -> f64 {
        self.x + self.width / 2.0
    }
}

/// The picture of all abstract threads, one beside the other.
pub fn svg(program: &Program, spec: &Specification) -> String {
    let mut body = String::new();
    let (mut left, mut lowest) = (MARGIN, 0.0_f64);
    for thread in &spec.threads {
        let (drawn, width, height) = drawn(program, spec, thread, left);
        body.push_str(&drawn);
        left += width + 2.0 * MARGIN;
        lowest = lowest.max(height);
    }
    let (width, height) = (left.ceil(), (lowest + MARGIN).ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>Abstract threads</title>\n{STYLE}{body}</svg>\n"
    )
}

const STYLE: &str = "<style>
  :root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #ffffff; --box: #eef3fa; --start: #2a6fb5; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e6e9ee; --soft: #9aa5b4; --paper: #14181e; --box: #222a35; --start: #7db4ec; }
  }
  svg { background: var(--paper); font: 12px ui-monospace, Menlo, Consolas, monospace; }
  text { fill: var(--ink); } .label, .assertion { fill: var(--soft); }
  .label { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; } .name, .thread { font-weight: bold; }
  .thread { font-size: 15px; } rect { fill: var(--box); stroke: var(--soft); } rect.initial { stroke: var(--start); stroke-width: 2.5; }
  path { fill: none; stroke: var(--soft); } marker path { fill: var(--soft); stroke: none; }
</style>
<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">\
<path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>
";

/// One thread, from a left border on; its width and its lowest point.
fn drawn(program: &Program, spec: &Specification, thread: &Thread, left: f64) -> (String, f64, f64) {
    let layers = layers(thread);
    let labels: Vec<Vec<String>> = thread.edges.iter().map(|edge| label(program, spec, edge)).collect();
    let boxes = placed(program, thread, &layers, &labels, left);
    let right = boxes.iter().fold(left, |right, placed| right.max(placed.x + placed.width));
    let mut low = boxes.iter().fold(0.0_f64, |low, placed| low.max(placed.y + placed.height));
    let mut text = String::new();
    let many = match thread.instances {
        Instances::Any => " (any number)".to_owned(),
        Instances::Exactly(1) => String::new(),
        Instances::Exactly(number) => format!(" ({number})"),
    };
    let title = format!("{}{many}", thread.name);
    let _ =
        writeln!(text, "<text class=\"thread\" x=\"{left:.1}\" y=\"{:.1}\">{}</text>", MARGIN + 6.0, escaped(&title));
    let mut rightmost = right.max(left + title.len() as f64 * 9.5);
    let depth = depths(thread, &layers);
    let mut lane = right + 14.0;
    for (edge, lines) in thread.edges.iter().zip(&labels) {
        let (from, to) = (&boxes[edge.source.index()], &boxes[edge.target.index()]);
        let (source, target) = (depth[edge.source.index()], depth[edge.target.index()]);
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default() as f64 * CHARACTER;
        if target == source + 1 {
            let siblings =
                thread.edges.iter().filter(|other| other.source == edge.source && other.target == edge.target);
            let nth = siblings.take_while(|other| !std::ptr::eq(*other, edge)).count() as f64;
            let (x1, y1, x2, y2) = (from.middle() + nth * 12.0, from.y + from.height, to.middle() + nth * 12.0, to.y);
            let _ = writeln!(text, "<path d=\"M{x1:.1},{y1:.1} L{x2:.1},{y2:.1}\" marker-end=\"url(#arrow)\"/>");
            // Labels of one state's edges stand at different heights.
            let order = thread.leaving(edge.source).take_while(|other| !std::ptr::eq(*other, edge)).count() as f64;
            let all = thread.leaving(edge.source).count() as f64;
            let share = (order + 1.0) / (all + 1.0);
            let (x, y) = (x1 + (x2 - x1) * share + 6.0, y1 + (y2 - y1) * share);
            rightmost = rightmost.max(x + widest);
            write_lines(&mut text, lines, "label", x, y - (lines.len() as f64 - 1.0) * LINE / 2.0);
        } else if target == source && is_next_to(&layers[source], edge) {
            let (x1, x2, y) = (from.x + from.width, to.x, from.y + from.height.min(to.height) / 2.0);
            let _ = writeln!(text, "<path d=\"M{x1:.1},{y:.1} L{x2:.1},{y:.1}\" marker-end=\"url(#arrow)\"/>");
            rightmost = rightmost.max(x1 + widest);
            write_lines(&mut text, lines, "label", x1 + 2.0, from.y - 6.0 - (lines.len() as f64 - 1.0) * LINE);
        } else {
            let (y1, y2) = (from.y + from.height * 0.6, to.y + to.height * 0.35);
            let (x1, x2) = (from.x + from.width, to.x + to.width);
            let _ = writeln!(
                text,
                "<path d=\"M{x1:.1},{y1:.1} C{lane:.1},{y1:.1} {lane:.1},{y1:.1} {lane:.1},{:.1} S{lane:.1},{y2:.1} \
                 {x2:.1},{y2:.1}\" marker-end=\"url(#arrow)\"/>",
                (y1 + y2) / 2.0
            );
            write_lines(&mut text, lines, "label", lane + 6.0, (y1 + y2) / 2.0);
            rightmost = rightmost.max(lane + 6.0 + widest);
            lane += widest + 26.0;
        }
    }
    for ((placed, state), position) in boxes.iter().zip(&thread.states).zip(0..) {
        let class = if thread.initial.contains(&StateId::new(position)) { " class=\"initial\"" } else { "" };
        let Placed { x, y, width, height, lines } = placed;
        let _ = writeln!(
            text,
            "<rect{class} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"7\"/>"
        );
        let (x, y) = (x + PADDING, y + PADDING + 9.0);
        write_lines(&mut text, std::slice::from_ref(&state.name), "name", x, y);
        write_lines(&mut text, &lines[1..], "assertion", x, y + LINE);
    }
    low = low.max(MARGIN * 2.0);
    (text, rightmost - left, low)
}

/// Whether an edge goes to the right neighbour in its layer.
fn is_next_to(layer: &[StateId], edge: &Edge) -> bool {
    layer.windows(2).any(|pair| pair == [edge.source, edge.target])
}

fn write_lines(text: &mut String, lines: &[String], class: &str, x: f64, y: f64) {
    for (line, number) in lines.iter().zip(0_u32..) {
        let y = y + f64::from(number) * LINE;
        let _ = writeln!(text, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(line));
    }
}

/// The states by their distance from the initial ones, each layer in the order in which it is drawn.
fn layers(thread: &Thread) -> Vec<Vec<StateId>> {
    let mut layers: Vec<Vec<StateId>> = Vec::new();
    let mut seen = vec![false; thread.states.len()];
    let mut layer = thread.initial.clone();
    while !layer.is_empty() {
        let mut unique: Vec<StateId> = Vec::new();
        for state in layer {
            if !std::mem::replace(&mut seen[state.index()], true) {
                unique.push(state);
            }
        }
        let next = unique.iter().flat_map(|state| thread.leaving(*state).map(|edge| edge.target)).collect();
        if !unique.is_empty() {
            layers.push(unique);
        }
        layer = next;
    }
    for at in 1..layers.len() {
        let above = layers[at - 1].clone();
        let mean = |state: &StateId| {
            let places =
                above.iter().zip(0_u32..).filter(|(from, _)| thread.leaving(**from).any(|edge| edge.target == *state));
            let places: Vec<f64> = places.map(|(_, place)| f64::from(place)).collect();
            if places.is_empty() { f64::MAX } else { places.iter().sum::<f64>() / places.len() as f64 }
        };
        layers[at].sort_by(|one, other| mean(one).total_cmp(&mean(other)));
    }
    layers
}

/// The layer of every state.
fn depths(thread: &Thread, layers: &[Vec<StateId>]) -> Vec<usize> {
    let mut depths = vec![0; thread.states.len()];
    for (layer, depth) in layers.iter().zip(0..) {
        for state in layer {
            depths[state.index()] = depth;
        }
    }
    depths
}

fn placed(
    program: &Program,
    thread: &Thread,
    layers: &[Vec<StateId>],
    labels: &[Vec<String>],
    left: f64,
) -> Vec<Placed> {
    let mut boxes: Vec<Placed> = thread
        .states
        .iter()
        .map(|state| {
            let mut lines = vec![state.name.clone()];
            let assertion = state.assertion.text(program);
            if assertion != "true" {
                lines.extend(broken(&assertion));
            }
            let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
            let (width, height) = (widest as f64 * CHARACTER + 2.0 * PADDING, lines.len() as f64 * LINE + PADDING);
            Placed { x: 0.0, y: 0.0, width, height, lines }
        })
        .collect();
    let breadth = |layer: &Vec<StateId>| {
        let widths: f64 = layer.iter().map(|state| boxes[state.index()].width).sum();
        widths + BOX_GAP * (layer.len().saturating_sub(1)) as f64
    };
    let widest = layers.iter().map(breadth).fold(0.0_f64, f64::max);
    let breadths: Vec<f64> = layers.iter().map(breadth).collect();
    let mut y = MARGIN + 28.0;
    for (layer, breadth) in layers.iter().zip(breadths) {
        let mut x = left + (widest - breadth) / 2.0;
        let mut tallest = 0.0_f64;
        for state in layer {
            let placed = &mut boxes[state.index()];
            (placed.x, placed.y) = (x, y);
            x += placed.width + BOX_GAP;
            tallest = tallest.max(placed.height);
        }
        let of_layer = |edge: &Edge| layer.contains(&edge.source);
        let most = layer
            .iter()
            .map(|state| {
                let lines = thread.edges.iter().zip(labels).filter(|(edge, _)| of_layer(edge) && edge.source == *state);
                lines.map(|(_, lines)| lines.len()).sum::<usize>()
            })
            .max();
        y += tallest + LAYER_GAP + most.unwrap_or_default() as f64 * LINE;
    }
    boxes
}

/// What stands at an edge.
fn label(program: &Program, spec: &Specification, edge: &Edge) -> Vec<String> {
    if let Some(life) = edge.life {
        return vec![spec.life_text(life)];
    }
    let relation = edge.relation.text(program);
    let mut lines = if relation == "true" { Vec::new() } else { broken(&relation) };
    let is_primed = |position: &&usize| {
        edge.relation.mentions((spec.shared[**position].variable, selvedge_symbolic::Moment::After))
    };
    let free: Vec<&str> = edge
        .changes
        .iter()
        .filter(|position| !is_primed(position))
        .map(|position| spec.shared[*position].name.as_str())
        .collect();
    if !free.is_empty() {
        lines.push(format!("any {}", free.join(", ")));
    }
    lines
}

/// A condition in lines that are not too long, broken before `&&` and `||`.
fn broken(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let is_operator = ["&&", "||"].contains(&word);
        match lines.last_mut() {
            Some(line) if !(is_operator && line.chars().count() > WIDEST / 2) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
