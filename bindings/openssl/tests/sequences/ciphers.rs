//! Sequences of calls on ciphers.

use super::calls::{self, Call};
use super::draw::Draw;
use super::evp::{Cipher, World};
use super::pair::{Context, both};
use super::seek::{Difference, Run, Subject, compare, line, trace};
use super::state::State;

pub struct OfCipher<'w> {
    pub world: &'w World,
    pub cipher: Cipher,
}

impl OfCipher<'_> {
    /// Makes a call on both; false where they went apart.
    fn step(
        &self,
        [ours, theirs]: &mut [Context<'_>; 2],
        state: &mut State<'_>,
        call: &Call,
        run: &mut Run,
        say: bool,
    ) -> bool {
        if !state.is_defined(call) || !theirs.has_room(call) {
            return true;
        }
        trace(&self.cipher.name, call);
        let lag = state.held();
        let (one, two) = (ours.call(call, lag), theirs.call(call, lag));
        run.calls += 1;
        if say {
            run.lines.push(line(call, &one, &two));
        }
        if let Some(kind) = compare(&one, &two, state.is_drawn()) {
            run.difference = Some(Difference { call: call.name(), kind, facts: state.facts() });
            return false;
        }
        state.note(call, &two);
        true
    }
}

impl Subject for OfCipher<'_> {
    type Call = Call;

    fn name(&self) -> &str {
        &self.cipher.name
    }

    fn draw(&self, draw: &mut Draw<'_>) -> Vec<Call> {
        calls::sequence(&self.cipher, draw)
    }

    fn simpler(&self, call: &Call) -> Vec<Call> {
        call.simpler()
    }

    fn run(&self, calls: &[Call], say: bool) -> Run {
        let evp = &self.world.evp;
        let mut contexts = both(evp, &self.cipher);
        let (mut state, mut run) = (State::new(&self.cipher), Run::default());
        for call in calls {
            let parts = match call {
                Call::Open { forged } => state.opening(*forged),
                _ => vec![call.clone()],
            };
            for part in &parts {
                if !self.step(&mut contexts, &mut state, part, &mut run, say) {
                    break;
                }
            }
            if run.difference.is_some() {
                break;
            }
        }
        // Safety: no conditions.
        unsafe { (evp.ERR_clear_error)() };
        run
    }
}
