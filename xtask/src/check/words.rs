//! Names cut into words, and all tokens of a file in one row.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// A token that can name something.
pub(super) enum Name {
    /// An identifier.
    Ident(String),
    /// The text of a literal, quotes included.
    Literal(String),
    /// The text of documentation.
    Doc(String),
}

/// Every identifier and literal with its place, in order.
pub(super) fn names(tokens: &TokenStream) -> Vec<(Name, Span)> {
    let mut found = Vec::new();
    collect(tokens.clone(), &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<(Name, Span)>) {
    let mut after_hash = false;
    for token in tokens {
        let hash = matches!(&token, TokenTree::Punct(p) if p.as_char() == '#')
            || (after_hash && matches!(&token, TokenTree::Punct(p) if p.as_char() == '!'));
        match token {
            TokenTree::Ident(ident) => found.push((Name::Ident(ident.to_string()), ident.span())),
            TokenTree::Literal(literal) => {
                found.push((Name::Literal(literal.to_string()), literal.span()));
            }
            TokenTree::Group(group) if after_hash && group.delimiter() == Delimiter::Bracket => {
                let mut inner = Vec::new();
                collect(group.stream(), &mut inner);
                let doc = matches!(inner.first(), Some((Name::Ident(word), _)) if word == "doc");
                for (name, span) in inner.into_iter().skip(usize::from(doc)) {
                    found.push(match name {
                        Name::Literal(text) if doc => (Name::Doc(text), span),
                        name => (name, span),
                    });
                }
            }
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Punct(_) => {}
        }
        after_hash = hash;
    }
}

/// The words of a text in lower case: cut at everything that is neither letter
/// nor digit, and where a small letter or digit meets a capital.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in text.chars() {
        let new = !c.is_ascii_alphanumeric()
            || (c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()));
        if new {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The places where `path` stands: identifiers, punctuation and brackets, one after another.
pub(super) fn sequences(tokens: &TokenStream, path: &[&str]) -> Vec<Span> {
    fn flatten(tokens: TokenStream, row: &mut Vec<(String, Span)>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::None => ("", ""),
                    };
                    row.push((open.into(), group.span_open()));
                    flatten(group.stream(), row);
                    row.push((close.into(), group.span_close()));
                }
                token => row.push((token.to_string(), token.span())),
            }
        }
    }
    let mut row = Vec::new();
    flatten(tokens.clone(), &mut row);
    let equal = |window: &&[(String, Span)]| window.iter().zip(path).all(|((t, _), p)| t == p);
    row.windows(path.len()).filter(equal).map(|window| window[0].1).collect()
}

/// The macros that choose a level: for every cipher, for those with instructions of their own, and
/// for those of numbers and bits alone.
pub(super) const DISPATCHERS: [&str; 4] = ["dispatch", "dispatch_aes", "dispatch_sm4", PLAIN];
pub(super) const PLAIN: &str = "dispatch_plain";

/// The places where one of [`DISPATCHERS`] is used.
pub(super) fn dispatches(tokens: &TokenStream) -> Vec<Span> {
    DISPATCHERS.iter().flat_map(|name| sequences(tokens, &[name, "!"])).collect()
}

/// Whether a level is chosen by [`PLAIN`] alone.
pub(super) fn dispatches_plainly(tokens: &TokenStream) -> bool {
    let plain = sequences(tokens, &[PLAIN, "!"]).len();
    plain > 0 && plain == dispatches(tokens).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        assert_eq!(words("Avx2Gfni"), ["avx2", "gfni"]);
        assert_eq!(words("_mm512_xor_si512"), ["mm512", "xor", "si512"]);
        assert_eq!(words("\"avx2-gfni\""), ["avx2", "gfni"]);
        assert_eq!(words("target_arch"), ["target", "arch"]);
    }

    #[test]
    fn documentation_is_told_from_literals() {
        let tokens = "/// about\n#[cfg(feature = \"std\")] fn f() { g(\"text\") }".parse().unwrap();
        let (mut docs, mut literals) = (0, 0);
        for (name, _) in names(&tokens) {
            match name {
                Name::Doc(_) => docs += 1,
                Name::Literal(_) => literals += 1,
                Name::Ident(_) => {}
            }
        }
        assert_eq!((docs, literals), (1, 2));
    }

    #[test]
    fn sequences_cross_no_bracket() {
        let tokens: TokenStream = "Level::Portable; (Level) :: Portable".parse().unwrap();
        assert_eq!(sequences(&tokens, &["Level", ":", ":", "Portable"]).len(), 1);
    }
}
