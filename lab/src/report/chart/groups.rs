//! Groups of bars: a published value beside measured ones.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Canvas, Chart, ReportError, draw, palette, text_style, words};

const WIDTH: u32 = 480;
/// The height of a bar and its name, which stands above it.
const BAR: i32 = 38;
const NAME: i32 = 18;
const GAP: i32 = 34;
/// Room on the left, and for the figures on the right.
const LEFT: i32 = 6;
const RIGHT: i32 = 120;

/// Bars under one heading.
pub(in crate::report) struct Group {
    pub(in crate::report) name: String,
    pub(in crate::report) bars: Vec<Bar>,
}

/// One bar.
pub(in crate::report) struct Bar {
    pub(in crate::report) name: String,
    pub(in crate::report) value: f64,
    /// Its quartiles or interval.
    pub(in crate::report) range: Option<(f64, f64)>,
    /// The value as it is printed.
    pub(in crate::report) text: String,
    /// The place of its colour: 0 for what was published.
    pub(in crate::report) color: usize,
}

/// The chart; bars below 0 reach to the left of the axis.
///
/// # Errors
/// [`ReportError::Render`].
pub(in crate::report) fn chart(
    id: &str,
    title: &str,
    groups: &[Group],
) -> Result<Chart, ReportError> {
    let words_of = |group: &Group| {
        let bars = group.bars.iter().map(|bar| format!("{} {}", bar.name, bar.text));
        format!("{}: {}", group.name, bars.collect::<Vec<_>>().join(", "))
    };
    let description = groups.iter().map(words_of).collect::<Vec<_>>().join("; ");
    let rows: i32 = groups.iter().map(|group| GAP + BAR * group.bars.len() as i32).sum();
    draw(id, title, &description, (WIDTH, (rows + 12) as u32), |canvas| {
        paint(canvas, groups).map_err(words)
    })
}

fn paint(
    canvas: &Canvas<'_>,
    groups: &[Group],
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    // An interval is on the axis as a whole: one that was cut off would look narrower than it is.
    let values = || {
        let ends =
            |bar: &Bar| bar.range.map_or([bar.value; 3], |(low, high)| [bar.value, low, high]);
        groups.iter().flat_map(|group| &group.bars).flat_map(ends)
    };
    let (low, high) = values().fold((0.0_f64, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
    let span = f64::from(WIDTH as i32 - LEFT - RIGHT) / (high - low).max(f64::MIN_POSITIVE);
    let x = |value: f64| LEFT + ((value - low) * span).round() as i32;
    let bold = text_style(17).pos(Pos::new(HPos::Left, VPos::Bottom));
    let name = text_style(15).pos(Pos::new(HPos::Left, VPos::Center));
    let value = text_style(16).pos(Pos::new(HPos::Left, VPos::Center));
    let mut top = 0;
    for group in groups {
        top += GAP;
        canvas.draw(&Text::new(group.name.clone(), (4, top - 6), bold.clone()))?;
        for bar in &group.bars {
            let middle = top + NAME + (BAR - NAME) / 2;
            let (from, to) = (x(0.0_f64.min(bar.value)), x(0.0_f64.max(bar.value)));
            let corners = [(from, top + NAME + 2), (to.max(from + 1), top + BAR - 2)];
            canvas.draw(&Rectangle::new(corners, palette::color(bar.color).filled()))?;
            if let Some((low, high)) = bar.range {
                let whisker = palette::INK.stroke_width(1);
                canvas.draw(&PathElement::new([(x(low), middle), (x(high), middle)], whisker))?;
            }
            canvas.draw(&Text::new(bar.name.clone(), (LEFT, top + NAME / 2), name.clone()))?;
            let end = bar.range.map_or(to, |(_, high)| to.max(x(high))) + 8;
            canvas.draw(&Text::new(bar.text.clone(), (end, middle), value.clone()))?;
            top += BAR;
        }
    }
    let axis = palette::INK.stroke_width(1);
    canvas.draw(&PathElement::new([(x(0.0), GAP / 2), (x(0.0), top)], axis))?;
    Ok(())
}
