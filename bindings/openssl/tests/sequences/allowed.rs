//! The list of allowed differences, `allowed.txt`.

/// How ours differs from theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Ours fails where theirs is done.
    Refuses,
    /// Ours is done where theirs fails.
    Takes,
    /// Lengths or numbers.
    Value,
    /// Output.
    Bytes,
}

impl Kind {
    const ALL: [(&'static str, Self); 4] = [
        ("refuses", Self::Refuses),
        ("takes", Self::Takes),
        ("value", Self::Value),
        ("bytes", Self::Bytes),
    ];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }
}

/// One line of the list.
#[derive(Debug)]
pub struct Rule {
    names: Vec<String>,
    calls: Vec<String>,
    kinds: Vec<Kind>,
    facts: Vec<String>,
    /// Only below, or from this version of OpenSSL on.
    below: Option<(u32, u32)>,
    from: Option<(u32, u32)>,
    pub reason: String,
}

/// `3.0.19` as its first two numbers.
fn version(text: &str) -> (u32, u32) {
    let mut numbers = text.split('.').map(|it| it.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// Whether a name fits, with one `*` for any part.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => {
            name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
        }
    }
}

impl Rule {
    fn read(line: &str) -> Option<Self> {
        let mut fields = line.splitn(5, '|').map(str::trim);
        let (names, calls, kinds, when) =
            (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let reason = fields.next().filter(|reason| !reason.is_empty())?.to_owned();
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let kinds = kinds
            .split_whitespace()
            .map(|word| Kind::ALL.iter().find(|it| it.0 == word).map(|it| it.1))
            .collect::<Option<Vec<_>>>()?;
        let (mut facts, mut below, mut from) = (Vec::new(), None, None);
        for word in words(when) {
            match (word.strip_prefix("below-"), word.strip_prefix("from-")) {
                (Some(text), _) => below = Some(version(text)),
                (_, Some(text)) => from = Some(version(text)),
                _ if word == "-" => {}
                _ => facts.push(word),
            }
        }
        Some(Self { names: words(names), calls: words(calls), kinds, facts, below, from, reason })
    }

    /// Whether the line speaks of such a difference.
    pub fn allows(
        &self,
        openssl: &str,
        name: &str,
        call: &str,
        kind: Kind,
        facts: &[&str],
    ) -> bool {
        let now = version(openssl);
        self.kinds.contains(&kind)
            && self.names.iter().any(|pattern| fits(pattern, name))
            && self.calls.iter().any(|pattern| fits(pattern, call))
            && self.facts.iter().all(|fact| facts.contains(&fact.as_str()))
            && self.below.is_none_or(|bound| now < bound)
            && self.from.is_none_or(|bound| now >= bound)
    }
}

/// The lines of a list.
pub fn rules(text: &str) -> Vec<Rule> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| Rule::read(line).unwrap_or_else(|| panic!("allowed.txt: no rule: {line}")))
        .collect()
}

#[test]
fn rules_ask_for_all_that_they_say() {
    let rules = rules("# why\n*-GCM AES-*-CBC | update fin* | refuses | key below-3.2 | since\n");
    let allows = |openssl, name, call, kind, facts: &[&str]| {
        rules[0].allows(openssl, name, call, kind, facts)
    };
    assert!(allows("3.0.19", "SM4-GCM", "update", Kind::Refuses, &["data", "key"]));
    assert!(allows("3.1.0", "AES-128-CBC", "final", Kind::Refuses, &["key"]));
    assert!(!allows("3.2.0", "SM4-GCM", "update", Kind::Refuses, &["key"]));
    assert!(!allows("3.0.0", "SM4-CCM", "update", Kind::Refuses, &["key"]));
    assert!(!allows("3.0.0", "SM4-GCM", "init", Kind::Refuses, &["key"]));
    assert!(!allows("3.0.0", "SM4-GCM", "update", Kind::Bytes, &["key"]));
    assert!(!allows("3.0.0", "SM4-GCM", "update", Kind::Refuses, &[]));
}
