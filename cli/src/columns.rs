//! Text within the columns of the terminal. Nothing is cut: what doesn't fit goes on in the next
//! line, set in, and a word that is longer than a line (a path, say) stays whole, to be copied.

/// The columns where the output is no terminal, and the most of a wider one.
pub(crate) const COLUMNS: usize = 100;

/// The lines of a text of at most `width` columns, broken at blanks. Lines after the first are set
/// in by `indent`; blanks inside the first line, by which columns stand, are kept.
pub(crate) fn wrapped(text: &str, indent: usize, width: usize) -> Vec<String> {
    let long = |text: &str| text.chars().count();
    if long(text) <= width {
        return vec![text.to_owned()];
    }
    // Deeper than half the line would leave no room for words.
    let indent = indent.min(width / 2);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in text.split_inclusive(' ') {
        let word = piece.trim_end_matches(' ');
        if !line.trim().is_empty() && !word.is_empty() && long(&line) + long(word) > width {
            lines.push(line.trim_end().to_owned());
            line = " ".repeat(indent);
        }
        line.push_str(piece);
    }
    if !line.trim().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn what_fits_is_left_as_it_is() {
        assert_eq!(wrapped("  key         16 bytes", 14, 40), ["  key         16 bytes"]);
    }

    #[test]
    fn what_does_not_fit_goes_on_set_in_and_no_word_is_lost() {
        let text = "  operations  ecb-encrypt ecb-decrypt cbc-encrypt cbc-decrypt ctr";
        for width in [30, 40, 50] {
            let lines = wrapped(text, 14, width);
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{lines:?}");
            assert!(lines[1..].iter().all(|line| line.starts_with("              ")), "{lines:?}");
            let words: Vec<&str> = lines.iter().flat_map(|it| it.split_whitespace()).collect();
            assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
        }
        assert_eq!(wrapped("  a    b cc dd", 5, 10), ["  a    b", "     cc dd"]);
    }

    #[test]
    fn a_word_longer_than_a_line_stays_whole() {
        let path = "/a/very/long/path/of/a/library.so";
        assert_eq!(
            wrapped(&format!("path {path} end"), 2, 20),
            ["path", &format!("  {path}"), "  end"]
        );
    }
}
