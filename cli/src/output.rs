//! Standard output: colour only for terminals that want it, no panic when the reader leaves.

use std::io::{self, BufWriter, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};
use lab::report::terminal::Style;
use serde::Serialize;

use crate::columns::{COLUMNS, wrapped};
use crate::failure::Failure;

/// Where the results of a verb go.
pub(crate) struct Output {
    sink: BufWriter<Box<dyn Write>>,
    style: Style,
}

impl Output {
    /// Standard output.
    pub(crate) fn new() -> Self {
        let stdout = io::stdout();
        let color = AutoStream::choice(&stdout) != ColorChoice::Never;
        let style = Style { width: width(stdout.is_terminal()), color };
        Self { sink: BufWriter::new(Box::new(stdout)), style }
    }

    /// Standard error, for what stands beside data on standard output.
    pub(crate) fn beside() -> Self {
        let stderr = io::stderr();
        let color = AutoStream::choice(&stderr) != ColorChoice::Never;
        let style = Style { width: width(stderr.is_terminal()), color };
        Self { sink: BufWriter::new(Box::new(stderr)), style }
    }

    /// What the output can show.
    pub(crate) const fn style(&self) -> Style {
        self.style
    }

    /// Prints text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.sink.write_all(text.as_bytes())?)
    }

    /// Prints bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        Ok(self.sink.write_all(bytes)?)
    }

    /// Prints a line.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.text(line)?;
        self.text("\n")
    }

    /// Columns of text: the terminal's, or 100 where there is none.
    pub(crate) fn columns(&self) -> usize {
        self.style.width.unwrap_or(COLUMNS)
    }

    /// Prints a line, or the lines that it takes here; those after the first are set in by `indent`.
    pub(crate) fn wrapped(&mut self, text: &str, indent: usize) -> Result<(), Failure> {
        wrapped(text, indent, self.columns()).iter().try_for_each(|line| self.line(line))
    }

    /// Prints a heading, bold where the terminal can.
    pub(crate) fn heading(&mut self, text: &str) -> Result<(), Failure> {
        for line in wrapped(text, 2, self.columns()) {
            match self.style.color {
                true => self.line(&format!("\x1b[1m{line}\x1b[0m"))?,
                false => self.line(&line)?,
            }
        }
        Ok(())
    }

    /// Prints a value as JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
        self.line(&text)
    }

    /// Sees that everything has gone out.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.sink.flush()?)
    }
}

fn width(terminal: bool) -> Option<usize> {
    let size = terminal_size::terminal_size().filter(|_| terminal)?;
    Some(usize::from(size.0.0).max(40))
}
