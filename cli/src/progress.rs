//! Progress on standard error: a bar with the remaining time, steps with the elapsed time.

use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure;
use crate::files::stop;

/// So often a line says how far it is, where standard error is no terminal.
const LINES: Duration = Duration::from_secs(60);

/// The bar of a long verb; a line a minute where standard error is no terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
    steps: u64,
    /// When the last line was written; none on a terminal.
    line: Option<Instant>,
}

impl Bar {
    /// A bar of unknown length.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let line = bar.is_hidden().then(Instant::now);
        Self { bar, steps: 0, line }
    }

    /// Sets how many steps there are.
    pub(crate) fn length(&mut self, steps: u64) {
        self.steps = steps;
        self.bar.set_length(steps);
    }

    /// Shows a step that begins.
    pub(crate) fn step(&mut self, done: u64, message: String) {
        if let Some(last) = &mut self.line
            && last.elapsed() >= LINES
        {
            *last = Instant::now();
            anstream::eprintln!("{done} of {}: {message}", self.steps);
        }
        self.bar.set_position(done);
        self.bar.set_message(message);
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}

impl lab::run::Progress for Bar {
    fn planned(&mut self, series: u64, seconds: f64) {
        self.length(series);
        if self.line.is_some() && seconds >= LINES.as_secs_f64() {
            anstream::eprintln!("{series} series, about {}", remaining(seconds));
        }
        self.step(0, format!("about {}", remaining(seconds)));
    }

    fn series(&mut self, label: &str, done: u64, seconds_left: f64) {
        self.step(done, format!("{} left  {label}", remaining(seconds_left)));
    }

    fn stopped(&self) -> bool {
        stop::asked()
    }

    fn note(&mut self, text: &str) {
        self.bar.suspend(|| failure::print_note(text));
    }
}

/// The bytes of a file: rate and remaining time; invisible where standard error is no terminal.
pub(crate) struct Bytes(ProgressBar);

impl Bytes {
    /// A bar for a file of that length, if it is known.
    pub(crate) fn new(what: &str, path: &Path, len: Option<u64>) -> Self {
        let bar = ProgressBar::with_draw_target(len, ProgressDrawTarget::stderr());
        let template = if len.is_some() {
            "{bar:24} {bytes} of {total_bytes}  {binary_bytes_per_sec}  {eta} left  {wide_msg}"
        } else {
            "{spinner} {bytes}  {binary_bytes_per_sec}  {wide_msg}"
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(format!("{what} {}", path.display()));
        Self(bar)
    }

    /// So many bytes more are done.
    pub(crate) fn more(&self, bytes: u64) {
        self.0.inc(bytes);
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The steps of something that takes minutes: a line each, and on a terminal a running time.
pub(crate) struct Steps {
    begin: Instant,
    running: ProgressBar,
}

impl Steps {
    pub(crate) fn new() -> Self {
        let running = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
        running.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Self { begin: Instant::now(), running }
    }
}

impl recipes::Progress for Steps {
    fn step(&mut self, engine: &str, text: &str) {
        let seconds = self.begin.elapsed().as_secs();
        self.running.suspend(|| anstream::eprintln!("[{seconds:>4} s] {engine}: {text}"));
        self.running.reset_elapsed();
        self.running.set_message(format!("{engine}: {text}"));
        self.running.enable_steady_tick(Duration::from_millis(200));
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.running.finish_and_clear();
    }
}

fn remaining(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}
