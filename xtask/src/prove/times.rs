//! `cargo xtask times`: the t of one case in hundreds of processes, beside those of a leak of known size;
//! what they say of the rule for findings. `prove/times.tsv` keeps every t, `docs/notes/times.svg` draws
//! them, and `docs/notes/times.md` has the figures.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::time::Duration;

use super::{build, program_in};
use crate::here;
use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

pub(crate) const OPTIONS: &[&str] = &["--case=", "--leaks=", "--calls=", "--processes=", "--write"];

const KEPT: &str = "prove/times.tsv";
const HEAD: &str =
    "case\tbranches seeded\tcalls\tCPU\tt of each process\tns of each process\tt that counts\n";
const PICTURE: &str = "docs/notes/times.svg";
const PAGE: &str = "docs/notes/times.md";
/// Between these lines of the page stands what is made here.
const MARKS: [&str; 2] = ["<!-- made by `cargo xtask times --write` -->", "<!-- to here -->"];
/// As in the rule: beyond it a measurement finds a leak.
const LEAK: f64 = 10.0;

/// The processes of one case.
#[derive(Clone, Debug, PartialEq)]
struct Spread {
    case: String,
    leaks: u32,
    calls: u32,
    cpu: String,
    t: Vec<f64>,
    /// How many nanoseconds longer the fixed secret took than random ones.
    longer: Vec<f64>,
    /// The t where the means are far enough apart for a finding; none of the rows from before that was asked.
    counted: Vec<f64>,
}

impl Spread {
    fn parse(line: &str) -> Result<Self, String> {
        let wrong = || format!("{KEPT}: `{line}`");
        let fields: Vec<&str> = line.split('\t').collect();
        let [case, leaks, calls, cpu, t, longer, counted] = fields[..] else {
            return Err(wrong());
        };
        let all = |text: &str| -> Result<Vec<f64>, String> {
            text.split_terminator(' ').map(|it| it.parse().map_err(|_| wrong())).collect()
        };
        let (Ok(leaks), Ok(calls)) = (leaks.parse(), calls.parse()) else { return Err(wrong()) };
        let (t, longer, counted) = (all(t)?, all(longer)?, all(counted)?);
        if t.len() != longer.len() || ![0, t.len()].contains(&counted.len()) {
            return Err(wrong());
        }
        let [case, cpu] = [case, cpu].map(str::to_owned);
        Ok(Self { case, leaks, calls, cpu, t, longer, counted })
    }

    fn written(&self) -> String {
        let all = |values: &[f64]| {
            values.iter().map(|it| format!("{it:.1}")).collect::<Vec<_>>().join(" ")
        };
        let Self { case, leaks, calls, cpu, t, longer, counted } = self;
        let [t, longer, counted] = [t, longer, counted].map(|it| all(it));
        format!("{case}\t{leaks}\t{calls}\t{cpu}\t{t}\t{longer}\t{counted}\n")
    }

    fn is_of(&self, other: &Self) -> bool {
        (&self.case, self.leaks, self.calls, &self.cpu)
            == (&other.case, other.leaks, other.calls, &other.cpu)
    }

    fn title(&self) -> String {
        let seeded = match self.leaks {
            0 => String::new(),
            some => format!(" and {some} branches on bits of the key"),
        };
        format!("{}{seeded}, {} calls", self.case, self.calls)
    }

    /// |t|, the nearest to 0 first.
    fn sorted(&self) -> Vec<f64> {
        let mut all: Vec<f64> = self.t.iter().map(|t| t.abs()).collect();
        all.sort_unstable_by(f64::total_cmp);
        all
    }

    fn beyond(&self) -> usize {
        self.t.iter().filter(|t| t.abs() > LEAK).count()
    }

    /// How many are findings by the rule, if that was asked.
    fn found(&self) -> Option<usize> {
        let found = self.counted.iter().filter(|t| t.abs() > LEAK).count();
        (!self.counted.is_empty()).then_some(found)
    }
}

/// The value below which a share of sorted ones lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(place.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(0.0)
}

/// The interval of 95 % of a share of which `some` of `all` were seen, as Wilson has it, but for none or
/// all of them, where it is the exact bound of one side: 3/n and so on.
fn interval(some: usize, all: usize) -> (f64, f64) {
    let (n, p) = (all as f64, some as f64 / all as f64);
    let z = 1.96_f64;
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let one_sided = 1.0 - 0.05_f64.powf(1.0 / n);
    match some {
        0 => (0.0, one_sided),
        _ if some == all => (1.0 - one_sided, 1.0),
        _ => (middle - half, middle + half),
    }
}

fn read() -> Result<Vec<Spread>, String> {
    if !workspace::root().join(KEPT).exists() {
        return Ok(Vec::new());
    }
    workspace::read(KEPT)?.lines().skip(1).map(Spread::parse).collect()
}

