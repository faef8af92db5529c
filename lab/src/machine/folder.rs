//! Where figures of a machine are kept; the chores read this file, too.

/// The folder of `docs/machines` for a CPU as a machine card names it: letters and digits in lower
/// case, the stepping left out.
#[must_use]
pub fn folder(cpu: &str) -> String {
    let cpu = cpu.split(" stepping ").next().unwrap_or_default().to_lowercase();
    let words = cpu.split(|it: char| !it.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_after_what_does_not_change_with_the_stepping() {
        let cpu = "AMD EPYC (AuthenticAMD family 25 model 17 stepping 1)";
        assert_eq!(folder(cpu), "amd-epyc-authenticamd-family-25-model-17");
        assert_eq!(folder("Neoverse-N1"), "neoverse-n1");
        assert_eq!(folder(" / "), "");
    }
}
