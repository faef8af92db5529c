//! How the t of one case spreads over processes: each is given other pages and another place among caches
//! and branch predictors, for both classes the same, and a t that belongs to a process and not to the code
//! shows only among many of them.

use std::process::Command;

use cipherlane::Level;

use crate::calls::calls;
use crate::share::claims;
use crate::timed::of_one;
use crate::welch::{Apart, apart, middle};

/// What is timed: an operation at a level, and so many branches on bits of its key besides.
#[derive(Clone, Debug)]
pub struct Case {
    /// `ALGORITHM/OPERATION`.
    pub operation: String,
    /// A level of this CPU.
    pub level: Level,
    /// None but in a case that must be found.
    pub leaks: usize,
    /// Calls for one t.
    pub calls: usize,
}

impl Case {
    /// As `sm4/cbc-mac-6@portable` names it.
    ///
    /// # Errors
    /// A name of no operation that claims constant time, and a level that this CPU lacks.
    pub fn named(name: &str, leaks: usize, calls: usize) -> Result<Self, String> {
        let (operation, level) =
            name.split_once('@').ok_or_else(|| format!("`{name}`: a name as sm4/ctr@avx2"))?;
        let level = Level::by_name(level).map_err(|error| error.to_string())?;
        let case = Self { operation: operation.into(), level, leaks, calls };
        if self::calls(claims).iter().any(|call| call.name() == case.operation) {
            return Ok(case);
        }
        Err(format!("{operation} is no operation that claims constant time"))
    }

    /// How far the classes are apart in this process, and how many nanoseconds the calls with the fixed
    /// secret took longer, by the middle halves of both classes.
    ///
    /// # Errors
    /// Those of the operation.
    pub fn here(&self, seed: usize) -> Result<(Apart, f64), String> {
        let all = calls(claims);
        let call = all.iter().find(|call| call.name() == self.operation);
        let call = call.ok_or_else(|| format!("there is no {}", self.operation))?;
        let times = of_one(call, self.level, self.leaks, self.calls, seed)?;
        let of =
            |class: bool| middle(times.iter().filter(|it| it.1 == class).map(|it| it.0).collect());
        let difference = of(false) - of(true);
        Ok((apart(times), difference))
    }

    /// The same in a process after the other, each with other secrets; tells each line.
    ///
    /// # Errors
    /// A process that can't be started, and those of the operation.
    pub fn over(&self, processes: usize, tell: &mut dyn FnMut(&str)) -> Result<(), String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        for seed in 1..=processes {
            let mut command = Command::new(&program);
            command.args(["spread", &format!("{}@{}", self.operation, self.level)]);
            for (name, value) in
                [("--leaks", self.leaks), ("--calls", self.calls), ("--seed", seed)]
            {
                command.args([name, &value.to_string()]);
            }
            let output = command.output().map_err(|error| error.to_string())?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
            }
            tell(String::from_utf8_lossy(&output.stdout).trim());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leak_spreads_beyond_what_is_sound() {
        let name = "sm4/cbc-mac-6@portable";
        let t = |leaks| Case::named(name, leaks, 4000).unwrap().here(1).unwrap();
        let ((_, none), (leaky, longer)) = (t(0), t(512));
        assert!(leaky.counted.abs() > 10.0, "{leaky:?}");
        assert!(longer.abs() > none.abs(), "{longer} {none}");
        assert!(Case::named("sm4/none@portable", 0, 1).is_err());
        assert!(Case::named("rc4/stream@portable", 0, 1).is_err(), "it claims nothing");
        assert!(Case::named("sm4/ctr", 0, 1).is_err());
        assert!(Case::named("sm4/ctr@neon", 0, 1).is_err());
    }
}