/// The lines of the page.
fn told(all: &[Spread]) -> String {
    let mut text = String::from(
        "| case | processes | ns between the classes, median | median of \\|t\\| | 99 % below | farthest | beyond 10 | found | of 100 processes, 95 % | CPU |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for spread in all {
        let sorted = spread.sorted();
        let mut longer = spread.longer.clone();
        longer.sort_unstable_by(f64::total_cmp);
        let found = spread.found();
        let (low, high) = interval(found.unwrap_or_else(|| spread.beyond()), sorted.len());
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {} | {} | {:.1} to {:.1} | {} |",
            spread.title(),
            sorted.len(),
            quantile(&longer, 0.5),
            quantile(&sorted, 0.5),
            quantile(&sorted, 0.99),
            sorted.last().copied().unwrap_or(0.0),
            spread.beyond(),
            found.map_or_else(|| "not asked".into(), |some| some.to_string()),
            100.0 * low,
            100.0 * high,
            spread.cpu,
        );
    }
    text
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 940.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 330.0;
/// The ends of the axis of |t|.
const ENDS: (f64, f64) = (0.5, 1000.0);
const COLOURS: [&str; 8] =
    ["#1b6ca8", "#2a9d8f", "#6a4c93", "#b5651d", "#c0392b", "#e67e22", "#d4a017", "#7f8c8d"];

/// Which share of the processes had a |t| below each value, a line a case.
fn draw(all: &[Spread]) -> String {
    let x = |t: f64| {
        let part = (t.clamp(ENDS.0, ENDS.1) / ENDS.0).ln() / (ENDS.1 / ENDS.0).ln();
        LEFT + part * (RIGHT - LEFT)
    };
    let y = |share: f64| BOTTOM - share * (BOTTOM - TOP);
    let height = HEIGHT.max(BOTTOM + 50.0 + 18.0 * all.len() as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <title>The share of processes with a t nearer to 0 than each value, sound cases and seeded leaks</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for t in [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0] {
        let (x, colour) = (x(t), if t == LEAK { "#c00" } else { "#ddd" });
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {TOP}V{BOTTOM}\" stroke=\"{colour}\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{t}</text>",
            BOTTOM + 16.0
        );
    }
    for share in [0.0, 0.5, 1.0] {
        let y = y(share);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{:.0} %</text>",
            LEFT - 6.0,
            y + 4.0,
            100.0 * share
        );
    }
    for (place, (spread, colour)) in all.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let sorted = spread.sorted();
        let (mut path, n) = (String::new(), sorted.len() as f64);
        for (i, t) in sorted.iter().enumerate() {
            let step = if path.is_empty() { 'M' } else { 'H' };
            let _ = write!(path, "{step}{:.1}", x(*t));
            if step == 'M' {
                let _ = write!(path, " {:.1}", y(0.0));
            }
            let _ = write!(path, "V{:.1}", y((i + 1) as f64 / n));
        }
        let dashes = if spread.leaks > 0 { " stroke-dasharray=\"5 3\"" } else { "" };
        let line = BOTTOM + 44.0 + 18.0 * place as f64;
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dashes}/>\n\
             <path d=\"M{LEFT} {}h28\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{}\" y=\"{line}\">{}: {} processes</text>",
            line - 4.0,
            LEFT + 36.0,
            spread.title(),
            sorted.len()
        );
    }
    svg + "</svg>\n"
}

