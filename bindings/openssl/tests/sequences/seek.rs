//! Running sequences until one shows a difference, and making that one short.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::OnceLock;

use super::allowed::{Kind, Rule};
use super::draw::Draw;
use super::pair::Answer;

/// Where both went apart.
#[derive(Clone, Debug)]
pub struct Difference {
    pub call: &'static str,
    pub kind: Kind,
    pub facts: Vec<&'static str>,
}

/// What came of a sequence.
#[derive(Default)]
pub struct Run {
    /// Calls that were made, on each side.
    pub calls: u64,
    pub difference: Option<Difference>,
    /// Calls and answers in words, where they were asked for.
    pub lines: Vec<String>,
}

/// How two answers differ; where the bytes were drawn, they do not count.
pub fn compare(ours: &Answer, theirs: &Answer, drawn: bool) -> Option<Kind> {
    match (ours.done, theirs.done) {
        (false, true) => Some(Kind::Refuses),
        (true, false) => Some(Kind::Takes),
        (false, false) => None,
        _ if ours.value != theirs.value => Some(Kind::Value),
        _ if !drawn && ours.bytes != theirs.bytes => Some(Kind::Bytes),
        _ => None,
    }
}

/// A line about a call and both answers.
pub fn line(call: &impl Display, ours: &Answer, theirs: &Answer) -> String {
    let say = |answer: &Answer| {
        if !answer.done {
            return "0".to_owned();
        }
        let bytes: String = answer.bytes.iter().take(20).map(|it| format!("{it:02x}")).collect();
        format!("1 ({}) {bytes}{}", answer.value, if answer.bytes.len() > 20 { "…" } else { "" })
    };
    let (ours, theirs) = (say(ours), say(theirs));
    if ours == theirs {
        return format!("{call}: {ours}");
    }
    format!("{call}\n        ours   {ours}\n        theirs {theirs}")
}

/// Says a call before it is made, where `CIPHERLANE_TRACE` is set: for calls that end the process.
pub fn trace(name: &str, call: &impl Display) {
    static WANTED: OnceLock<bool> = OnceLock::new();
    if *WANTED.get_or_init(|| std::env::var_os("CIPHERLANE_TRACE").is_some()) {
        eprintln!("{name}: {call}");
    }
}

/// What sequences are made on: ciphers, or MACs.
pub trait Subject {
    type Call: Clone + Display;

    fn name(&self) -> &str;

    fn draw(&self, draw: &mut Draw<'_>) -> Vec<Self::Call>;

    fn simpler(&self, call: &Self::Call) -> Vec<Self::Call>;

    fn run(&self, calls: &[Self::Call], say: bool) -> Run;
}

/// The shortest sequence that was found to differ in the same way.
fn shrink<S: Subject>(
    subject: &S,
    calls: &[S::Call],
    found: &Difference,
    allowed: impl Fn(&Difference) -> Option<usize>,
) -> Vec<S::Call> {
    let mut best = calls.to_vec();
    // Nor may it become one that is allowed.
    let same = |calls: &[S::Call]| {
        let difference = subject.run(calls, false).difference;
        difference.is_some_and(|it| {
            it.call == found.call && it.kind == found.kind && allowed(&it).is_none()
        })
    };
    loop {
        let mut better = None;
        for at in (0..best.len()).rev() {
            let mut fewer = best.clone();
            fewer.remove(at);
            if same(&fewer) {
                better = Some(fewer);
                break;
            }
        }
        if better.is_none() {
            'calls: for at in 0..best.len() {
                for simpler in subject.simpler(&best[at]) {
                    let mut calls = best.clone();
                    calls[at] = simpler;
                    if same(&calls) {
                        better = Some(calls);
                        break 'calls;
                    }
                }
            }
        }
        match better {
            Some(calls) => best = calls,
            None => return best,
        }
    }
}

/// What a whole run found.
#[derive(Default)]
pub struct Report {
    pub sequences: u64,
    pub calls: u64,
    /// Sequences that ended at an allowed difference, by the number of the rule.
    pub allowed: BTreeMap<usize, u64>,
    pub unexplained: u64,
    /// One example of each kind of unexplained difference.
    pub examples: BTreeMap<String, String>,
}

/// What a run is asked to do.
pub struct Wish {
    pub seed: u64,
    pub calls: u64,
}

/// Makes sequences on all subjects in turn until so many calls are made.
pub fn seek<S: Subject>(subjects: &[S], rules: &[Rule], openssl: &str, wish: &Wish) -> Report {
    let mut report = Report::default();
    if subjects.is_empty() {
        return report;
    }
    let mut number = 0;
    while report.calls < wish.calls {
        let subject = &subjects[number as usize % subjects.len()];
        // A sequence is its number's and the run's seed, so that one can be tried by itself.
        let mut draw = Draw::of_seed(Draw::of_seed(wish.seed ^ number << 20).next());
        let calls = subject.draw(&mut draw);
        let run = subject.run(&calls, false);
        report.sequences += 1;
        report.calls += run.calls;
        number += 1;
        let Some(found) = run.difference else { continue };
        let allowed = |it: &Difference| {
            rules
                .iter()
                .position(|rule| rule.allows(openssl, subject.name(), it.call, it.kind, &it.facts))
        };
        if let Some(rule) = allowed(&found) {
            *report.allowed.entry(rule).or_default() += 1;
            continue;
        }
        report.unexplained += 1;
        let key = format!("{} {} {}", subject.name(), found.call, found.kind.name());
        if report.examples.len() < 40 && !report.examples.contains_key(&key) {
            let short = shrink(subject, &calls, &found, allowed);
            let run = subject.run(&short, true);
            let facts = run.difference.map_or(Vec::new(), |it| it.facts).join(" ");
            let text = format!(
                "sequence {}, facts: {facts}\n    {}",
                number - 1,
                run.lines.join("\n    ")
            );
            report.examples.insert(key, text);
        }
    }
    report
}
