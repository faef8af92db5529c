//! Name, version and addresses, which stand once: in `[workspace.package]` of the root manifest. What
//! other manifests repeat, because their tools read nothing else, must say the same.

use crate::workspace;

/// Top-level names that belong to nobody (RFC 2606): an address there is to be replaced.
const NOBODYS: [&str; 2] = [".example", "example.org"];

/// Where versions and compilers are repeated: the file, and what stands before the version.
const REPEATED: [(&str, &str); 9] = [
    ("bindings/c/Cargo.toml", "version = \""),
    ("bindings/openssl/Cargo.toml", "version = \""),
    ("bindings/python/Cargo.toml", "version = \""),
    ("bindings/java/native/Cargo.toml", "version = \""),
    ("bindings/wasm/Cargo.toml", "version = \""),
    ("columns/Cargo.toml", "version = \""),
    ("bindings/python/pyproject.toml", "version = \""),
    ("bindings/wasm/package.json", "  \"version\": \""),
    ("bindings/java/pom.xml", "  <version>"),
];

/// What an artefact says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) version: String,
    pub(super) homepage: String,
    pub(super) repository: String,
    pub(super) licence: String,
}

fn field(manifest: &str, name: &str) -> Result<String, String> {
    let start = format!("{name} = \"");
    let value = manifest.lines().find_map(|line| line.strip_prefix(&*start)?.strip_suffix('"'));
    value.map(str::to_owned).ok_or_else(|| format!("no `{name}` in [workspace.package]"))
}

/// The version that another manifest repeats.
fn repeated(text: &str, start: &str) -> Option<String> {
    let rest = text.lines().find_map(|line| line.strip_prefix(start))?;
    Some(rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect())
}

impl Identity {
    /// Of the text of the root manifest.
    fn of(manifest: &str) -> Result<Self, String> {
        let [version, homepage, repository, licence] =
            ["version", "homepage", "repository", "license"].map(|name| field(manifest, name));
        let (version, homepage) = (version?, homepage?);
        Ok(Self { version, homepage, repository: repository?, licence: licence? })
    }

    /// As the manifests say, all of them.
    pub(super) fn read() -> Result<Self, String> {
        let identity = Self::of(&workspace::read("Cargo.toml")?)?;
        for (file, start) in REPEATED {
            let version = repeated(&workspace::read(file)?, start);
            if version.as_ref() != Some(&identity.version) {
                return Err(format!(
                    "{file} has version {}; the workspace has {}",
                    version.as_deref().unwrap_or("none"),
                    identity.version
                ));
            }
        }
        Ok(identity)
    }

    /// Whether an address still is nobody's.
    pub(super) fn is_placeholder(&self) -> bool {
        let nobodys = |address: &String| {
            let host = address.split('/').nth(2).unwrap_or_default();
            NOBODYS.iter().any(|name| host.ends_with(name))
        };
        [&self.homepage, &self.repository].into_iter().any(nobodys)
    }

    /// One line for whoever runs it.
    pub(super) fn summary(&self) -> String {
        let place = if self.is_placeholder() {
            ", a placeholder: set `repository` and `homepage` in [workspace.package] before publishing"
        } else {
            ""
        };
        format!("cipherlane {}, {}{place}", self.version, self.repository)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[workspace.package]\nversion = \"1.2.3\"\nlicense = \"MIT\"\n\
        homepage = \"https://a.example\"\nrepository = \"https://b.net/c\"\n";

    #[test]
    fn placeholders_are_told_from_addresses() {
        let mut identity = Identity::of(MANIFEST).unwrap();
        assert_eq!((identity.version.as_str(), identity.licence.as_str()), ("1.2.3", "MIT"));
        assert!(identity.is_placeholder() && identity.summary().contains("placeholder"));
        identity.homepage = "https://b.net".into();
        assert!(!identity.is_placeholder() && !identity.summary().contains("placeholder"));
        assert!(Identity::of("[workspace.package]\nversion = \"1.2.3\"\n").is_err());
    }

    #[test]
    fn versions_elsewhere_are_found() {
        let pom = "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <version>0.1.0</version>\n";
        assert_eq!(repeated(pom, "  <version>").as_deref(), Some("0.1.0"));
        assert_eq!(repeated("nothing\n", "  <version>"), None);
    }

    #[test]
    fn all_manifests_of_this_repository_agree() {
        assert_eq!(Identity::read().unwrap().licence, "MIT OR Apache-2.0");
    }
}
