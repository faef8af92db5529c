//! The jar: one for Java 8 and later, with the native libraries of all machines, and beside it what
//! Maven Central wants.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::musl::Musl;
use super::pack::quiet;
use super::shop::{ARM_GNU, ARM_MUSL, Target, X86_GNU, X86_MUSL};
use super::tree::{self, fault};
use super::{Fault, Shop, notices, tools};
use crate::bindings::java;
use crate::bindings::readme;
use crate::stage::skip;
use crate::workspace;

const FOLDER: &str = "bindings/java";
const MANIFEST: &str = "bindings/java/native/Cargo.toml";
const PACKAGE: &str = "cipherlane-java";

const TARGETS: [Target; 4] = [X86_GNU, ARM_GNU, X86_MUSL, ARM_MUSL];

const LIBRARY: &str = "libcipherlane_java.so";

/// The folder of a target's library in the jar, as the class `Platform` names it.
fn folder(target: Target) -> String {
    let musl = if target.is_musl() { "musl-" } else { "" };
    format!("linux-{musl}{}", target.machine)
}

/// What is published beside the pom.
const JARS: [&str; 3] = ["", "-sources", "-javadoc"];

/// Where Maven builds.
fn build(shop: &Shop) -> PathBuf {
    shop.work.join("java")
}

fn file(shop: &Shop, end: &str) -> PathBuf {
    shop.out.join(format!("cipherlane-{}{end}", shop.identity.version))
}

/// The native libraries, each where the jar has it.
fn natives(shop: &Shop) -> Result<(), Fault> {
    let mut made = 0;
    for target in TARGETS {
        if !workspace::has_target(target.triple) {
            let what = format!("the native library of the jar for {}", target.triple);
            skip(&what, &format!("rustup target add {}", target.triple));
            continue;
        }
        let mut cargo = shop.library_build(target, MANIFEST, "rustc")?;
        workspace::run(cargo.args(["--", "-Cstrip=symbols"]))?;
        let folder = build(shop).join("native").join(folder(target));
        tree::copy(&shop.built(target).join(LIBRARY), &folder.join(LIBRARY))?;
        made += 1;
    }
    if made == 0 { Err(Fault::missing("the jar", "a target above")) } else { Ok(()) }
}

/// The pom with the addresses of everything.
fn pom(shop: &Shop) -> Result<String, String> {
    let text = workspace::read(&format!("{FOLDER}/pom.xml"))?;
    let (homepage, repository) = (&shop.identity.homepage, &shop.identity.repository);
    let mark = "  <licenses>\n";
    let addresses = format!(
        "  <url>{homepage}</url>\n  <scm>\n    <url>{repository}</url>\n    \
         <connection>scm:git:{repository}.git</connection>\n  </scm>\n  <developers>\n    <developer>\n      \
         <name>The authors of Cipherlane</name>\n      <url>{homepage}</url>\n    </developer>\n  \
         </developers>\n"
    );
    if text.matches(mark).count() != 1 {
        return Err("pom.xml has not one list of licences".into());
    }
    Ok(text.replacen(mark, &(addresses + mark), 1))
}

