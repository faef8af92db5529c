//! `encrypt_chains`: independent chains of different lengths side by side,
//! written back or only absorbed, against the model.

use cipherlane::block::{Chain, ChainData};
use cipherlane::registry::{ALGORITHMS, New};
use cipherlane::{InOut, Level};
use model::modes::cbc;
use model::random::SplitMix64;
use model::table;

/// One chain: its value before, its data, and how the data is handed over.
struct Input {
    value: Vec<u8>,
    data: Vec<u8>,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    InPlace,
    Disjoint,
    Absorb,
}

fn inputs(random: &mut SplitMix64, chains: usize, block: usize, longest: usize) -> Vec<Input> {
    let mut input = || {
        let value = random.bytes(block);
        let len = random.below(longest + 1) * block;
        let data = random.bytes(len);
        let how = [How::InPlace, How::Disjoint, How::Absorb][random.below(3)];
        Input { value, data, how }
    };
    (0..chains).map(|_| input()).collect()
}

#[test]
fn any_number_of_chains_equals_the_model() {
    for algorithm in ALGORITHMS {
        let New::Block { block, new, .. } = algorithm.new else { continue };
        // Up to past the widest levels' lanes, and more chains than any level has lanes.
        for count in (0..=40).chain([63, 64, 65, 127, 130, 257, 600]) {
            // All of one block or none, short ones, and very unequal ones.
            for longest in [1, 5, 23, 90] {
                let mut random = SplitMix64::new((100 * count + longest) as u64);
                let key = random.bytes(algorithm.key.max);
                let inputs = inputs(&mut random, count, block, longest);
                let model = table::block_cipher(algorithm.name, &key).expect("a model");
                let expected: Vec<Vec<u8>> = inputs
                    .iter()
                    .map(|input| cbc::encrypt(&model.encrypt, &input.value, &input.data))
                    .collect();
                for level in Level::available() {
                    let cipher = new(&key, level).unwrap();
                    let mut values: Vec<_> = inputs.iter().map(|i| i.value.clone()).collect();
                    let mut outputs: Vec<_> = inputs.iter().map(|i| i.data.clone()).collect();
                    let mut chains: Vec<Chain<'_>> = Vec::new();
                    for ((input, value), output) in inputs.iter().zip(&mut values).zip(&mut outputs)
                    {
                        let data = match input.how {
                            How::InPlace => ChainData::Encrypt(output.as_mut_slice().into()),
                            How::Disjoint => {
                                output.fill(0);
                                ChainData::Encrypt(InOut::disjoint(&input.data, output).unwrap())
                            }
                            How::Absorb => ChainData::Absorb(&input.data),
                        };
                        chains.push(Chain { value, data });
                    }
                    cipher.encrypt_chains(&mut chains);
                    drop(chains);
                    for (i, input) in inputs.iter().enumerate() {
                        let place = format!(
                            "{}, {level}, chain {i} of {count}, {} bytes, {:?}, up to {longest} blocks",
                            algorithm.name,
                            input.data.len(),
                            input.how
                        );
                        let last = expected[i].rchunks(block).next().unwrap_or(&input.value);
                        assert_eq!(values[i], last, "{place}, the value");
                        let absorbed = input.how == How::Absorb;
                        let written = if absorbed { &input.data } else { &expected[i] };
                        assert_eq!(outputs[i], *written, "{place}, the data");
                    }
                }
            }
        }
    }
}
