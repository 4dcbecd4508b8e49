//! YAML as a tree whose nodes know where they stand. Aliases, which can make much of little, are refused, and so is what
//! nests deeper than any task does.

use saphyr_parser::{Event, Marker, Parser};
use selvedge_program::{Diagnostic, FileId, Span};

/// How deep lists and mappings may lie in each other.
const DEEPEST: usize = 32;

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it begins.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Text, a number, a truth value, nothing: as it is written.
    Scalar(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping: keys and values in turn.
    Map(Vec<Node>),
}

impl Node {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(text) => Some(text),
            Kind::List(_) | Kind::Map(_) => None,
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Kind::Map(nodes) = &self.kind else { return None };
        nodes.chunks_exact(2).find(|pair| pair[0].text() == Some(key)).map(|pair| &pair[1])
    }

    /// The elements of a list; anything else is its own only element.
    pub fn elements(&self) -> &[Node] {
        match &self.kind {
            Kind::List(nodes) => nodes,
            Kind::Scalar(_) | Kind::Map(_) => std::slice::from_ref(self),
        }
    }
}

/// Reads the first document of a text.
///
/// # Errors
/// When the text is no YAML, or uses what is refused.
pub fn parse(file: FileId, text: &str) -> Result<Node, Diagnostic> {
    let at = |marker: &Marker| Span::on_line(file, marker.line() as u32, marker.col() as u32 + 1, 1);
    let mut open: Vec<Node> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, place) = event.map_err(|error| Diagnostic::error(at(error.marker()), error.info()))?;
        let span = at(&place.start);
        let finished = match event {
            Event::Scalar(text, ..) => Node { span, kind: Kind::Scalar(text.into_owned()) },
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() >= DEEPEST => {
                return Err(Diagnostic::error(span, "this is nested too deeply"));
            }
            Event::SequenceStart(..) => {
                open.push(Node { span, kind: Kind::List(Vec::new()) });
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Node { span, kind: Kind::Map(Vec::new()) });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(node) => node,
                None => continue,
            },
            Event::Alias(_) => return Err(Diagnostic::error(span, "aliases are not supported")),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                continue;
            }
        };
        match open.last_mut().map(|outer| &mut outer.kind) {
            Some(Kind::List(nodes) | Kind::Map(nodes)) => nodes.push(finished),
            Some(Kind::Scalar(_)) => {}
            None => return Ok(finished),
        }
    }
    Err(Diagnostic::error(Span::on_line(file, 1, 1, 1), "there is nothing in it"))
}