pub(super) fn make(shop: &Shop) -> Result<Vec<PathBuf>, Fault> {
    if !tools::has("mvn") || !tools::has("javac") {
        return Err(Fault::missing("the jar", "apt-get install openjdk-17-jdk-headless maven"));
    }
    natives(shop)?;
    let build = build(shop);
    let to = build.join("java22");
    tree::fresh(&to)?;
    match java::classes22()? {
        Some(from) => {
            for name in tree::files(&from)? {
                tree::copy(&from.join(&name), &to.join(&name))?;
            }
        }
        None => skip("the calls without JNI, for Java 22 or later", "JAVA_HOME of such a JDK"),
    }
    let notes = build.join("notices");
    tree::fresh(&notes)?;
    notices::put(shop, &notes, MANIFEST, PACKAGE, X86_GNU)?;
    let folder = shop.sources().join(FOLDER);
    let text = pom(shop)?;
    tree::write(&folder.join("pom.xml"), &text)?;
    let mut maven = Command::new("mvn");
    maven.current_dir(&folder).args(["--batch-mode", "--no-transfer-progress", "--quiet"]);
    maven.args(["clean", "package", "-Pdist", "-Dmaven.test.skip=true"]);
    maven.arg(format!("-Dcipherlane.build={}", build.display()));
    maven.arg(format!("-Dproject.build.outputTimestamp={}", shop.epoch));
    quiet(&mut maven)?;
    let mut made = Vec::new();
    for kind in JARS {
        let name = format!("cipherlane-{}{kind}.jar", shop.identity.version);
        let to = file(shop, &format!("{kind}.jar"));
        tree::copy(&build.join("maven").join(name), &to)?;
        made.push(to);
    }
    let to = file(shop, ".pom");
    tree::write(&to, text)?;
    made.push(to);
    let listed = quiet(Command::new("jar").arg("--list").arg("--file").arg(&made[0]))?;
    for name in [
        "META-INF/LICENSE-MIT",
        "META-INF/LICENSE-APACHE",
        "META-INF/LICENSES-THIRD-PARTY.txt",
        "META-INF/services/java.security.Provider",
        "META-INF/native-image/org.cipherlane/cipherlane/jni-config.json",
    ] {
        if !listed.lines().any(|line| line == name) {
            return Err(Fault::Failed(format!("the jar lacks {name}")));
        }
    }
    let listed = quiet(Command::new("jar").arg("--list").arg("--file").arg(&made[1]))?;
    if let Some(name) = no_source(&listed) {
        return Err(Fault::Failed(format!("the jar of sources has {name}")));
    }
    Ok(made)
}

/// The first of the files of a jar that was compiled.
fn no_source(listed: &str) -> Option<&str> {
    listed.lines().find(|name| [".so", ".class"].iter().any(|end| name.ends_with(end)))
}

/// A user's project, which depends on the jar alone.
const PROJECT: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>user</groupId>
  <artifactId>user</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>8</maven.compiler.source>
    <maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories>
    <repository>
      <id>dist</id>
      <url>file://@REPOSITORY@</url>
    </repository>
  </repositories>
  <dependencies>
    <dependency>
      <groupId>org.cipherlane</groupId>
      <artifactId>cipherlane</artifactId>
      <version>@VERSION@</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.13.0</version>
      </plugin>
    </plugins>
  </build>
</project>
"#;

/// Javas that are here: the one on the path, and those that are kept.
fn javas() -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from("java")];
    found.extend(java::eight());
    let kept = fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let mut kept: Vec<PathBuf> = kept.filter_map(|entry| Some(entry.ok()?.path())).collect();
    kept.sort();
    found.extend(kept.into_iter().map(|home| home.join("bin/java")).filter(|it| it.is_file()));
    found
}

/// What Maven has fetched for itself, without anything of ours: files that are shared, not copied.
fn maven_without_ours(to: &Path) -> Result<(), String> {
    let home = std::env::var_os("HOME").map(PathBuf::from).ok_or("no HOME")?;
    quiet(Command::new("cp").args(["-al"]).arg(home.join(".m2/repository")).arg(to))?;
    let ours = to.join("org/cipherlane");
    if ours.exists() {
        fs::remove_dir_all(&ours).map_err(fault(&ours))?;
    }
    Ok(())
}

/// The jar's libraries for musl, opened by a program in C that calls what Java would: there is no Java
/// for musl to be had.
fn under_musl(shop: &Shop, clean: &Path, ran: &mut Vec<String>) -> Result<(), Fault> {
    for target in TARGETS.into_iter().filter(|it| it.is_musl()) {
        let place = format!("org/cipherlane/native/{}/{LIBRARY}", folder(target));
        let mut unpack = Command::new("jar");
        unpack.arg("--extract").arg("--file").arg(file(shop, ".jar")).arg(&place);
        quiet(unpack.current_dir(clean))?;
        if !clean.join(&place).exists() {
            continue;
        }
        let musl = match Musl::of(target) {
            Err(Fault::Missing { what, remedy }) => {
                skip(&format!("the jar's library: {what}"), &remedy);
                continue;
            }
            musl => musl?,
        };
        let (source, program) = (clean.join("java.c"), clean.join(folder(target)));
        tree::write(&source, include_str!("musl/java.c"))?;
        musl.compile(&source, &program)?;
        let said = quiet(musl.starts(&program).arg(clean.join(&place)))?;
        ran.push(format!("the jar's library, {}: {}", musl.how(), said.trim()));
    }
    Ok(())
}

