//! A column that is encrypted as MySQL does it.

use crate::place::Place;
use crate::tables::{people, write};

/// The options that read and write it.
pub(crate) const MYSQL: &str = "--dialect mysql-aes --coding hex --raw-key key.txt --key-text";

/// A folder with `stored.csv`: an encrypted column `name` of eight rows.
pub(crate) fn stored() -> Place {
    let place = Place::new();
    write(&place.path("in.csv"), &people(8));
    place.run(&format!("encrypt in.csv -o stored.csv --column name {MYSQL} --weak")).code(0);
    place
}
