//! The models of the laboratory over a keyed object of a library.
//!
//! Most libraries have an object that takes a key, then messages with an IV each. Such a
//! peer implements [`Session`] for it; [`drive`] puts what belongs inside the clock there
//! and the rest before it, alike for all of them.

use lab::Model;
use lab::input::RING;
use lab::work::{Data, Fault, Keys, Message, Refusal, Run};

/// An object of a library under a key.
pub(crate) trait Session {
    /// Sets a fresh key: the key schedule and nothing else.
    fn key(&mut self, key: &[u8]) -> Result<(), Fault>;

    /// Processes one message, its IV included, under the key that was set.
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault>;

    /// Begins a stream under the key that was set.
    fn start(&mut self, _iv: &[u8]) -> Result<(), Fault> {
        Err("a stream of whole messages")
    }

    /// Processes the next piece of the stream.
    fn update(&mut self, _data: Data<'_>) -> Result<(), Fault> {
        Err("a stream of whole messages")
    }
}

/// Measures a model on sessions that `new` makes ready under a key.
pub(crate) fn drive<S: Session>(
    model: Model,
    keys: &Keys,
    run: Run<'_>,
    new: impl Fn(&[u8]) -> Result<S, Refusal>,
) -> Result<(), Refusal> {
    match model {
        Model::Init | Model::Packet => {
            let mut session = new(keys.key(0))?;
            run(&mut |message: Message<'_>| {
                session.key(message.key)?;
                session.message(message)
            });
        }
        Model::Key => {
            let mut session = new(keys.key(0))?;
            run(&mut |message: Message<'_>| session.key(message.key));
        }
        Model::Message | Model::Latency => {
            let ready = (0..RING).map(|slot| new(keys.key(slot)));
            let mut ready: Vec<S> = ready.collect::<Result<_, _>>()?;
            run(&mut |message: Message<'_>| ready[message.slot].message(message));
        }
        Model::Stream => {
            let mut session = new(keys.key(0))?;
            session.start(keys.iv(0))?;
            run(&mut |message: Message<'_>| session.update(message.data));
        }
    }
    Ok(())
}
