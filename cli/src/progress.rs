//! Progress on standard error: a bar with the remaining time, steps with the elapsed time.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure;

/// The bar of a long verb.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar of unknown length; invisible where standard error is no terminal.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }

    /// Sets how many steps there are.
    pub(crate) fn length(&self, steps: u64) {
        self.0.set_length(steps);
    }

    /// Shows a step that begins.
    pub(crate) fn step(&self, done: u64, message: String) {
        self.0.set_position(done);
        self.0.set_message(message);
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
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
        self.step(0, format!("about {}", remaining(seconds)));
    }

    fn series(&mut self, label: &str, done: u64, seconds_left: f64) {
        self.step(done, format!("{} left  {label}", remaining(seconds_left)));
    }

    fn note(&mut self, text: &str) {
        self.0.suspend(|| failure::print_note(text));
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
