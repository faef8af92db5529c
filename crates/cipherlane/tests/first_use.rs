//! The feature `self-test`: a level whose self-test failed makes no object and moves no byte.
#![cfg(feature = "self-test")]

use cipherlane::batch::{Job, Packet};
use cipherlane::registry::{self, ALGORITHMS, Algorithm, Constructor, Limits, New, Parameters};
use cipherlane::{Error, Level, Sizes, self_test};

/// What is refused, by name.
type Refused = Vec<String>;

fn note<T>(refused: &mut Refused, name: String, made: Result<T, Error>) {
    match made {
        Ok(_) => refused.push(format!("{name} is made")),
        Err(Error::SelfTest { .. }) => {}
        Err(error) => refused.push(format!("{name}: {error}")),
    }
}

/// Everything that can be made of an algorithm at a level that is condemned; what is made
/// nevertheless is returned.
fn made(algorithm: &'static Algorithm, level: Level) -> Refused {
    let mut wrong = Vec::new();
    let name = algorithm.name;
    let bytes = [7; 512];
    // Some allow lengths without end.
    let of = |sizes: Sizes| &bytes[..sizes.min.max(sizes.max.min(16))];
    let key = of(algorithm.key);
    match algorithm.new {
        New::Block { new, shared, keys, .. } => {
            note(&mut wrong, format!("{name}, shared"), shared(key, level));
            note(&mut wrong, format!("{name}, key"), new(key, level));
            note(&mut wrong, format!("{name}, keys"), keys(&[key, key], level));
            if let Some(family) = registry::parameters(name) {
                let made = (family.new)(key, Parameters::default(), level);
                note(&mut wrong, format!("{name}, with parameters"), made);
            }
        }
        New::Stream { iv, new, unlimited, batch, .. } => {
            let iv = of(iv);
            note(&mut wrong, format!("{name}, stream"), new(key, iv, level));
            note(&mut wrong, format!("{name}, unlimited stream"), unlimited(key, iv, level));
            let mut data = [[7; 40]; 3];
            let packets =
                data.iter_mut().map(|data| Packet::new(key, iv, data.as_mut_slice().into()));
            let mut packets: Vec<_> = packets.collect();
            let applied = batch(Limits::Enforced, level).apply(&mut packets);
            note(&mut wrong, format!("{name}, batch"), applied);
            assert_eq!(data, [[7; 40]; 3], "{name}: data is changed");
        }
    }
    for batch in registry::operations(algorithm) {
        let name = format!("{name}/{}", batch.name);
        let (key, iv) = (of(batch.key), of(batch.iv));
        match batch.new {
            // Their ciphers are above.
            Constructor::Mode(_) | Constructor::Message(_) => {}
            Constructor::Stream { new, unlimited } => {
                note(&mut wrong, name.clone(), new(key, iv, level));
                note(&mut wrong, format!("{name}, unlimited"), unlimited(key, iv, level));
            }
            Constructor::Aead { .. } => note(&mut wrong, name.clone(), batch.aead(key, level)),
            Constructor::Pdu(new) => note(&mut wrong, name.clone(), new(key, level)),
            Constructor::Mac { .. } => note(&mut wrong, name.clone(), batch.mac(key, iv, level)),
        }
        note(&mut wrong, format!("{name}, fresh"), batch.fresh(level));
        note(&mut wrong, format!("{name}, unlimited"), batch.unlimited(level));
        note(&mut wrong, format!("{name}, ready"), batch.ready(&[], level));
    }
    wrong
}

#[test]
fn nothing_is_made_at_a_level_that_failed() {
    let sm4 = registry::algorithm("sm4").expect("a build with SM4");
    let ctr = registry::operations(sm4).find(|it| it.name == "ctr").expect("CTR");
    let at_work = |level| ctr.ready(&[&[1; 16]], level).expect("a sound level");
    let mut before: Vec<_> = Level::available().map(at_work).collect();
    for (level, before) in Level::available().zip(&mut before) {
        self_test::condemn(level);
        let wrong: Vec<String> = ALGORITHMS.iter().flat_map(|it| made(it, level)).collect();
        assert!(wrong.is_empty(), "{level}: {wrong:#?}");
        let refused = cipherlane::Sm4::with_level(&[1; 16], level).expect_err("no object");
        assert!(refused.to_string().contains(level.name()), "{refused}");
        // What is at work when a level is condemned goes on: the test was right when it was made.
        let mut data = [0; 20];
        let io = data.as_mut_slice().into();
        before.apply(&mut [Job::new(0, &[2; 16], io)]).expect("still at work");
    }
}
