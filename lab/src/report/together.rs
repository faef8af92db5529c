//! What was measured on all CPUs at once, for those who asked for it.

use super::all_cpus::{calls, told};
use super::figure;
use super::screen::{columns, label, wrapped};
use super::terminal::Style;
use crate::record::Results;

/// A heading for each row that was measured so, and its figures below it, in lines of the
/// terminal's width; nothing if there is none.
#[must_use]
pub fn render(results: &Results, style: Style) -> Option<String> {
    let width = columns(style);
    let mut lines = Vec::new();
    for row in &results.rows {
        let told: Vec<String> = [told(row), calls(row)].into_iter().flatten().collect();
        if told.is_empty() {
            continue;
        }
        let level =
            if row.cell.level == "-" { String::new() } else { format!(" {}", row.cell.level) };
        let size = match row.cell.size {
            0 => String::new(),
            bytes => format!(" {}", figure::size_label(bytes)),
        };
        let (algorithm, operation, label) = (&row.cell.algorithm, &row.cell.operation, label(row));
        let head = format!("{}{level}: {algorithm}/{operation}{size}, {label}", row.engine);
        lines.extend(wrapped(&head, width));
        for text in &told {
            let part = wrapped(text, width.saturating_sub(2));
            lines.extend(part.iter().map(|line| format!("  {line}")));
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Percentiles, Together};
    use crate::report::fixture;

    #[test]
    fn what_was_measured_on_all_cpus_is_told_and_nothing_else() {
        let mut results = fixture::results();
        assert_eq!(render(&results, Style::default()), None);
        let alone = vec![100.0];
        let beside = vec![vec![104.0, 106.0]];
        let (slowdown, mbps) = (1.05, Some(2000.0));
        let row = &mut results.rows[0];
        row.together = Some(Together { processes: 2, alone, beside, slowdown, mbps });
        let text = render(&results, Style::default()).expect("lines");
        assert_eq!(text.lines().count(), 2);
        let end = "on 2 CPUs at once 2000 Mbps together, each 1.05 times as long as alone\n";
        assert!(text.ends_with(end), "{text}");

        results.rows[0].percentiles = Some(Percentiles {
            processes: 2,
            calls: 5000,
            p50_ns: Some(120.4),
            p99_ns: Some(151.0),
            p999_ns: None,
            max_ns: 90_000.0,
            timer_ns: 11.6,
        });
        let text = render(&results, Style::default()).expect("lines");
        let end = "  single calls on 2 busy CPUs, less the timer's 12 ns: half within 120 ns, 99 % within \
                   151, 99.9 %\n   within ?\n";
        assert!(text.ends_with(end), "{text}");
        assert_eq!(text.lines().count(), 4);
        for width in [40, 72, 100] {
            let text = render(&results, Style { width: Some(width), color: false }).expect("lines");
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        }
    }
}
