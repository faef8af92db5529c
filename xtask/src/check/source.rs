//! A source file, parsed, with the bodies of its macros parsed as far as they go.

use proc_macro2::TokenStream;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use super::{Finding, expand};
use crate::workspace;

/// Folders of the library with kernels of their own that are no cipher's: a hash, tweaks.
const WITH_KERNELS: &[&str] = &["ghash", "tweaks"];

/// One Rust file.
pub(super) struct Source {
    /// From the root, with forward slashes.
    pub(super) path: String,
    /// All tokens; comments are gone, documentation is in `#[doc = "…"]`.
    pub(super) tokens: TokenStream,
    /// The file, then every macro body that reads as items or methods.
    pub(super) views: Vec<syn::File>,
}

impl Source {
    /// Reads every Rust file of these folders, but for the compile-fail tests,
    /// which break rules on purpose.
    pub(super) fn read_all(folders: &[&str]) -> Result<Vec<Self>, String> {
        Self::read_in(&workspace::root(), folders)
    }

    /// The same of a copy of the repository.
    pub(super) fn read_in(root: &Path, folders: &[&str]) -> Result<Vec<Self>, String> {
        let mut sources = Vec::new();
        for folder in folders {
            for path in workspace::files_in(root, folder, "rs")? {
                if !path.contains("/tests/ui/") {
                    let text = fs::read_to_string(root.join(&path))
                        .map_err(|error| format!("cannot read {path}: {error}"))?;
                    sources.push(Self::parse(&path, &text)?);
                }
            }
        }
        Ok(sources)
    }

    /// Parses the text of one file.
    pub(super) fn parse(path: &str, text: &str) -> Result<Self, String> {
        let tokens = TokenStream::from_str(text)
            .map_err(|error| format!("{path}:{}: {error}", error.span().start().line))?;
        let file = syn::parse2::<syn::File>(tokens.clone())
            .map_err(|error| format!("{path}:{}: {error}", error.span().start().line))?;
        let mut views = expand::macro_bodies(&file);
        views.insert(0, file);
        Ok(Self { path: path.into(), tokens, views })
    }

    /// Whether the file lies in this folder of the repository.
    pub(super) fn is_in(&self, folder: &str) -> bool {
        self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether the file is part of the library crate itself, not of its tests.
    pub(super) fn is_library(&self) -> bool {
        self.is_in("crates/cipherlane/src")
    }

    /// Whether the whole file is a test, a benchmark or an example: by its folder, or
    /// by the name `tests.rs`, which a module declares under `#[cfg(test)]`.
    pub(super) fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs")
            || ["/tests/", "/benches/", "/examples/"].iter().any(|part| self.path.contains(part))
    }

    /// The folder with kernels that the file lies in, from the library's `src`: a cipher's, as
    /// `ciphers/sm4`, or that of a hash.
    pub(super) fn kernel_folder(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("crates/cipherlane/src/")?;
        let (folder, rest) = inside.split_once('/')?;
        if folder == "ciphers" {
            return rest.find('/').map(|end| &inside[..folder.len() + 1 + end]);
        }
        WITH_KERNELS.contains(&folder).then_some(folder)
    }

    /// A breach of `rule` at the start of `span`.
    pub(super) fn finding(
        &self,
        rule: &'static str,
        span: proc_macro2::Span,
        what: impl Into<String>,
    ) -> Finding {
        let place = format!("{}:{}", self.path, span.start().line);
        Finding { place, rule, what: what.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_ciphers_are_told_from_those_of_modes() {
        let folder =
            |path: &str| Source::parse(path, "").unwrap().kernel_folder().map(ToString::to_string);
        let of = |folder: &str| Some(folder.to_string());
        assert_eq!(folder("crates/cipherlane/src/ciphers/sm4/rounds.rs"), of("ciphers/sm4"));
        assert_eq!(folder("crates/cipherlane/src/ciphers/zuc/mac/mod.rs"), of("ciphers/zuc"));
        assert_eq!(folder("crates/cipherlane/src/ghash/kernel.rs"), of("ghash"));
        assert_eq!(folder("crates/cipherlane/src/ciphers/mod.rs"), None);
        assert_eq!(folder("crates/cipherlane/src/modes/ctr.rs"), None);
        assert_eq!(folder("crates/cipherlane/src/registry/mod.rs"), None);
        assert_eq!(folder("crates/lanes/src/x86/avx2.rs"), None);
    }

    #[test]
    fn a_file_that_does_not_parse_is_named_with_its_line() {
        let error = Source::parse("cli/src/main.rs", "fn main() {\n  let = 1;\n}").err().unwrap();
        assert!(error.starts_with("cli/src/main.rs:2: "), "{error}");
    }
}
