//! `#pragma pack`: the one pragma that changes what a declaration means.

/// The stack of packings that the pragmas read so far have made.
#[derive(Clone, Debug, Default)]
pub struct PackState {
    current: u32,
    saved: Vec<(Vec<u8>, u32)>,
}

impl PackState {
    /// Reads a directive (after the `#`). If it is a well-formed `pragma pack`, the packing from here on; 0 is the
    /// natural one. Like a compiler, ignores what is not well-formed.
    pub fn read(&mut self, directive: &[u8]) -> Option<u32> {
        let text = directive.trim_ascii_start().strip_prefix(b"pragma")?.trim_ascii_start();
        let text = text.strip_prefix(b"pack")?.trim_ascii().strip_prefix(b"(")?;
        let close = text.iter().position(|&byte| byte == b')')?;
        let arguments: Vec<&[u8]> = text[..close].split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
        match arguments.as_slice() {
            [b""] => self.current = 0,
            [b"push", rest @ ..] => {
                let (name, alignment) = name_and_number(rest)?;
                self.saved.push((name, self.current));
                self.current = alignment.unwrap_or(self.current);
            }
            [b"pop", rest @ ..] => {
                let (name, alignment) = name_and_number(rest)?;
                self.pop(&name);
                self.current = alignment.unwrap_or(self.current);
            }
            [argument] => self.current = number(argument)?,
            _ => return None,
        }
        Some(self.current)
    }

    /// Takes the top of the stack, or everything down to the entry of that name.
    fn pop(&mut self, name: &[u8]) {
        let position = if name.is_empty() {
            self.saved.len().checked_sub(1)
        } else {
            self.saved.iter().rposition(|(saved, _)| saved == name)
        };
        if let Some(position) = position {
            self.current = self.saved[position].1;
            self.saved.truncate(position);
        }
    }
}

/// `[name] [, number]` of a push or pop.
fn name_and_number(arguments: &[&[u8]]) -> Option<(Vec<u8>, Option<u32>)> {
    match arguments {
        [] => Some((Vec::new(), None)),
        [one] => Some(number(one).map_or_else(|| (one.to_vec(), None), |number| (Vec::new(), Some(number)))),
        [name, alignment] => Some((name.to_vec(), Some(number(alignment)?))),
        _ => None,
    }
}

/// An alignment that packing may impose: a small power of two, or 0.
fn number(text: &[u8]) -> Option<u32> {
    let number: u32 = std::str::from_utf8(text).ok()?.parse().ok()?;
    matches!(number, 0 | 1 | 2 | 4 | 8 | 16).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::PackState;

    #[test]
    fn pushes_and_pops() {
        let mut state = PackState::default();
        let mut read = |text: &str| state.read(text.as_bytes());
        assert_eq!(read("pragma pack(push, 1)"), Some(1));
        assert_eq!(read(" pragma pack( push , r1 , 2 )"), Some(2));
        assert_eq!(read("pragma pack(4)"), Some(4));
        assert_eq!(read("pragma pack(push)"), Some(4));
        assert_eq!(read("pragma pack()"), Some(0));
        assert_eq!(read("pragma pack(3)"), None);
        assert_eq!(read("pragma once"), None);
        assert_eq!(read("pragma pack(pop, r1)"), Some(1));
        assert_eq!(read("pragma pack(pop)"), Some(0));
        assert_eq!(read("pragma pack(pop)"), Some(0));
    }
}
