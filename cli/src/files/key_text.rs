//! The text of keys and passphrases: read as far as there can be one, and told what is wrong
//! with it without showing any of it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use zeroize::Zeroizing;

use crate::failure::{Exit, Failure};
use crate::files::{fault, names};

/// What a key file begins with.
pub(super) const MARK: &str = "cipherlane-key-1:";

/// Bytes that the text of a key has at most. The longest key of any cipher is far shorter, and
/// what never ends, such as `/dev/zero`, is told at once.
const KEY: usize = 4 << 10;

/// Bytes that a passphrase has at most.
const PASSPHRASE: usize = 64 << 10;

/// Where a text is read from.
pub(super) struct Text {
    file: File,
    place: String,
}

impl Text {
    /// A file. `descriptor` is the option that reads standard input.
    ///
    /// # Errors
    /// A file that can't be read; `-`.
    pub(super) fn file(path: &Path, descriptor: &str) -> Result<Self, Failure> {
        if names::is_stream(path) {
            let help = format!("give `{descriptor} 0` to read it from standard input");
            return Err(Failure::usage("`-` is not the name of a file with a key", help));
        }
        let file = File::open(path).map_err(|error| fault::io("read the key in", path, &error))?;
        Ok(Self { file, place: path.display().to_string() })
    }

    /// An open descriptor.
    ///
    /// # Errors
    /// One that is not open.
    pub(super) fn descriptor(number: u32) -> Result<Self, Failure> {
        let path = Path::new("/dev/fd").join(number.to_string());
        let file = File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let error = format!("descriptor {number} is not open");
                Failure::new(Exit::Environment, error, format!("open it, as with {number}< FILE"))
            }
            _ => fault::io("read the key in", &path, &error),
        })?;
        Ok(Self { file, place: format!("descriptor {number}") })
    }

    /// What it is called in messages.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// All of it.
    ///
    /// # Errors
    /// That of the system; more than a key can be.
    pub(super) fn whole(self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        self.read(KEY, "key", |_| false)
    }

    /// Its first line.
    ///
    /// # Errors
    /// That of the system; a line that does not end.
    pub(super) fn first_line(self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let text = self.read(PASSPHRASE, "passphrase", |new| new.contains(&b'\n'))?;
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        Ok(Zeroizing::new(line.strip_suffix(b"\r").unwrap_or(line).to_vec()))
    }

    /// Reads until the end or until there is `enough`.
    fn read(
        mut self,
        most: usize,
        what: &str,
        enough: fn(&[u8]) -> bool,
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        // One place from the beginning: a vector that grows leaves copies behind.
        let mut text = Zeroizing::new(vec![0; most + 1]);
        let mut filled = 0;
        while filled <= most {
            match self.file.read(&mut text[filled..]) {
                Ok(0) => break,
                Ok(more) => {
                    filled += more;
                    if enough(&text[filled - more..filled]) {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(fault::io("read the key in", Path::new(&self.place), &error));
                }
            }
        }
        if filled > most && !enough(&text) {
            let error = format!("{} holds more than {most} bytes: no {what}", self.place);
            return Err(Failure::usage(error, format!("name a file that holds the {what}")));
        }
        text.truncate(filled);
        Ok(text)
    }
}

/// Why a text is no number of hexadecimal digits, if it isn't; `digits` is how many there must
/// be, where that is known.
pub(super) fn fault_of_digits(text: &[u8], digits: Option<usize>) -> Option<String> {
    let whole = |it: &&u8| !it.is_ascii_hexdigit();
    Some(match text.iter().position(|byte| whole(&byte)) {
        _ if text.is_empty() => "it is empty".to_owned(),
        _ if text.contains(&b'#') => "it has a comment (`#`)".to_owned(),
        Some(1) if matches!(text, [b'0', b'x' | b'X', ..]) => "it begins with `0x`".to_owned(),
        Some(at) => match text[at] {
            b':' => "there are colons between its digits".to_owned(),
            b'\n' | b'\r' => "it has more than one line".to_owned(),
            byte if byte.is_ascii_whitespace() => "there are blanks between its digits".to_owned(),
            _ => format!("its character {} is no hexadecimal digit", at + 1),
        },
        None => match digits {
            Some(needed) if text.len() == needed => return None,
            Some(needed) => format!("it has {} digits instead of {needed}", text.len()),
            None if text.len().is_multiple_of(2) => return None,
            None => format!("it has {} digits, an odd number", text.len()),
        },
    })
}

/// Why a text is no key of `keygen`.
pub(super) fn fault_of_key(text: &[u8]) -> String {
    let begins = |text: &[u8], mark: &str| {
        text.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark.as_bytes()))
    };
    if let Some(digits) = text.strip_prefix(MARK.as_bytes()) {
        let fault = fault_of_digits(digits, Some(64));
        return fault.map_or_else(String::new, |fault| format!("behind its mark {fault}"));
    }
    if text.is_empty() {
        return "it is empty".to_owned();
    }
    if text.starts_with(b"#") {
        return "it begins with a comment (`#`)".to_owned();
    }
    if begins(text, MARK) {
        return "its mark is not in lower case".to_owned();
    }
    if begins(text, "0x") || text.iter().all(u8::is_ascii_hexdigit) {
        return "it has digits without the mark: a key for `raw` and `mac`, it seems".to_owned();
    }
    if text.split(|byte| *byte == b'\n').any(|line| begins(line, MARK)) {
        return "the key is not in its first line".to_owned();
    }
    "it does not begin with the mark".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_digits_is_told() {
        for (text, said) in [
            ("", "empty"),
            ("# mine\n0011", "comment"),
            ("0x0011", "0x"),
            ("00:11", "colons"),
            ("00 11", "blanks"),
            ("00\n11", "more than one line"),
            ("00g1", "character 3 is"),
            ("001", "3 digits, an odd"),
        ] {
            let fault = fault_of_digits(text.as_bytes(), None).unwrap();
            assert!(fault.contains(said), "{text:?}: {fault}");
        }
        assert_eq!(fault_of_digits(b"00aAfF", None), None);
        assert_eq!(fault_of_digits(b"00aAfF", Some(6)), None);
        assert_eq!(fault_of_digits(b"00", Some(64)).unwrap(), "it has 2 digits instead of 64");
    }

    #[test]
    fn what_is_wrong_with_a_key_file_is_told() {
        let digits = "ab".repeat(32);
        for (text, said) in [
            (String::new(), "empty"),
            (format!("# mine\n{MARK}{digits}"), "begins with a comment"),
            (format!("mine\n{MARK}{digits}"), "not in its first line"),
            (format!("{}{digits}", MARK.to_uppercase()), "not in lower case"),
            (digits.clone(), "without the mark"),
            (format!("0x{digits}"), "without the mark"),
            (format!("{MARK}{}", &digits[2..]), "62 digits instead of 64"),
            (format!("{MARK} {digits}"), "blanks"),
            ("a passphrase".to_owned(), "does not begin with the mark"),
        ] {
            let fault = fault_of_key(text.as_bytes());
            assert!(fault.contains(said), "{text:?}: {fault}");
        }
    }
}
