//! nginx and curl of Debian 12, whose OpenSSL is 3.0, with the provider by configuration alone.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::super::{has, quiet, write};
use super::times::{Served, certificate, configurations};
use crate::debian;
use crate::outcome::Outcome;
use crate::stage::skip;

const SUITES: [&str; 2] = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"];

/// A gibibyte by curl from nginx, the best of three, by the processor time of nginx.
pub(super) fn run(folder: &Path) -> Outcome {
    if !has("curl") {
        skip("nginx and curl", "apt-get install curl");
        return Ok(());
    }
    let nginx = match unpacked(folder) {
        Ok(nginx) => nginx,
        Err(why) => {
            skip("nginx and curl", why.trim());
            return Ok(());
        }
    };
    certificate(Path::new("openssl"), folder)?;
    let files = configurations(folder)?;
    let big = folder.join("big");
    let made = fs::File::create(&big).and_then(|file| file.set_len(1 << 30));
    made.map_err(|error| format!("{}: {error}", big.display()))?;
    println!("\n| 1 GiB from nginx to curl, MB a second of nginx's CPU time | default | ours |");
    println!("|---|---|---|");
    for suite in SUITES {
        let mut cells = Vec::new();
        for file in &files {
            let (served, port) = served(&nginx, folder, file)?;
            let mut best = 0.0_f64;
            for _ in 0..3 {
                let before = used(&served)?;
                let mut curl = Command::new("curl");
                curl.args(["-sSk", "--tls13-ciphers", suite, "-o", "/dev/null"]);
                curl.arg(format!("https://127.0.0.1:{port}/big"));
                quiet(curl.env("OPENSSL_CONF", file))?;
                best = best.max(1_073.741_824 / (used(&served)? - before));
            }
            cells.push(format!("{best:.0}"));
        }
        println!("| {suite} | {} |", cells.join(" | "));
    }
    fs::remove_file(&big).map_err(|error| format!("{}: {error}", big.display()))
}

/// Seconds of processor time that the server has used.
fn used(served: &Served) -> Result<f64, String> {
    let file = format!("/proc/{}/stat", served.0.id());
    let stat = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    // Behind the name, which may have blanks: fields 14 and 15, in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split(' ').collect();
    let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<f64>().ok());
    ticks(12).zip(ticks(13)).map(|(a, b)| (a + b) / 100.0).ok_or_else(|| format!("{file} is short"))
}

/// The program out of Debian's package, which is not installed.
fn unpacked(folder: &Path) -> Result<PathBuf, String> {
    let kept = folder.join("nginx");
    fs::create_dir_all(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    debian::download("bookworm", &folder.join("apt"), &kept, &["nginx".to_owned()])?;
    let entries = fs::read_dir(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    let mut packages = entries.filter_map(|it| Some(it.ok()?.path()));
    let package = packages.find(|path| path.extension().is_some_and(|kind| kind == "deb"));
    quiet(Command::new("dpkg").arg("-x").arg(package.ok_or("no package came")?).arg(&kept))?;
    let nginx = kept.join("usr/sbin/nginx");
    quiet(Command::new(&nginx).arg("-v"))?;
    Ok(nginx)
}

/// nginx with one worker in the foreground, and its port.
fn served(nginx: &Path, folder: &Path, openssl: &Path) -> Result<(Served, u16), String> {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|door| door.local_addr());
    let port = free.map_err(|error| error.to_string())?.port();
    let place = folder.display();
    let text = format!(
        "daemon off;\nmaster_process off;\npid {place}/nginx.pid;\nerror_log {place}/nginx.log;\n\
         events {{}}\nhttp {{\n access_log off;\n sendfile on;\n\
         client_body_temp_path {place}/t1;\n proxy_temp_path {place}/t2;\n\
         fastcgi_temp_path {place}/t3;\n uwsgi_temp_path {place}/t4;\n scgi_temp_path {place}/t5;\n\
         server {{\n listen 127.0.0.1:{port} ssl;\n root {place};\n ssl_protocols TLSv1.3;\n\
         ssl_certificate {place}/certificate.pem;\n ssl_certificate_key {place}/key.pem;\n }}\n}}\n"
    );
    let file = folder.join("nginx.conf");
    write(&file, &text)?;
    let mut command = Command::new(nginx);
    command.arg("-c").arg(&file).arg("-e").arg(folder.join("nginx.log"));
    command.env("OPENSSL_CONF", openssl).stdin(Stdio::null()).stdout(Stdio::null());
    let child = command.stderr(Stdio::null()).spawn();
    let served = Served(child.map_err(|error| format!("{}: {error}", nginx.display()))?);
    let begin = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if begin.elapsed() > Duration::from_secs(10) {
            let said = fs::read_to_string(folder.join("nginx.log")).unwrap_or_default();
            return Err(format!("nginx does not listen: {said}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok((served, port))
}
