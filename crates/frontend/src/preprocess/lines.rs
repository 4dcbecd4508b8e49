//! The lines of a preprocessed file as its own: for those who know nothing of the files that it was made from.

/// The text with line markers that name the file itself; that a piece is the system's (flag 3) stays.
pub fn as_its_own(text: &[u8], name: &str) -> Vec<u8> {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    let mut own = Vec::with_capacity(text.len());
    for (line, next) in text.split_inclusive(|byte| *byte == b'\n').zip(2_u64..) {
        match flags(line) {
            Some(flags) => {
                let system = if flags.split(u8::is_ascii_whitespace).any(|flag| flag == b"3") { " 3" } else { "" };
                own.extend_from_slice(format!("# {next} \"{name}\"{system}\n").as_bytes());
            }
            None => own.extend_from_slice(line),
        }
    }
    own
}

/// What stands behind the file's name, if a line is a line marker.
fn flags(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").map_or(rest, <[u8]>::trim_ascii_start);
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &rest[digits..];
    let is_marker = digits > 0 && rest.first().is_none_or(u8::is_ascii_whitespace);
    let last_quote = rest.iter().rposition(|byte| *byte == b'"');
    is_marker.then(|| last_quote.map_or(&[][..], |quote| &rest[quote + 1..]))
}

#[cfg(test)]
mod tests {
    use super::as_its_own;

    #[test]
    fn markers_name_the_file_itself() {
        let text = "# 1 \"a.c\"\nint x;\n#line 7 \"b.h\" 1 3\nint y;\n#pragma pack(1)\n # 3\n#3x\n";
        let own = "# 2 \"d/x.i\"\nint x;\n# 4 \"d/x.i\" 3\nint y;\n#pragma pack(1)\n# 7 \"d/x.i\"\n#3x\n";
        assert_eq!(String::from_utf8_lossy(&as_its_own(text.as_bytes(), "d/x.i")), own);
    }
}
