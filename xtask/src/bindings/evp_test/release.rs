//! The releases of OpenSSL whose test is known, and how it is built: fetched from Debian's archive,
//! compiled, and kept in the cache beside the built engines with its recipes.

use std::path::PathBuf;
use std::process::Command;

use recipes::{Pin, Progress, Recipe, RecipeError, Tool, Workshop};

/// A release whose test is known.
pub(super) struct Release {
    pub(super) recipe: Recipe,
    archive: Pin,
}

const fn release<const N: usize>(
    version: &'static str,
    source: &'static str,
    file: &'static str,
    sha256: &'static str,
) -> Release {
    let recipe = Recipe {
        engine: "openssl-evp-test",
        version,
        source,
        takes: "about a minute",
        needs: &[Tool::APT_GET, Tool::PYTHON, Tool::PERL, Tool::MAKE, Tool::GCC],
        libraries: &["evp_test.o", "libtestutil.a"],
        make: make::<N>,
    };
    Release { recipe, archive: Pin { file, sha256 } }
}

macro_rules! releases {
    ($($number:literal $version:literal $sha256:literal;)*) => {
        [$(release::<$number>(
            $version,
            concat!("Debian's source package openssl ", $version),
            concat!("openssl_", $version, ".orig.tar.gz"),
            $sha256,
        )),*]
    };
}

/// Of every series the last of Debian's releases; a library takes that of its version, else
/// another of its series.
static RELEASES: [Release; 7] = releases! {
    0 "3.0.19" "fa5a4143b8aae18be53ef2f3caf29a2e0747430b8bc74d32d88335b94ab63072";
    1 "3.0.22" "67ebca7e50d17383028045486653492195b83db95f8558709701bb47b5c1ef81";
    2 "3.0.20" "c80a01dfc70ece4dc21168932c37739042d404d46ccc81a5986dd75314ecda6f";
    3 "3.5.9" "603f5602e2eef00d77fbd429d34dcd5822bb301757a1bc9cdb24c670f1eb859a";
    4 "3.5.7" "a8c0d28a529ca480f9f36cf5792e2cd21984552a3c8e4aa11a24aa31aeac98e8";
    5 "4.0.3" "325b5c806167c13b40b1ffeadfe0248197c00eccc4cf123ec1e28d2d2fd216d9";
    6 "4.0.2" "736b467530f916737b7031310ccb21d8218c6229e61e8e160cd1d3458cd543a8";
};

/// Where Debian keeps the archives of a source package.
const POOLS: [&str; 2] = [
    "http://deb.debian.org/debian/pool/main/o/openssl",
    "http://deb.debian.org/debian-security/pool/updates/main/o/openssl",
];

/// Recipes of algorithms that the library of 4.0 is built without; they are most of it by size.
const ELSEWHERE: [&str; 3] = ["evppkey_ml_", "evppkey_slh_", "evppkey_lms_"];

fn make<const N: usize>(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let archive = RELEASES[N].archive;
    let folder = format!("openssl-{}", RELEASES[N].recipe.version);
    let sources = shop.unpacked(&POOLS, archive, &folder)?;
    // Every cipher is there for the test, whatever the library was built with.
    let mut configure = Command::new("perl");
    configure.args(["./Configure", "no-shared", "enable-legacy", "enable-rc5"]);
    shop.run("configuring", configure.current_dir(&sources))?;
    let mut generate = Command::new("make");
    shop.run("generating headers", generate.arg("build_generated").current_dir(&sources))?;
    let mut shell = |step: &str, line: &str| {
        let mut command = Command::new("sh");
        shop.run(step, command.args(["-ec", line]).current_dir(&sources))
    };
    shell("compiling", COMPILE)?;
    let other = ELSEWHERE.map(|name| format!("{DATA}/{name}*"));
    shell("leaving out what is not built", &format!("rm -f {}", other.join(" ")))?;
    for name in ["evp_test.o", "libtestutil.a"] {
        shop.keep(&sources.join(name), name)?;
    }
    shop.keep_folder(&sources.join(DATA), "recipes")
}

/// Where the recipes are.
const DATA: &str = "test/recipes/30-test_evp_data";

const COMPILE: &str = "gcc -O1 -w -c -I. -Iinclude -Iapps/include -Itest \
    test/evp_test.c apps/lib/opt.c test/testutil/*.c
    mkdir parts && mv *.o parts && mv parts/evp_test.o . && ar rcs libtestutil.a parts/*.o";

struct Steps;

impl Progress for Steps {
    fn step(&mut self, engine: &str, text: &str) {
        println!("   {engine}: {text}");
    }
}

/// The test of this version, else of another release of its series, and the folder it is in.
pub(super) fn built(version: &str) -> Result<(&'static Release, PathBuf), String> {
    let series = |version: &str| version.rsplit_once('.').map(|it| it.0.to_owned());
    let wanted = series(version);
    let mut known: Vec<&Release> =
        RELEASES.iter().filter(|release| series(release.recipe.version) == wanted).collect();
    known.sort_by_key(|release| release.recipe.version != version);
    let mut why = format!("no release like {version} is known to `cargo xtask openssl`");
    let cache = recipes::folder().map_err(|error| error.to_string())?;
    for release in known {
        match recipes::build(&release.recipe, &cache, false, &mut Steps) {
            Ok(_) => return Ok((release, cache.join(release.recipe.folder_name()))),
            Err(error) => why = error.to_string(),
        }
    }
    Err(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_series_has_its_releases_by_number() {
        for (number, release) in RELEASES.iter().enumerate() {
            assert!(release.archive.file.contains(release.recipe.version), "{number}");
            assert_eq!(release.archive.sha256.len(), 64, "{number}");
        }
    }
}
