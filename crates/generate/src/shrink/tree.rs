//! The shape of C text that is enough to leave parts of it out: statements, blocks and tokens.

/// A part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A declaration, a statement or a line for the preprocessor.
    Leaf(String),
    /// What stands before a block, what is in it, and what belongs to it after it.
    Block { head: String, body: Vec<Node>, tail: String },
}

/// The parts of a program. Text that is not balanced is taken as it is.
pub(super) fn parse(text: &str) -> Vec<Node> {
    let mut reader = Reader { rest: text };
    let mut nodes = reader.list();
    while !reader.rest.is_empty() {
        // A closing brace too many.
        reader.rest = &reader.rest[1..];
        nodes.push(Node::Leaf("}".to_owned()));
        nodes.extend(reader.list());
    }
    nodes
}

/// The text of parts of a program, a line each.
pub(super) fn text(nodes: &[Node]) -> String {
    let mut text = String::new();
    write(nodes, &mut text);
    text
}

fn write(nodes: &[Node], text: &mut String) {
    for node in nodes {
        match node {
            Node::Leaf(leaf) => {
                text.push_str(leaf);
                text.push('\n');
            }
            Node::Block { head, body, tail } => {
                text.push_str(head);
                text.push_str("{\n");
                write(body, text);
                text.push('}');
                text.push_str(tail);
                text.push('\n');
            }
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    /// The parts up to the end or a closing brace.
    fn list(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with('}') {
                return nodes;
            }
            if self.rest.starts_with('#') {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                nodes.push(Node::Leaf(self.take(end)));
            } else {
                nodes.push(self.part());
            }
        }
    }

    fn part(&mut self) -> Node {
        let end = self.end_of_head();
        let head = self.take(end);
        if !self.rest.starts_with('{') {
            return Node::Leaf(head);
        }
        self.rest = &self.rest[1..];
        let body = self.list();
        self.rest = self.rest.strip_prefix('}').unwrap_or(self.rest);
        let tail = if has_tail(&head) { self.end_of_head() } else { 0 };
        Node::Block { head, body, tail: self.take(tail) }
    }

    /// Up to behind the next semicolon or to the next block; braces after `=` and within parentheses are no blocks.
    fn end_of_head(&self) -> usize {
        let (mut depth, mut last) = (0, ' ');
        let mut at = 0;
        while let Some(c) = self.rest[at..].chars().next() {
            match c {
                '"' | '\'' => at += quoted(&self.rest[at..]) - 1,
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '{' if depth > 0 || last == '=' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '{' | '}' if depth == 0 => return at,
                ';' if depth == 0 => return at + 1,
                _ => {}
            }
            if !c.is_whitespace() {
                last = c;
            }
            at += c.len_utf8();
        }
        at
    }

    fn take(&mut self, length: usize) -> String {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        taken.trim().to_owned()
    }
}

/// How many bytes a literal takes at the start of a text, with its quotes.
fn quoted(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut at = 1;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'\\' => at += 2,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// Whether something belongs to a block up to a semicolon after it.
fn has_tail(head: &str) -> bool {
    let is_type = ["struct", "union", "enum"].iter().any(|word| tokens(head).iter().any(|token| token == word));
    head == "do" || (is_type && !head.ends_with(')'))
}

/// The list of parts with a number, in the order of the text: the program is 0, then every block.
pub(super) fn list(tree: &mut Vec<Node>, number: usize) -> Option<&mut Vec<Node>> {
    fn find<'t>(nodes: &'t mut Vec<Node>, left: &mut usize) -> Option<&'t mut Vec<Node>> {
        if *left == 0 {
            return Some(nodes);
        }
        *left -= 1;
        nodes.iter_mut().find_map(|node| match node {
            Node::Leaf(_) => None,
            Node::Block { body, .. } => find(body, left),
        })
    }
    let mut left = number;
    find(tree, &mut left)
}

/// Replaces the block whose list has a number by its parts.
pub(super) fn unwrap(tree: &mut Vec<Node>, number: usize) {
    fn go(nodes: &mut Vec<Node>, left: &mut usize) -> bool {
        for at in 0..nodes.len() {
            let Node::Block { body, .. } = &mut nodes[at] else { continue };
            *left -= 1;
            if *left == 0 {
                let body = std::mem::take(body);
                nodes.splice(at..=at, body);
                return true;
            }
            if go(body, left) {
                return true;
            }
        }
        false
    }
    let mut left = number;
    if left > 0 {
        go(tree, &mut left);
    }
}

/// The text with a number, in the order of the text: what is not a block, and the head of each block.
pub(super) fn leaf(tree: &mut [Node], number: usize) -> Option<&mut String> {
    fn find<'t>(nodes: &'t mut [Node], left: &mut usize) -> Option<&'t mut String> {
        for node in nodes {
            let (text, body): (_, &mut [Node]) = match node {
                Node::Leaf(text) => (text, &mut []),
                Node::Block { head, body, .. } => (head, body),
            };
            if *left == 0 {
                return Some(text);
            }
            *left -= 1;
            if let Some(found) = find(body, left) {
                return Some(found);
            }
        }
        None
    }
    let mut left = number;
    find(tree, &mut left)
}

/// The tokens of a text, roughly: names and numbers, literals, operators.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let is_operator = |c: char| "+-*/%<>=!&|^".contains(c);
        let length = match first {
            '"' | '\'' => quoted(rest).min(rest.len()),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c if is_operator(c) => rest.find(|c| !is_operator(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token.to_owned());
        rest = after.trim_start();
    }
    tokens
}

/// Where the group in parentheses that begins at a token ends.
pub(super) fn end_of_group(tokens: &[String], start: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (at > start).then_some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_of_a_program() {
        let source = "#include <a.h>\nstruct s { int a; } v = { 1 };\nint f(int x) {\n  for (int i = 0; i < 3; i++) { x++; }\n  \
                      if (x) { x = ';'; } else { f(\"}{\"); }\n  do { x--; } while (x);\n  return x;\n}\n";
        let mut tree = parse(source);
        assert_eq!(tree.len(), 3);
        let Node::Block { head, body, tail } = &tree[1] else { panic!("{tree:?}") };
        assert_eq!((head.as_str(), body.len(), tail.as_str()), ("struct s", 1, "v = { 1 };"));
        assert_eq!(list(&mut tree, 2).map(|body| body.len()), Some(5));
        let again = parse(&text(&tree));
        assert_eq!(again, tree);
        assert_eq!(leaf(&mut tree, 3).map(|text| text.as_str()), Some("int f(int x)"));
        unwrap(&mut tree, 2);
        assert_eq!(tree.len(), 7);
    }

    #[test]
    fn what_is_not_balanced_does_no_harm() {
        for text in ["}", "{", "} int x; {", "f(;", "'", "\"\\", "a { ) } b", "#", ""] {
            let tree = parse(text);
            assert!(self::text(&tree).len() <= 2 * text.len() + 4, "{tree:?}");
        }
    }

    #[test]
    fn tokens_and_groups() {
        let words = tokens("x=(a->b+ (2)) ;");
        assert_eq!(words, ["x", "=", "(", "a", "->", "b", "+", "(", "2", ")", ")", ";"]);
        assert_eq!(
            [end_of_group(&words, 2), end_of_group(&words, 7), end_of_group(&words, 0)],
            [Some(11), Some(10), None]
        );
    }
}
