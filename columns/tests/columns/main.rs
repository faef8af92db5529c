//! The program as its users meet it: files of every format, every dialect, bad inputs, kills.

mod bad_inputs;
mod dialects;
mod doctor;
mod formats;
mod groups;
mod independent;
mod kills;
mod place;
mod safe;
mod scale;
mod stored;
mod tables;
mod twenty;
mod types;
mod worst;
