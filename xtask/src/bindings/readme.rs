//! Code that stands in a page is run as it stands there.

/// The blocks of a page with their languages, in their order.
pub(crate) fn all(page: &str) -> Vec<(String, String)> {
    let (mut blocks, mut inside) = (Vec::new(), None::<(String, String)>);
    for line in page.lines() {
        match (&mut inside, line.strip_prefix("```")) {
            (None, Some(named)) => inside = Some((named.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(inside.take()),
            (Some((_, block)), None) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// The blocks of a language in a page, in their order.
pub(crate) fn blocks(page: &str, language: &str) -> Vec<String> {
    let of_language = all(page).into_iter().filter(|(named, _)| named == language);
    of_language.map(|(_, block)| block).collect()
}

/// The configuration of the page of the provider, with its library in another place.
pub(crate) fn configuration(module: &std::path::Path) -> Result<String, String> {
    let page = crate::workspace::read("bindings/openssl/README.md")?;
    let blocks = blocks(&page, "ini");
    let text = blocks.first().ok_or("no configuration in the README")?;
    Ok(text.replace("/usr/local/lib/ossl-modules/cipherlane.so", &module.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_of_the_language_are_taken() {
        let page = "a\n```c\nint x;\n\nint y;\n```\nb\n```sh\nls\n```\n```c\nz\n```\n";
        assert_eq!(blocks(page, "c"), ["int x;\n\nint y;\n", "z\n"]);
        assert_eq!(blocks(page, "sh"), ["ls\n"]);
        assert!(blocks(page, "java").is_empty());
    }
}
