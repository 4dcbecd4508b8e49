//! Columns as the user wrote them. The preprocessor keeps lines but not columns: it expands macros, drops comments and
//! squeezes blanks. So the tokens of such a line are found again in the line that the user wrote: the longest common
//! subsequence of both stands where it stood, and what a macro expanded to stands at the macro's name.

/// A token of a preprocessed line and its place in the line as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its first byte in the preprocessed text.
    pub start: u32,
    /// Where it begins in the written line, from 0.
    pub column: u32,
    /// Where it ends there.
    pub end: u32,
}

/// Lines whose tokens multiply to more than this are left as they are.
const LARGEST_TABLE: usize = 1 << 20;

/// Finds the tokens of pieces of preprocessed text, each with its offset, in the line they come from. Empty if they
/// cannot be told.
pub fn place(pieces: &[(u32, &[u8])], written: &[u8]) -> Vec<Placed> {
    let mut tokens: Vec<(u32, &[u8])> = Vec::new();
    for (offset, piece) in pieces {
        tokens.extend(split(piece).into_iter().map(|(at, token)| (offset + at, token)));
    }
    let known = split(written);
    if known.is_empty() || tokens.len().saturating_mul(known.len()) > LARGEST_TABLE {
        return Vec::new();
    }
    let matches = common(&tokens, &known);
    let mut placed = Vec::with_capacity(tokens.len());
    // The first written token that nothing has been found for yet.
    let mut next = 0;
    for (index, (start, _)) in tokens.iter().enumerate() {
        let at = match matches[index] {
            Some(at) => {
                next = at + 1;
                at
            }
            None => {
                let following = matches[index..].iter().flatten().next().copied().unwrap_or(known.len());
                if next < following { next } else { next.saturating_sub(1) }
            }
        };
        let (column, token) = known[at];
        placed.push(Placed { start: *start, column, end: column + token.len() as u32 });
    }
    placed
}

/// For each token, the written one that it is in a longest common subsequence.
fn common(tokens: &[(u32, &[u8])], known: &[(u32, &[u8])]) -> Vec<Option<usize>> {
    let (rows, columns) = (tokens.len(), known.len());
    let mut longest = vec![0u32; (rows + 1) * (columns + 1)];
    let at = |row: usize, column: usize| row * (columns + 1) + column;
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            longest[at(row, column)] = if tokens[row].1 == known[column].1 {
                longest[at(row + 1, column + 1)] + 1
            } else {
                longest[at(row + 1, column)].max(longest[at(row, column + 1)])
            };
        }
    }
    let mut found = vec![None; rows];
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        if tokens[row].1 == known[column].1 {
            found[row] = Some(column);
            (row, column) = (row + 1, column + 1);
        } else if longest[at(row, column + 1)] >= longest[at(row + 1, column)] {
            column += 1;
        } else {
            row += 1;
        }
    }
    found
}

/// The tokens of a line with their columns: words, literals, and other characters one by one. Comments are none.
fn split(line: &[u8]) -> Vec<(u32, &[u8])> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let length = match &line[at..] {
            [b'/', b'/', ..] => break,
            [b'/', b'*', rest @ ..] => {
                let inside = rest.windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |end| end + 2);
                at += 2 + inside;
                continue;
            }
            [byte, ..] if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            [quote @ (b'"' | b'\''), rest @ ..] => 1 + super::source::literal_length(*quote, rest),
            rest => rest.iter().take_while(|byte| is_word(**byte)).count().max(1),
        };
        let end = (at + length).min(line.len());
        tokens.push((at as u32, &line[at..end]));
        at = end;
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(pieces: &[&str], written: &str) -> Vec<(u32, u32)> {
        let pieces: Vec<(u32, &[u8])> = pieces.iter().map(|piece| (0, piece.as_bytes())).collect();
        place(&pieces, written.as_bytes()).iter().map(|placed| (placed.column, placed.end)).collect()
    }

    #[test]
    fn what_was_not_changed_stands_where_it_stood() {
        assert_eq!(columns(&["int x = 1;"], "int   x /* one */ = 1;"), [(0, 3), (6, 7), (18, 19), (20, 21), (21, 22)]);
    }

    #[test]
    fn what_a_macro_expands_to_stands_at_its_name() {
        // `check ( ( x ) ) ;` for `assert(x);`
        let found = columns(&["   check ((", "   x", "   )", "  );"], "    assert(x);");
        assert_eq!(found, [(4, 10), (10, 11), (10, 11), (11, 12), (12, 13), (12, 13), (13, 14)]);
        assert_eq!(columns(&["y = 42 + 42;"], "y = A + B;"), [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (9, 10)]);
    }
}