/// The page with these lines between its marks.
fn placed(page: &str, lines: &str) -> Result<String, String> {
    let [first, last] = MARKS;
    let lacks = || format!("{PAGE} lacks the line `{first}` or `{last}`");
    let (before, rest) = page.split_once(first).ok_or_else(lacks)?;
    let (_, after) = rest.split_once(last).ok_or_else(lacks)?;
    Ok(format!("{before}{first}\n\n{lines}\n{last}{after}"))
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let value = |name: &str| options.iter().find_map(|it| it.strip_prefix(name));
    let number = |name: &str, usual: u32| match value(name) {
        None => Ok(usual),
        Some(text) => text.parse().map_err(|_| format!("{name}{text}: a whole number")),
    };
    let mut all = read()?;
    if let Some(case) = value("--case=") {
        let (leaks, calls) = (number("--leaks=", 0)?, number("--calls=", 10_000)?);
        let processes = number("--processes=", 100)?;
        let folder = build()?;
        let mut new = Spread {
            case: case.into(),
            leaks,
            calls,
            cpu: here::cpu(),
            t: Vec::new(),
            longer: Vec::new(),
            counted: Vec::new(),
        };
        let mut command = Command::new(program_in(&folder));
        command.args(["spread", case]);
        for (name, value) in [("--leaks", leaks), ("--calls", calls), ("--processes", processes)] {
            command.args([name, &value.to_string()]);
        }
        let text =
            stage(&new.title(), Duration::from_secs(120), || workspace::output(&mut command))?;
        for line in text.lines() {
            let numbers: Vec<f64> = line.split('\t').filter_map(|it| it.parse().ok()).collect();
            let [t, longer, counted] = numbers[..] else { return Err(format!("`{line}` is no t")) };
            new.t.push(t);
            new.longer.push(longer);
            new.counted.push(counted);
        }
        println!(
            "   {} of {} beyond {LEAK}, {} found",
            new.beyond(),
            new.t.len(),
            new.found().unwrap_or(0)
        );
        // Read again: another one may have run beside it.
        all = read()?;
        match all.iter_mut().find(|it| it.is_of(&new)) {
            Some(old) if !old.counted.is_empty() => {
                old.t.append(&mut new.t);
                old.longer.append(&mut new.longer);
                old.counted.append(&mut new.counted);
            }
            Some(old) => *old = new,
            None => all.push(new),
        }
    }
    if all.is_empty() {
        return Err(format!("{KEPT} has no case yet; name one, as --case=sm4/cbc-mac-6@portable"));
    }
    all.sort_by(|a, b| {
        (a.leaks, &a.case, a.calls, &a.cpu).cmp(&(b.leaks, &b.case, b.calls, &b.cpu))
    });
    print!("{}", told(&all));
    if options.iter().any(|it| it == "--write") {
        let text: String = all.iter().map(Spread::written).collect();
        // As the file has them, which rounds: page and picture are made from it again.
        let all = text.lines().map(Spread::parse).collect::<Result<Vec<_>, _>>()?;
        let page = placed(&workspace::read(PAGE)?, &told(&all))?;
        for (place, text) in [(KEPT, HEAD.to_owned() + &text), (PICTURE, draw(&all)), (PAGE, page)]
        {
            let path = workspace::root().join(place);
            fs::write(&path, text).map_err(|error| format!("{place}: {error}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(leaks: u32, t: &[f64]) -> Spread {
        let [case, cpu] = ["sm4/ctr@avx2", "a CPU"].map(str::to_owned);
        Spread {
            case,
            leaks,
            calls: 100,
            cpu,
            t: t.to_vec(),
            longer: vec![0.5; t.len()],
            counted: t.to_vec(),
        }
    }

    #[test]
    fn what_was_measured_is_read_back() {
        let one = spread(8, &[1.5, -20.0, 3.0]);
        assert_eq!(Spread::parse(one.written().trim_end()).unwrap(), one);
        assert!(Spread::parse("a\t1\t2\tcpu\t1.0 2.0\t1.0\t").is_err());
        assert!(Spread::parse("a\t1\t2\tcpu\t1.0 2.0\t1.0 2.0\t1.0").is_err());
        assert!(Spread::parse("a\tmany\t2\tcpu\t1.0\t1.0\t").is_err());
        // Rows from before what counts was asked.
        assert_eq!(Spread::parse("a\t1\t2\tcpu\t1.0\t1.0\t").unwrap().found(), None);
        assert!(one.is_of(&spread(8, &[])) && !one.is_of(&spread(0, &[])));
        read().unwrap();
    }

    #[test]
    fn figures_are_those_of_the_processes() {
        let mut one = spread(8, &[1.5, -20.0, 3.0, 12.0]);
        one.counted[3] = 0.0;
        let lines = told(&[one]);
        let row =
            "8 branches on bits of the key, 100 calls | 4 | 0.5 | 3.0 | 20.0 | 20.0 | 2 | 1 |";
        assert!(lines.contains(row), "{lines}");
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.5), 2.0);
        assert_eq!(quantile(&[], 0.5), 0.0);
        // Three in n, and the same from the other end.
        let (low, high) = interval(0, 1000);
        assert!(low == 0.0 && (0.0029..0.0031).contains(&high), "{high}");
        assert!((0.9969..0.9971).contains(&interval(1000, 1000).0));
        let (low, high) = interval(50, 100);
        assert!((0.39..0.41).contains(&low) && (0.59..0.61).contains(&high));
    }

    #[test]
    fn the_picture_has_a_line_for_each_case() {
        let svg = draw(&[spread(0, &[1.0, 2.0]), spread(8, &[30.0])]);
        assert!(svg.contains("sm4/ctr@avx2, 100 calls: 2 processes"), "{svg}");
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
    }

    #[test]
    fn the_page_has_what_the_file_says() {
        assert!(placed("no marks", "x").is_err());
        let page = workspace::read(PAGE).unwrap();
        let all = read().unwrap();
        if !all.is_empty() {
            assert_eq!(placed(&page, &told(&all)).unwrap(), page);
            assert_eq!(workspace::read(PICTURE).unwrap(), draw(&all));
        }
    }
}
