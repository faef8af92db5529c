//! The tests as lines of fields between tabs, for the bindings to other languages.

use core::fmt::Write as _;

use super::{File, Group, Read, Test};
use crate::Mode;
use crate::coding::Coding;
use crate::form::Form;

/// What the fields of a line are. Bytes are hexadecimal digits, and what is not given is `-`.
///
/// `kind` says what comes of it: `value`; `null`, where the engine has NULL for the call;
/// `null-argument`, where an argument is NULL; `refused`, where settings or plaintext are; and
/// `refused-value`, where the stored value is. `drawn` is 1 where the IV is drawn for each value,
/// which can be read then and not written again.
const FIELDS: &str = "kind\tid\torigin\tdialect\tmode\tkey-form\tkey\tiv\tdigest\taad\tcoding\t\
                      plaintext\tstored\tdrawn";

/// The tests of a file as lines, under a line of names.
///
/// ```
/// let file = r#"{"groups": [{"mode": "yashandb-sm4", "source": "", "tests": [
///     {"id": "one", "origin": "computed", "mode": "CBC", "plaintext": "616263",
///      "key_text": "12345678901234567890123456789012",
///      "iv_text": "12345678901234567890123456789012",
///      "stored": "94131D3841F5DEDA81F7651CD7C2CF63"}]}]}"#;
/// let lines = dialects::verify::lines(&serde_json::from_str(file)?)?;
/// assert!(lines.contains("\nvalue\tone\tcomputed\tyashandb-sm4\tCBC\t-\t3132"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The test whose fields can't be read, and why.
pub fn lines(file: &File) -> Result<String, String> {
    let mut text = format!("{FIELDS}\n");
    for group in &file.groups {
        for test in &group.tests {
            let line = line(group, test).map_err(|what| format!("{}: {what}", test.id))?;
            // Writing to a string can't fail.
            let _ = writeln!(text, "{line}");
        }
    }
    Ok(text)
}

fn line(group: &Group, test: &Test) -> Result<String, String> {
    let dialect = group.dialect().ok_or_else(|| format!("no dialect `{}`", group.mode))?;
    let read = Read::of(group, test)?;
    let kind = match test.expect.as_deref() {
        None => "value",
        Some("null") if test.plaintext_null || test.key_null || test.iv_null => "null-argument",
        Some("null") => "null",
        Some(_) if test.operation.as_deref() == Some("decrypt") => "refused-value",
        Some(_) => "refused",
    };
    let drawn = dialect.mode(read.mode.as_deref()).is_ok_and(Mode::draws);
    let own = dialect.codings()[0] == Coding::AsKey;
    let dash = || "-".to_owned();
    let hex = |bytes: Option<&[u8]>| bytes.map_or_else(dash, hex::encode);
    let salted = !read.salt.is_empty();
    Ok([
        kind.to_owned(),
        test.id.clone(),
        test.origin.clone(),
        group.mode.clone(),
        read.mode.clone().unwrap_or_else(dash),
        test.key_form.map_or_else(dash, |form: Form| form.name().to_owned()),
        hex::encode(&read.key),
        hex(read.iv.as_deref().filter(|_| !drawn)),
        read.hash.map_or_else(dash, |hash| hash.name().to_owned()),
        hex::encode(&read.aad),
        read.coding.filter(|_| !own).map_or_else(dash, |coding| coding.name().to_owned()),
        hex::encode(&read.plain),
        hex::encode(read.stored),
        if drawn || salted { "1" } else { "0" }.to_owned(),
    ]
    .join("\t"))
}
