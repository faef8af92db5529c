//! A sample of columns: in bounded memory, from all rows, since an engine's newer values may be in another
//! dialect than its older ones.

use zeroize::Zeroizing;

use crate::args::DoctorArgs;
use crate::cells::reader;
use crate::failure::Failure;
use crate::input::Table;
use crate::work::bar;

/// Cells of a column, each of all that are there as likely as any other, however many there are.
pub(crate) struct Sample {
    /// What is not encrypted stands among the cells too.
    pub(crate) kept: Vec<Zeroizing<Vec<u8>>>,
    size: usize,
    seen: u64,
    /// Numbers that are the same in every run (xorshift64*), so that a verdict is.
    numbers: u64,
}

impl Sample {
    const fn new(size: usize) -> Self {
        Self { kept: Vec::new(), size, seen: 0, numbers: 0x5eed }
    }

    fn next(&mut self) -> u64 {
        self.numbers ^= self.numbers >> 12;
        self.numbers ^= self.numbers << 25;
        self.numbers ^= self.numbers >> 27;
        self.numbers.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 1
    }

    /// The nth cell takes the place of one that is kept with probability size/n (Vitter's algorithm R).
    fn offer(&mut self, cell: &[u8]) {
        self.seen += 1;
        if self.kept.len() < self.size {
            self.kept.push(Zeroizing::new(cell.to_vec()));
            return;
        }
        let place = usize::try_from(self.next() % self.seen).unwrap_or(usize::MAX);
        if let Some(kept) = self.kept.get_mut(place) {
            *kept = Zeroizing::new(cell.to_vec());
        }
    }
}

/// Draws a sample of each column from all rows that are to be read.
pub(crate) fn samples(
    args: &DoctorArgs,
    table: &mut Table,
    columns: &[(usize, String)],
) -> Result<Vec<Sample>, Failure> {
    let mut samples: Vec<Sample> =
        columns.iter().map(|_| Sample::new(args.sample as usize)).collect();
    let most = args.rows.unwrap_or(u64::MAX);
    let bar = bar("doctor", table.total);
    while let Some(chunk) = table.rows.next()? {
        for ((place, name), sample) in columns.iter().zip(&mut samples) {
            let array = chunk.batch.column(*place);
            let cells = reader(array.as_ref()).ok_or_else(|| {
                Failure::usage(format!("column `{name}` can't be read"), "allowed: text or bytes")
            })?;
            let rows = usize::try_from(most - (chunk.first - 1)).unwrap_or(usize::MAX);
            let there = (0..array.len().min(rows)).filter_map(cells).filter(|it| !it.is_empty());
            there.for_each(|cell| sample.offer(cell));
        }
        bar.set_position(chunk.done);
        if chunk.first - 1 + chunk.batch.num_rows() as u64 >= most {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn every_cell_is_drawn_about_as_often_as_any_other() {
        let (cells, size, runs) = (400_u64, 40, 500);
        let mut tally = [0_u32; 400];
        let mut sample = Sample::new(size);
        for _ in 0..runs {
            (sample.kept, sample.seen) = (Vec::new(), 0);
            (0..cells).for_each(|cell| sample.offer(&cell.to_le_bytes()));
            assert_eq!(sample.kept.len(), size);
            for kept in &sample.kept {
                tally[u64::from_le_bytes(kept[..].try_into().unwrap()) as usize] += 1;
            }
        }
        // Each is expected 50 times, with a deviation of 6.7; four of them and a half.
        assert!(tally.iter().all(|it| (20..=80).contains(it)), "{tally:?}");
        let quarters: Vec<u32> = tally.chunks(100).map(|it| it.iter().sum()).collect();
        assert!(quarters.iter().all(|it| (4800..5200).contains(it)), "{quarters:?}");
    }
}