/// The README's program in a project of its own, from a repository of files, without a network.
pub(super) fn attempt(shop: &Shop) -> Result<Vec<String>, Fault> {
    let clean = shop.clean("jar")?;
    let (repository, local) = (clean.join("repository"), clean.join("m2"));
    let version = &shop.identity.version;
    let place = repository.join("org/cipherlane/cipherlane").join(version);
    for end in [".jar", "-sources.jar", "-javadoc.jar", ".pom"] {
        let file = file(shop, end);
        tree::copy(&file, &place.join(file.file_name().unwrap_or_default()))?;
    }
    maven_without_ours(&local)?;
    let project = PROJECT.replace("@REPOSITORY@", &repository.display().to_string());
    let user = clean.join("user");
    tree::write(&user.join("pom.xml"), project.replace("@VERSION@", version))?;
    let page = workspace::read(&format!("{FOLDER}/README.md"))?;
    let blocks = readme::blocks(&page, "java");
    let code = blocks.first().ok_or("no example in the README for Java")?;
    tree::write(&user.join("src/main/java/Example.java"), code)?;
    let mut maven = Command::new("mvn");
    maven.current_dir(&user).args(["--batch-mode", "--quiet", "--offline", "compile"]);
    maven.arg("-Daether.offline.protocols=file");
    quiet(maven.arg(format!("-Dmaven.repo.local={}", local.display())))?;
    let jar = local.join("org/cipherlane/cipherlane").join(version);
    let jar = jar.join(format!("cipherlane-{version}.jar"));
    let path = format!("{}:{}", user.join("target/classes").display(), jar.display());
    let mut ran: Vec<String> = Vec::new();
    for java in javas() {
        let told = Command::new(&java).arg("-version").output();
        let told = told.map(|it| String::from_utf8_lossy(&it.stderr).into_owned());
        let Some(name) = told.ok().and_then(|it| it.lines().next().map(str::to_owned)) else {
            continue;
        };
        if ran.iter().any(|line| line.contains(&name)) {
            continue;
        }
        let mut example = Command::new(&java);
        let said = quiet(example.args(["-cp", &path, "Example"]).current_dir(&clean))?;
        if said.trim() != "a message" {
            return Err(Fault::Failed(format!("{name}: the example said `{said}`")));
        }
        ran.push(format!("a Maven project, offline: the README's program on {name}"));
    }
    under_musl(shop, &clean, &mut ran)?;
    Ok(ran)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_compiled_is_no_source() {
        let native = "org/cipherlane/native/linux-x86_64/libcipherlane_java.so";
        let listed = |more: &str| format!("META-INF/\norg/cipherlane/Key.java\n{more}\n");
        assert_eq!(no_source(&listed("META-INF/LICENSE-MIT")), None);
        assert_eq!(no_source(&listed(native)), Some(native));
        assert_eq!(no_source(&listed("A.class")), Some("A.class"));
    }

    #[test]
    fn every_machine_has_a_library_for_either_c_library() {
        let folders = TARGETS.map(folder);
        assert_eq!(
            folders,
            ["linux-x86_64", "linux-aarch64", "linux-musl-x86_64", "linux-musl-aarch64"]
        );
    }

    /// A native image finds by name only what its settings list.
    #[test]
    fn every_class_that_native_code_names_is_in_the_settings() {
        let settings = "bindings/java/src/main/resources/META-INF/native-image/org.cipherlane/\
                        cipherlane/jni-config.json";
        let settings = workspace::read(settings).unwrap();
        let mut found = 0;
        for file in workspace::files("bindings/java/native/src", "rs").unwrap() {
            let text = workspace::read(&file).unwrap();
            for part in text.split("c\"").skip(1) {
                let name = part.split('"').next().unwrap_or_default();
                let is_class = ["java/", "javax/", "org/"].iter().any(|it| name.starts_with(it));
                if is_class {
                    let name = name.replace('/', ".");
                    assert!(settings.contains(&format!("\"{name}\"")), "{file}: {name}");
                    found += 1;
                }
            }
        }
        assert!(found > 10, "{found}");
    }
}
