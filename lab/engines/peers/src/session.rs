//! A library's object under a key, led through the models.

use lab::Model;
use lab::work::{Data, Fault, Keys, Message, Refusal, Run};

/// What a library keeps under a key: a context, handle or object.
pub(crate) trait Session {
    /// Sets a fresh key and an IV; an empty one keeps what was set.
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault>;

    /// Whether a key alone brings it back to its beginning, where there is no IV.
    fn restarts(&self) -> bool {
        false
    }

    /// Processes a whole message after [`start`](Self::start).
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault>;

    /// Processes the next piece of a stream.
    fn piece(&mut self, data: Data<'_>) -> Result<(), Fault>;
}

/// A session that was opened, under its first key and IV.
pub(crate) fn started<S: Session>(mut session: S, key: &[u8], iv: &[u8]) -> Result<S, Fault> {
    session.start(key, iv)?;
    Ok(session)
}

/// Runs a model with sessions made by `make` under a key and an IV.
pub(crate) fn run<S: Session>(
    model: Model,
    keys: &Keys,
    run: Run<'_>,
    make: impl Fn(&[u8], &[u8]) -> Result<S, Fault>,
) -> Result<(), Refusal> {
    let make = |slot| {
        make(keys.key(slot), keys.iv(slot)).map_err(|fault| Refusal(format!("{fault} failed")))
    };
    match model {
        Model::Init | Model::Packet => {
            let mut session = make(0)?;
            run(&mut |message: Message<'_>| {
                session.start(message.key, message.iv)?;
                session.message(message)
            });
        }
        Model::Key => {
            let mut session = make(0)?;
            run(&mut |message: Message<'_>| session.start(message.key, &[]));
        }
        Model::Message | Model::Latency => {
            let mut ready = (0..keys.slots()).map(make).collect::<Result<Vec<S>, _>>()?;
            run(&mut |message: Message<'_>| {
                let session = &mut ready[message.slot];
                if !message.iv.is_empty() {
                    session.start(&[], message.iv)?;
                } else if session.restarts() {
                    session.start(message.key, &[])?;
                }
                session.message(message)
            });
        }
        Model::Batch => return Err("a batch is made of single messages".into()),
        Model::Stream => {
            let mut session = make(0)?;
            run(&mut |message: Message<'_>| session.piece(message.data));
        }
    }
    Ok(())
}
