//! A flame graph: functions as bars as wide as the samples in them, callers below.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Canvas, Chart, ReportError, draw, palette, text_style, words};

const WIDTH: i32 = 480;
const ROW: i32 = 24;
/// About the width of a letter.
const LETTER: i32 = 9;

/// A function in one place of the stacks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Frame {
    name: String,
    samples: u64,
    callees: Vec<Self>,
}

impl Frame {
    /// Reads folded stacks: a line each, functions parted by `;`, the number of samples last.
    fn read(text: &str) -> Self {
        let mut root = Self { name: "all".to_owned(), ..Self::default() };
        for line in text.lines() {
            let Some((stack, count)) = line.rsplit_once(' ') else { continue };
            let Ok(count) = count.parse::<u64>() else { continue };
            root.samples += count;
            let mut frame = &mut root;
            for name in stack.split(';') {
                let place = frame.callees.iter().position(|it| it.name == name);
                let place = place.unwrap_or_else(|| {
                    frame.callees.push(Self { name: name.to_owned(), ..Self::default() });
                    frame.callees.len() - 1
                });
                frame = &mut frame.callees[place];
                frame.samples += count;
            }
        }
        root
    }

    fn depth(&self) -> i32 {
        1 + self.callees.iter().map(Self::depth).max().unwrap_or(0)
    }

    /// Every function with its samples in percent, callers first.
    fn told(&self, of: u64, into: &mut Vec<String>) {
        into.push(format!("{} {:.0} %", self.name, percent(self.samples, of)));
        self.callees.iter().for_each(|callee| callee.told(of, into));
    }
}

fn percent(part: u64, of: u64) -> f64 {
    part as f64 * 100.0 / of.max(1) as f64
}

/// The chart of folded stacks; none if there are no samples.
///
/// # Errors
/// [`ReportError::Render`].
pub(in crate::report) fn chart(
    id: &str,
    title: &str,
    folded: &str,
) -> Result<Option<Chart>, ReportError> {
    let root = Frame::read(folded);
    if root.samples == 0 {
        return Ok(None);
    }
    let mut told = Vec::new();
    root.told(root.samples, &mut told);
    let height = ROW * root.depth();
    let made = draw(id, title, &told.join("; "), (WIDTH as u32, height as u32), |canvas| {
        paint(canvas, &root, (0, height - ROW), WIDTH, root.samples, 0).map_err(words)
    })?;
    // Names of functions are those of the code, in any language.
    let svg = made.svg.replacen("<svg ", "<svg translate=\"no\" ", 1);
    Ok(Some(Chart { svg, ..made }))
}

fn paint(
    canvas: &Canvas<'_>,
    frame: &Frame,
    (left, top): (i32, i32),
    width: i32,
    of: u64,
    depth: i32,
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let shade = palette::shade(f64::from(depth % 6) / 10.0);
    let corners = [(left, top + 1), (left + width - 1, top + ROW - 1)];
    canvas.draw(&Rectangle::new(corners, shade.filled()))?;
    let text = format!("{} {:.0} %", frame.name, percent(frame.samples, of));
    let room = usize::try_from(width / LETTER).unwrap_or(0);
    // A name that does not fit is left out: a piece of one says less than the bars around it.
    if let Some(text) = [text, frame.name.clone()].into_iter().find(|it| it.chars().count() <= room)
    {
        let style = text_style(15).color(&palette::DARK).pos(Pos::new(HPos::Left, VPos::Center));
        canvas.draw(&Text::new(text, (left + 4, top + ROW / 2), style))?;
    }
    let mut from = left;
    let mut seen = 0;
    for callee in &frame.callees {
        seen += callee.samples;
        // Ends are rounded, not widths, so that bars don't outgrow the one below them.
        let end = left + (f64::from(width) * seen as f64 / frame.samples as f64).round() as i32;
        if end > from {
            paint(canvas, callee, (from, top - ROW), end - from, of, depth + 1)?;
        }
        from = end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDED: &str = "blocks;rounds;xor 6\nblocks;rounds 3\nblocks;load 1\nno count";

    #[test]
    fn stacks_become_a_tree_whose_samples_add_up() {
        let root = Frame::read(FOLDED);
        assert_eq!((root.samples, root.depth(), root.callees.len()), (10, 4, 1));
        let blocks = &root.callees[0];
        let of: Vec<(&str, u64)> =
            blocks.callees.iter().map(|it| (it.name.as_str(), it.samples)).collect();
        assert_eq!(of, [("rounds", 9), ("load", 1)]);
    }

    #[test]
    fn the_chart_tells_every_function_in_words() {
        let chart = chart("f", "Flames", FOLDED).expect("drawn").expect("a chart");
        assert!(chart.description.contains("xor 60 %"), "{}", chart.description);
        assert!(chart.svg.starts_with("<svg") && chart.svg.contains("rounds 90 %"));
        assert!(super::chart("f", "Flames", "").expect("nothing").is_none());
    }
}
