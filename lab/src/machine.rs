//! The machine card: what a figure depends on and a reader can't see.

mod folder;

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::clock::{Clock, Counter, Rate};
use crate::record::Machine;
pub use folder::folder;

/// The commit that the laboratory was built from, in 12 digits; `unknown` outside of a checkout.
pub const COMMIT: &str = env!("LAB_COMMIT");

/// Watches the machine from the start of a run to its end.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    rate: Rate,
    stolen: Option<CpuTime>,
}

impl Watch {
    /// Starts.
    #[must_use]
    pub fn start() -> Self {
        Self { rate: Rate::start(Clock::best()), stolen: CpuTime::now() }
    }

    /// Ticks a second of the finest clock, over the time since the start.
    #[must_use]
    pub fn hertz(&self) -> f64 {
        self.rate.hertz()
    }

    /// The machine card. `chain` is the least ticks per dependent addition that the run saw.
    #[must_use]
    pub fn card(&self, levels: Vec<String>, chain: Option<f64>) -> Machine {
        let steal = self.stolen.zip(CpuTime::now()).and_then(|(before, now)| {
            let total = now.total.checked_sub(before.total).filter(|ticks| *ticks > 0)?;
            Some(now.steal.saturating_sub(before.steal) as f64 / total as f64)
        });
        Machine {
            cpu: cpu(),
            levels,
            default_level: None,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            tsc_hz: self.hertz().round(),
            core_per_tsc: chain.map_or(0.0, |ticks| round(1.0 / ticks)),
            kernel: kernel(),
            steal: steal.map(round),
            facts: facts(),
        }
    }
}

fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// CPU time since the machine was started, from `/proc/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CpuTime {
    total: u64,
    steal: u64,
}

impl CpuTime {
    fn now() -> Option<Self> {
        Self::read(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// The first line: `cpu user nice system idle iowait irq softirq steal guest guest_nice`;
    /// guests are counted in `user` and `nice` too.
    fn read(stat: &str) -> Option<Self> {
        let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
        let fields: Vec<u64> =
            line.split_whitespace().take(8).map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Self { total: fields.iter().sum(), steal: *fields.get(7)? })
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn cpu() -> String {
    let cpuid = raw_cpuid::CpuId::new();
    let brand = cpuid.get_processor_brand_string();
    let brand = brand.map(|brand| brand.as_str().trim().to_owned()).unwrap_or_default();
    let vendor = cpuid.get_vendor_info().map(|vendor| vendor.as_str().to_owned());
    match cpuid.get_feature_info() {
        Some(it) => {
            let (family, model, stepping) = (it.family_id(), it.model_id(), it.stepping_id());
            let vendor = vendor.unwrap_or_default();
            format!("{brand} ({vendor} family {family} model {model} stepping {stepping})")
        }
        None => brand,
    }
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    field("model name")
        .or_else(|| field("CPU part").map(|part| format!("{} part {part}", std::env::consts::ARCH)))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn hypervisor() -> Option<String> {
    let cpuid = raw_cpuid::CpuId::new();
    match cpuid.get_hypervisor_info() {
        Some(info) => Some(format!("{:?}", info.identify())),
        None => {
            let present = cpuid.get_feature_info().is_some_and(|info| info.has_hypervisor());
            Some(if present { "unknown" } else { "none" }.to_owned())
        }
    }
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn hypervisor() -> Option<String> {
    None
}

fn kernel() -> String {
    let read = |name: &str| fs::read_to_string(format!("/proc/sys/kernel/{name}")).ok();
    match (read("ostype"), read("osrelease")) {
        (Some(kind), Some(release)) => format!("{} {}", kind.trim(), release.trim()),
        _ => std::env::consts::OS.to_owned(),
    }
}

/// All memory of the machine.
fn memory() -> Option<String> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let kib = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: f64 = kib.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(format!("{:.1} GiB", kib / 1_048_576.0))
}

/// Whether the CPU's counter of core cycles may be read, and if not, why.
fn counter() -> String {
    match Counter::open() {
        Ok(_) => "perf_event".to_owned(),
        Err(error) => format!("none ({error}): a chain of additions tells"),
    }
}

/// Further facts, those that the system tells.
fn facts() -> Vec<(String, String)> {
    let file = |path: &str| {
        let text = fs::read_to_string(path).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let cpus = "/sys/devices/system/cpu";
    let smt = file(&format!("{cpus}/smt/active")).map(|active| match active.as_str() {
        "1" => "on".to_owned(),
        "0" => "off or hidden".to_owned(),
        _ => active,
    });
    let microcode = file("/proc/cpuinfo").and_then(|info| {
        let line = info.lines().find(|line| line.starts_with("microcode"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let caches: Vec<String> = (0..8)
        .filter_map(|i| {
            let of = |name: &str| file(&format!("{cpus}/cpu0/cache/index{i}/{name}"));
            let (level, size, kind) = (of("level")?, of("size")?, of("type")?);
            (kind != "Instruction").then(|| format!("L{level} {size}"))
        })
        .collect();
    let caches = (!caches.is_empty()).then(|| caches.join(", "));
    let facts = [
        ("hypervisor", hypervisor()),
        ("SMT", smt),
        ("governor", file(&format!("{cpus}/cpu0/cpufreq/scaling_governor"))),
        ("microcode", microcode),
        ("caches", caches),
        ("memory", memory()),
        ("counter of core cycles", Some(counter())),
        ("compiler", Some(env!("LAB_COMPILER").to_owned())),
        ("commit", Some(COMMIT.to_owned())),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// Now, as RFC 3339 in UTC, to the second.
#[must_use]
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    rfc3339(since.as_secs())
}

fn rfc3339(seconds: u64) -> String {
    let (days, second) = (seconds / 86400, seconds % 86400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a number of days since 1970-01-01 in the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last of a year; 719468 days lie
/// between 0000-03-01 and 1970-01-01, and 400 years have 146097.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(951_868_799), "2000-02-29T23:59:59Z");
        assert_eq!(rfc3339(1_234_567_890), "2009-02-13T23:31:30Z");
        assert_eq!(rfc3339(4_107_542_400), "2100-03-01T00:00:00Z");
    }

    #[test]
    fn steal_is_the_eighth_field() {
        let stat = "cpu  10 20 30 40 50 60 70 80 5 5\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(CpuTime::read(stat), Some(CpuTime { total: 360, steal: 80 }));
        assert_eq!(CpuTime::read("cpu  1 2 3\n"), None);
        assert_eq!(CpuTime::read(""), None);
    }

    #[test]
    fn the_card_names_the_machine() {
        let watch = Watch::start();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let card = watch.card(vec!["portable".into()], Some(0.8));
        assert!(!card.cpu.is_empty() && !card.kernel.is_empty());
        assert!(card.tsc_hz > 1e8 && card.cores >= 1, "{card:?}");
        assert_eq!(card.core_per_tsc, 1.25);
        assert!(card.steal.is_none_or(|share| (0.0..=1.0).contains(&share)));
        assert!(card.facts.iter().any(|(name, value)| name == "compiler" && !value.is_empty()));
    }
}
