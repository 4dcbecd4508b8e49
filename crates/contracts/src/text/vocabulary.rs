//! The program that declares nothing but the shared variables of a specification, for specifications that are read
//! without a C program: globals of the declared types, structs and arrays as the names of variables have them.

use std::collections::BTreeMap;

use selvedge_program::{DataModel, Display, Member, Object, ObjectKind, Program, Shape, Sources, Span};

use super::kinds::Kind;
use super::tree::{Declared, Piece, Tree};

/// Elements beyond this are not declared: the array would be as large.
const LARGEST_INDEX: u64 = 1 << 16;

/// What is known of an object from the names that are used of it.
#[derive(Clone, Debug)]
enum Node {
    Leaf(Kind),
    Record(Vec<(String, Node)>),
    Array(BTreeMap<u64, Node>),
}

/// A step of a path: `.member`, `[index]`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    Element(u64),
}

/// The declared variables as a program. What cannot be declared is left out: whoever reads the specification over the
/// program says what is wrong with it.
pub fn declared(tree: &Tree, sources: Sources) -> Program {
    let mut program = Program { sources, data_model: DataModel::Lp64, ..Program::empty() };
    let mut roots: Vec<(String, Node, Span, String)> = Vec::new();
    for Declared { kind, place, .. } in &tree.declared {
        let words = kind.as_ref().map_or("int", |kind| kind.text.as_str());
        let Some(kind) = Kind::of_words(words, program.data_model) else { continue };
        let Some((name, steps)) = path(place) else { continue };
        match roots.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, node, ..)) => join(node, &made(&steps, kind)),
            None => roots.push((name, made(&steps, kind), place.span, words.to_owned())),
        }
    }
    for (name, node, span, type_name) in roots {
        let (shape, size) = laid_out(&node);
        program.objects.push(Object {
            name,
            kind: ObjectKind::Global,
            size,
            align: 8,
            initial: Vec::new(),
            initial_ghosts: Vec::new(),
            shape,
            type_name,
            span,
        });
    }
    program
}

/// The variable and the part of it that a piece names.
fn path(place: &Piece) -> Option<(String, Vec<Step>)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let text: String = place.text.chars().filter(|c| !c.is_whitespace()).collect();
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(|c| !is_word(c)).unwrap_or(after.len());
            if end == 0 {
                return None;
            }
            steps.push(Step::Member(after[..end].to_owned()));
            rest = &after[end..];
        } else {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            steps.push(Step::Element(index.parse().ok().filter(|index| *index < LARGEST_INDEX)?));
            rest = after;
        }
    }
    (steps.len() < 50).then(|| (name.to_owned(), steps))
}

fn made(steps: &[Step], kind: Kind) -> Node {
    match steps.split_first() {
        None => Node::Leaf(kind),
        Some((Step::Member(name), rest)) => Node::Record(vec![(name.clone(), made(rest, kind))]),
        Some((Step::Element(index), rest)) => Node::Array(BTreeMap::from([(*index, made(rest, kind))])),
    }
}

/// Adds what another node says of the same. Of two declarations that do not go together, the first counts.
fn join(node: &mut Node, other: &Node) {
    match (node, other) {
        (Node::Record(members), Node::Record(others)) => {
            for (name, other) in others {
                match members.iter_mut().find(|(known, _)| known == name) {
                    Some((_, member)) => join(member, other),
                    None => members.push((name.clone(), other.clone())),
                }
            }
        }
        (Node::Array(elements), Node::Array(others)) => {
            for (index, other) in others {
                match elements.get_mut(index) {
                    Some(element) => join(element, other),
                    None => {
                        elements.insert(*index, other.clone());
                    }
                }
            }
        }
        (Node::Leaf(_) | Node::Record(_) | Node::Array(_), _) => {}
    }
}

/// The shape of a node and its size in bytes, a multiple of 8.
fn laid_out(node: &Node) -> (Shape, u64) {
    match node {
        Node::Leaf(kind) => (kind.shape(), kind.size()),
        Node::Record(members) => {
            let mut offset = 0;
            let placed = members.iter().map(|(name, node)| {
                let (shape, size) = laid_out(node);
                let member = Member { name: name.clone(), offset, shape, bits: None };
                offset += size.next_multiple_of(8);
                member
            });
            let shape = Shape::Record(placed.collect());
            (shape, offset)
        }
        Node::Array(elements) => {
            let length = elements.keys().next_back().map_or(0, |last| last + 1);
            // Elements have one shape: the members that any of them is said to have.
            let mut merged: Option<Node> = None;
            for element in elements.values() {
                match &mut merged {
                    None => merged = Some(element.clone()),
                    Some(whole) => join(whole, element),
                }
            }
            let (shape, size) = merged.as_ref().map_or((byte(), 1), laid_out);
            let stride = size.next_multiple_of(8);
            (Shape::Array { element: Box::new(shape), stride, length }, stride * length)
        }
    }
}

fn byte() -> Shape {
    Shape::Scalar { size: 1, display: Display::Unsigned }
}
