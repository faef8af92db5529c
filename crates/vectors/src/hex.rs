//! Lower-case hexadecimal.

/// The bytes that the digits stand for; the error says what is wrong.
pub(crate) fn decode(digits: &str) -> Result<Vec<u8>, String> {
    if !digits.len().is_multiple_of(2) {
        return Err(format!("{} hex digits, an odd number", digits.len()));
    }
    let value = |(place, digit): (usize, u8)| match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => {
            Err(format!("character {:?} at place {place}; allowed: 0-9 and a-f", char::from(digit)))
        }
    };
    let mut digits = digits.bytes().enumerate();
    let mut out = Vec::with_capacity(digits.len() / 2);
    while let (Some(high), Some(low)) = (digits.next(), digits.next()) {
        out.push(value(high)? << 4 | value(low)?);
    }
    Ok(out)
}

/// The digits of bytes.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&bytes)), Ok(bytes));
    }

    #[test]
    fn what_is_not_hex_is_named() {
        assert_eq!(decode("abc").unwrap_err(), "3 hex digits, an odd number");
        assert_eq!(decode("00Ab").unwrap_err(), "character 'A' at place 2; allowed: 0-9 and a-f");
    }
}
