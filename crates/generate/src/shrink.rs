//! The smallest program that still fails: what a test that found something wrong shows.
//!
//! Delta debugging over the shape of C: declarations, functions, statements and blocks are left out in runs, blocks
//! are replaced by what is in them, and last tokens of what remains are left out or become numbers, for as long as
//! something gets smaller. Nothing is known of types: what does not compile is not a program that fails, which the
//! test must say.
//!
//! ```
//! let text = "int x;\nvoid f(void) { x = 1; }\nint main(void) { if (x) { f(); } x = (x + 2) / 0; return 0; }\n";
//! let fails = |text: &str| text.contains("main") && text.contains("/ 0");
//! let smallest = selvedge_generate::shrink::smallest(text, 1000, fails);
//! assert_eq!(smallest, "main{\n/ 0\n}\n");
//! ```

mod tree;

use std::panic::{AssertUnwindSafe, catch_unwind};

use tree::{Node, parse, tokens};

/// The smallest program that was found, within so many attempts, for which `fails` says yes, as it does for `text`.
pub fn smallest(text: &str, attempts: usize, fails: impl FnMut(&str) -> bool) -> String {
    let mut shrinker = Shrinker { tree: parse(text), left: attempts, fails };
    if !shrinker.still_fails(&shrinker.tree.clone()) {
        return text.to_owned();
    }
    loop {
        let before = shrinker.left;
        let is_smaller = shrinker.drop_parts() | shrinker.unwrap_blocks() | shrinker.shorten_texts();
        if !is_smaller || shrinker.left == 0 || shrinker.left == before {
            return tree::text(&shrinker.tree);
        }
    }
}

struct Shrinker<F> {
    /// The smallest so far.
    tree: Vec<Node>,
    /// How many attempts are left.
    left: usize,
    fails: F,
}

impl<F: FnMut(&str) -> bool> Shrinker<F> {
    fn still_fails(&mut self, tree: &[Node]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let text = tree::text(tree);
        // A panic is another failure than the one that is looked for, and must not hide it.
        catch_unwind(AssertUnwindSafe(|| (self.fails)(&text))).unwrap_or(false)
    }

    /// Keeps a tree if it still fails.
    fn keep(&mut self, tree: Vec<Node>) -> bool {
        let keeps = self.still_fails(&tree);
        if keeps {
            self.tree = tree;
        }
        keeps
    }

    /// Leaves out runs of parts of the program and of every block: long runs first, then shorter ones.
    fn drop_parts(&mut self) -> bool {
        let mut is_smaller = false;
        let mut list = 0;
        while let Some(length) = tree::list(&mut self.tree, list).map(|parts| parts.len()) {
            let without = |tree: &mut Vec<Node>, start, end| {
                let Some(parts) = tree::list(tree, list) else { return };
                parts.drain(start..end);
            };
            is_smaller |= self.drop_runs(length, without);
            list += 1;
        }
        is_smaller
    }

    /// Leaves out runs of a list of so many things, by `without`.
    fn drop_runs(&mut self, mut length: usize, without: impl Fn(&mut Vec<Node>, usize, usize)) -> bool {
        let mut is_smaller = false;
        let mut run = length;
        while run > 0 {
            let mut start = 0;
            while start + run <= length {
                let mut tree = self.tree.clone();
                without(&mut tree, start, start + run);
                if self.keep(tree) {
                    is_smaller = true;
                    length -= run;
                } else {
                    // Two things that belong together, as a condition and its `else`, may begin anywhere.
                    start += if run == 2 { 1 } else { run };
                }
            }
            run = if run > 3 { run / 2 } else { run - 1 };
        }
        is_smaller
    }

    /// Replaces blocks by what is in them.
    fn unwrap_blocks(&mut self) -> bool {
        let mut is_smaller = false;
        // The list 0 is the program itself, which no block is around.
        let mut list = 1;
        while tree::list(&mut self.tree, list).is_some() {
            let mut tree = self.tree.clone();
            tree::unwrap(&mut tree, list);
            if self.keep(tree) {
                is_smaller = true;
            } else {
                list += 1;
            }
        }
        is_smaller
    }

    /// Leaves out tokens of statements, declarations and heads of blocks, and makes numbers of what is in parentheses.
    fn shorten_texts(&mut self) -> bool {
        let mut is_smaller = false;
        let mut position = 0;
        while let Some(text) = tree::leaf(&mut self.tree, position).map(|text| text.clone()) {
            is_smaller |= self.groups_to_numbers(position, &text);
            let length = tree::leaf(&mut self.tree, position).map_or(0, |text| tokens(text).len());
            let without = |tree: &mut Vec<Node>, start, end| {
                let Some(text) = tree::leaf(tree, position) else { return };
                let mut words = tokens(text);
                words.drain(start..end);
                *text = words.join(" ");
            };
            is_smaller |= self.drop_runs(length, without);
            position += 1;
        }
        is_smaller
    }

    /// Makes `0` or `1` of groups in parentheses, the outermost first.
    fn groups_to_numbers(&mut self, position: usize, text: &str) -> bool {
        let mut words = tokens(text);
        let mut is_smaller = false;
        let mut start = 0;
        while start < words.len() {
            let end = tree::end_of_group(&words, start);
            for number in ["0", "1"] {
                let Some(end) = end.filter(|end| end - start > 1) else { continue };
                let mut shorter = words.clone();
                shorter.splice(start..end, [number.to_owned()]);
                let mut tree = self.tree.clone();
                if let Some(text) = tree::leaf(&mut tree, position) {
                    *text = shorter.join(" ");
                }
                if self.keep(tree) {
                    is_smaller = true;
                    words = shorter;
                    break;
                }
            }
            start += 1;
        }
        is_smaller
    }
}
