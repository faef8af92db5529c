//! Streams of Arrow's, which must have their end mark: the format lets a writer close a pipe instead, but of
//! a file nobody could tell that from one that was cut off between two batches.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, SchemaRef};

/// A file that remembers whether somebody wanted more than it has. A reader of a stream that has its mark
/// stops there, and does not.
struct Watched {
    file: BufReader<File>,
    ended: Arc<AtomicBool>,
}

impl Read for Watched {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        if read == 0 && !into.is_empty() {
            self.ended.store(true, Ordering::Relaxed);
        }
        Ok(read)
    }
}

/// The batches of a stream.
pub(super) struct Stream {
    reader: StreamReader<Watched>,
    ended: Arc<AtomicBool>,
    over: bool,
}

impl Stream {
    /// Reads the schema.
    ///
    /// # Errors
    /// What is no stream.
    pub(super) fn new(file: BufReader<File>) -> Result<Self, ArrowError> {
        let ended = Arc::new(AtomicBool::new(false));
        let reader = StreamReader::try_new(Watched { file, ended: Arc::clone(&ended) }, None)?;
        Ok(Self { reader, ended, over: false })
    }

    pub(super) fn schema(&self) -> SchemaRef {
        self.reader.schema()
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let next = self.reader.next();
        self.over = next.is_none();
        if self.over && self.ended.load(Ordering::Relaxed) {
            let error =
                "the stream is cut off: its end mark, FF FF FF FF 00 00 00 00, is not there";
            return Some(Err(ArrowError::IpcError(error.to_owned())));
        }
        next
    }
}
