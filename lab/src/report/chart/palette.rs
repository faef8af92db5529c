//! Colours and marks of series. Okabe and Ito's colours stay apart under every
//! common colour blindness; yellow is left out because it is faint on white.
//! Shape and dashes tell series apart without any colour.

use plotters::style::RGBColor;

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(0x1a, 0x1a, 0x1a);
/// Text on a pale shade, which a dark page doesn't turn light.
pub(super) const DARK: RGBColor = RGBColor(0x1b, 0x1b, 0x1b);
/// Grid lines.
pub(super) const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);

const COLORS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x00, 0x00, 0x00),
];

/// A picture whose colours are the page's: each by a name that the page may set anew for a dark
/// background, and as it is where the picture stands alone.
pub(super) fn themed(svg: &str) -> String {
    let named = |text: String, (name, color): (String, RGBColor)| {
        let RGBColor(red, green, blue) = color;
        let hex = format!("\"#{red:02X}{green:02X}{blue:02X}\"");
        text.replace(&hex, &format!("\"var(--{name},{})\"", hex.trim_matches('"')))
    };
    let series = COLORS.into_iter().enumerate();
    let names = [("ink".to_owned(), INK), ("line".to_owned(), GRID)];
    let all = names.into_iter().chain(series.map(|(at, color)| (format!("c{at}"), color)));
    all.fold(svg.to_owned(), named)
}

/// The colour of the series with this number.
pub(super) const fn color(series: usize) -> RGBColor {
    COLORS[series % COLORS.len()]
}

/// A shade of one hue: pale at 0, dark at 1.
pub(super) fn shade(depth: f64) -> RGBColor {
    let mix = |pale: u8, dark: u8| {
        (f64::from(pale) + (f64::from(dark) - f64::from(pale)) * depth).round() as u8
    };
    RGBColor(mix(0xe8, 0x00), mix(0xf1, 0x3a), mix(0xf8, 0x5e))
}

/// The shape of a series' points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Circle,
    Square,
    Triangle,
    Cross,
}

/// The shape of the series with this number.
pub(super) const fn mark(series: usize) -> Mark {
    match series % 4 {
        0 => Mark::Circle,
        1 => Mark::Square,
        2 => Mark::Triangle,
        _ => Mark::Cross,
    }
}
