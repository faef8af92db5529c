//! What `raw` refuses before it begins, what it says of what it does not refuse, and the
//! library's errors as its users meet them.

use std::path::Path;

use cipherlane::modes::Padding;

use super::{Args, Verb};
use crate::failure::{Exit, Failure, print_note};
use crate::files::raw::transform::{Form, Name};

/// Refuses options that would be ignored, or that would let keys be used in a way that breaks
/// them.
///
/// # Errors
/// If there is one.
pub(super) fn refuse(args: &Args, name: &Name) -> Result<(), Failure> {
    let cipher = args.cipher();
    if args.aad.is_some()
        && matches!(name.form, Form::Plain(_) | Form::Message(_) | Form::Stealing(_))
    {
        let error = format!("--aad with {cipher}, which authenticates nothing");
        return Err(Failure::usage(error, "leave --aad away, or take an AEAD such as sm4-gcm"));
    }
    if args.iv_in_front && matches!(name.form, Form::Sm3Hmac(_)) {
        let error = format!(
            "--iv-in-front with {cipher}, whose HMAC is not over the IV: who changes the IV \
             changes the plaintext, unnoticed"
        );
        let help = "give the IV with --iv and the data without it, or take sm4-gcm";
        return Err(Failure::usage(error, help));
    }
    if args.frame.is_given() && name.plain().is_none() {
        let error = format!("--count with {cipher}, which is no algorithm of 3GPP");
        return Err(Failure::usage(error, "give --iv HEX, or take nea1 to nea6"));
    }
    if args.sector.is_given() {
        if !name.of_sectors() {
            let error = format!("--sector with {cipher}, which no disk has");
            let help = "take a cipher of 16-byte blocks with -xts, -xts-gb, -cbc or -cbc-cts";
            return Err(Failure::usage(error, help));
        }
        if !args.raw_key.is_given() {
            let error = "--sector with a passphrase, of which disks make keys in their own ways";
            let help = "give the volume's key with --raw-key (dmsetup table --showkeys prints it)";
            return Err(Failure::usage(error, help));
        }
    }
    let given =
        args.sector.is_given() || args.iv.is_some() || args.iv_in_front || args.frame.is_given();
    if args.raw_key.is_given() && !given && name.iv > 0 {
        let error = format!("{cipher} needs an IV of {} bytes", name.iv);
        let help = match (args.direction, &name.form) {
            (_, Form::Sm3Hmac(_)) => "give --iv HEX",
            (Verb::Encrypt, _) => "give --iv HEX, or --iv-in-front, which draws one",
            (Verb::Decrypt, _) => "give --iv HEX, or --iv-in-front if the data begins with it",
        };
        return Err(Failure::usage(error, help));
    }
    if matches!(name.form, Form::Aead(_)) && derives_again(args) {
        let error = format!(
            "{cipher} without a drawn salt: each message under this passphrase would have the same \
             key and nonce, and two of them give both away"
        );
        let help = "leave --salt and --no-salt away, or give --iv-in-front, which draws a nonce";
        return Err(Failure::usage(error, help));
    }
    Ok(())
}

/// Whether encrypting takes key and IV of the passphrase alone.
fn derives_again(args: &Args) -> bool {
    let drawn = args.salt.is_none() && !args.no_salt;
    let own_iv = args.iv.is_some() || args.iv_in_front || args.frame.is_given();
    args.direction == Verb::Encrypt && !args.raw_key.is_given() && !drawn && !own_iv
}

/// Says what is not protected.
pub(super) fn warn(args: &Args, name: &Name) {
    let cipher = args.cipher();
    if name.tag() == 0 {
        let key = if args.raw_key.is_given() { "key" } else { "passphrase" };
        let wrong = match (args.direction, name.padded()) {
            (Verb::Decrypt, padded) if padded.is_none() || args.sector.is_given() => {
                format!(", and so does a wrong {key}: what comes out is garbage then")
            }
            _ => String::new(),
        };
        print_note(&format!("{cipher} is without authentication: changes go unnoticed{wrong}"));
    }
    if matches!(name.form, Form::Sm3Hmac(_)) {
        let aad = if args.aad.is_some() {
            "the associated data and the ciphertext in one, not where one ends, and not over "
        } else {
            "the ciphertext, not over "
        };
        print_note(&format!(
            "the HMAC of {cipher} is over {aad}the IV, as GmSSL has it: a changed IV goes unnoticed"
        ));
    }
    if !matches!(name.form, Form::Aead(_)) && derives_again(args) {
        print_note(
            "without a drawn salt all messages under this passphrase have the same key and IV, \
             which tells what they have in common",
        );
    }
}

/// An error of the library. `read` is how many bytes of data there were.
pub(super) fn refused(args: &Args, path: &Path, read: u64, error: &objects::Failure) -> Failure {
    use objects::Kind;
    let text = error.to_string();
    match error.kind() {
        Kind::Tag | Kind::Padding => {
            let help = "another key, IV, cipher or hash, or the data was changed";
            Failure::new(Exit::Failed, format!("the data does not open: {text}"), help)
        }
        Kind::Value if args.sector.is_given() => {
            Failure::usage(text, "give a smaller --sector, or less data")
        }
        Kind::Block if args.sector.is_given() => {
            let help = "take whole sectors: a disk has no others, and fscrypt fills up the last with zeros";
            Failure::usage(text, help)
        }
        Kind::Block if args.direction == Verb::Decrypt => {
            let error = format!("{}: {read} bytes are no whole blocks: {text}", path.display());
            let help = "it is cut off, or of another cipher or mode; take an undamaged copy";
            Failure::new(Exit::Failed, error, help)
        }
        Kind::Block if args.padding() == Padding::None => {
            Failure::usage(text, "leave --no-padding away, or take whole blocks")
        }
        _ => Failure::usage(text, "see `cipherlane list` for key and IV lengths"),
    }
}
