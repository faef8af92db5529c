//! What TLS gains: a transfer between two processes, and handshakes, with either provider.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::super::{quiet, readme, write};
use crate::outcome::Outcome;
use crate::stage::skip;

/// How much goes through a connection, in MiB; of SM4-GCM a quarter, of SM4-CCM an eighth.
const TRANSFER: &str = "1024";

/// For how many seconds connections are made.
const SECONDS: &str = "4";

/// Suites whose handshakes are timed.
const SUITES: [&str; 3] = ["TLS_SM4_GCM_SM3", "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"];

/// MB a second of the processor's time, a line a suite.
pub(super) fn transfers(program: &Path, folder: &Path) -> Outcome {
    let table = |ktls: bool| {
        let mut time = Command::new(program);
        time.arg(folder).args(["time", TRANSFER]).env_remove("OPENSSL_CONF");
        quiet(if ktls { time.arg("ktls") } else { &mut time })
    };
    println!(
        "\n| MB a second of CPU time, both ends together | default | client ours | server ours | both ours |\n|---|---|---|---|---|"
    );
    for line in table(false)?.lines() {
        println!("| {} |", line.replace('\t', " | "));
    }
    let known = std::fs::read_to_string("/proc/sys/net/ipv4/tcp_available_ulp").unwrap_or_default();
    if known.split_whitespace().any(|it| it == "tls") {
        println!("\nwith kTLS, where the kernel encrypts and no provider does:");
        println!("{}", table(true)?);
    } else {
        skip("transfers with kTLS", "this kernel has no `tls`: modprobe tls");
    }
    Ok(())
}

/// Nanoseconds of a record, a line a cipher and a length.
pub(super) fn records(program: &Path, folder: &Path) -> Outcome {
    println!("\n| ns a record, sealed and opened | bytes | default | ours | times |");
    println!("|---|---|---|---|---|");
    let mut run = Command::new(program);
    for line in quiet(run.arg(folder).args(["time", "records"]).env_remove("OPENSSL_CONF"))?.lines()
    {
        let cells: Vec<&str> = line.split('\t').collect();
        println!("| {} | {} |", cells.join(" | "), ratio(&cells)?);
    }
    Ok(())
}

/// How many times as fast ours is, of a line's last two figures.
fn ratio(cells: &[&str]) -> Result<String, String> {
    let number = |cell: &&str| cell.parse::<f64>().ok();
    let figures: Option<Vec<f64>> = cells.iter().skip(2).map(number).collect();
    match figures.as_deref() {
        Some([theirs, ours]) if *ours > 0.0 => Ok(format!("{:.2}", theirs / ours)),
        _ => Err(format!("the program said {cells:?}")),
    }
}

/// A server that ends with its owner.
pub(super) struct Served(pub(super) Child);

impl Drop for Served {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// A file of the key and its certificate, by that program.
pub(super) fn certificate(openssl: &Path, folder: &Path) -> Outcome {
    let mut make = Command::new(openssl);
    make.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]);
    make.args(["-subj", "/CN=localhost", "-days", "2", "-keyout"]).arg(folder.join("key.pem"));
    let none = folder.join("none.cnf");
    write(&none, "[req]\ndistinguished_name = name\n[name]\n")?;
    quiet(make.arg("-config").arg(none).arg("-out").arg(folder.join("certificate.pem"))).map(drop)
}

/// Configurations of the default provider alone, and of ours as the page says.
pub(super) fn configurations(folder: &Path) -> Result<[std::path::PathBuf; 2], String> {
    let files = ["default.cnf", "ours.cnf"].map(|name| folder.join(name));
    write(&files[0], "")?;
    write(&files[1], &readme::configuration(&folder.join("cipherlane.so"))?)?;
    Ok(files)
}

/// Connections by `s_time`, both ends with the same provider.
pub(super) fn handshakes(openssl: &Path, folder: &Path) -> Outcome {
    certificate(openssl, folder)?;
    let configurations = configurations(folder)?;
    println!("\n| connections a second of the client's CPU time | default | ours |");
    println!("|---|---|---|");
    for suite in SUITES {
        let mut cells = Vec::new();
        for file in &configurations {
            let (_server, port) = server(openssl, folder, file, suite)?;
            let mut time = Command::new(openssl);
            time.args(["s_time", "-connect", &format!("127.0.0.1:{port}"), "-tls1_3"]);
            // New ones alone: `-reuse` reads no ticket of TLS 1.3.
            time.args(["-ciphersuites", suite, "-new", "-time", SECONDS]);
            let said = quiet(time.env("OPENSSL_CONF", file))?;
            let rate = rate(&said).ok_or_else(|| format!("s_time said {said}"))?;
            cells.push(format!("{rate:.0}"));
        }
        println!("| {suite} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// Connections a second of the client's processor time, as the program says them.
fn rate(said: &str) -> Option<f64> {
    let (before, _) = said.split_once(" connections/user sec")?;
    before.rsplit(' ').next()?.parse().ok()
}

/// `s_server` with that configuration, and its port.
fn server(
    openssl: &Path,
    folder: &Path,
    configuration: &Path,
    suite: &str,
) -> Result<(Served, String), String> {
    let mut command = Command::new(openssl);
    command.args(["s_server", "-accept", "127.0.0.1:0", "-www", "-tls1_3", "-ciphersuites", suite]);
    command
        .arg("-cert")
        .arg(folder.join("certificate.pem"))
        .arg("-key")
        .arg(folder.join("key.pem"));
    command.env("OPENSSL_CONF", configuration).stdin(Stdio::null()).stdout(Stdio::piped());
    let child = command.stderr(Stdio::null()).spawn();
    let mut served = Served(child.map_err(|error| format!("{}: {error}", openssl.display()))?);
    let stdout = served.0.stdout.take().ok_or("s_server has no output")?;
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    let line = lines.find(|line| line.starts_with("ACCEPT")).ok_or("s_server does not listen")?;
    // Its output goes on being read, or it would stop when the pipe is full.
    std::thread::spawn(move || lines.for_each(drop));
    let port = line.rsplit(':').next().ok_or("s_server names no port")?;
    Ok((served, port.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_figures_make_a_ratio() {
        assert_eq!(ratio(&["AES-128-GCM", "100", "150", "100"]).unwrap(), "1.50");
        assert!(ratio(&["AES-128-GCM", "100", "150"]).is_err());
        assert!(ratio(&["AES-128-GCM", "100", "150", "none"]).is_err());
    }

    #[test]
    fn the_line_of_s_time_is_read() {
        let said = "12 connections in 0.01s; 1200.00 connections/user sec, bytes read 0\n\
                    5000 connections in 5 real seconds, 0 bytes read per connection\n";
        assert_eq!(rate(said), Some(1200.0));
        assert_eq!(rate("No CIPHER specified"), None);
    }
}
