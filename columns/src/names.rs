//! Names of columns as an option gives them.

/// The names in the words of `--column`: a word is a name where a column is called so, else names with
/// commas between.
pub(crate) fn names(words: &[String], is_there: impl Fn(&str) -> bool) -> Vec<String> {
    let of = |word: &String| {
        if is_there(word) {
            return vec![word.clone()];
        }
        word.split(',').map(str::to_owned).collect()
    };
    words.iter().flat_map(of).collect()
}
