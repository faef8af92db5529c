//! The crate `zuc`. It has no key set-up apart from the IV's, so `message` sets both.

use std::hint::black_box;

use lab::work::{Data, Fault, Keys, Message, Notes, Refusal, Run};
use lab::{Cell, Model};
use zuc::cipher as cipher04;
use zuc::zuc128::Zuc128StreamCipher;
use zuc::zuc256::Zuc256StreamCipher;

/// Measures ZUC-128.
pub(super) fn zuc_128(cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
    models::<Zuc128StreamCipher>(cell.model, keys, run).map(|()| Notes::default())
}

/// Measures ZUC-256, also beyond the keystream that its specification allows.
pub(super) fn zuc_256(cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
    /// The most keystream that the designers allow under one key and IV: 20000 bits.
    const LIMIT: u64 = 2500;
    models::<Zuc256StreamCipher>(cell.model, keys, run)?;
    if cell.model != Model::Stream && cell.size <= LIMIT {
        return Ok(Notes::default());
    }
    Ok(Notes {
        flags: vec!["outside the specification".to_owned()],
        remark: format!("ZUC-256 allows {LIMIT} bytes under one key and IV"),
    })
}

fn models<C>(model: Model, keys: &Keys, run: Run<'_>) -> Result<(), Refusal>
where
    C: cipher04::KeyIvInit + cipher04::StreamCipher,
{
    const FAULT: Fault = "StreamCipher::try_apply_keystream";
    let make = |key: &[u8], iv: &[u8]| C::new_from_slices(key, iv).map_err(|_| "KeyIvInit::new");
    let apply = |stream: &mut C, data: Data<'_>| {
        match data {
            Data::InPlace(data) => stream.try_apply_keystream(data),
            Data::Disjoint(input, output) => match stream.apply_keystream_b2b(input, output) {
                Ok(()) => Ok(()),
                Err(_) => return Err(FAULT),
            },
        }
        .map_err(|_| FAULT)
    };
    match model {
        Model::Init | Model::Packet | Model::Message => run(&mut |message: Message<'_>| {
            apply(black_box(&mut make(message.key, message.iv)?), message.data)
        }),
        Model::Stream => {
            let mut stream = make(keys.key(0), keys.iv(0))?;
            run(&mut |message: Message<'_>| apply(&mut stream, message.data));
        }
        Model::Key | Model::Batch | Model::Latency => {
            return Err(format!("a stream cipher can't be measured in model {model}").into());
        }
    }
    Ok(())
}
