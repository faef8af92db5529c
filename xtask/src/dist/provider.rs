//! The provider for OpenSSL: a module that programs load, and a static library for those that have
//! it inside.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::pack::{self, quiet};
use super::shop::{ARM_GNU, Target, X86_GNU};
use super::{Fault, Shop, library, notices, tools, tree};
use crate::bindings::readme;
use crate::stage::skip;
use crate::workspace;

const FOLDER: &str = "bindings/openssl";
const MANIFEST: &str = "bindings/openssl/Cargo.toml";
const PACKAGE: &str = "cipherlane-openssl";

const TARGETS: [Target; 2] = [X86_GNU, ARM_GNU];

/// What OpenSSL looks for in a module. A program that has the provider inside has functions of these
/// names from OpenSSL, so the static library keeps its own to itself.
const OF_MODULES: [&str; 2] = ["OSSL_provider_init", "OPENSSL_init"];

/// GB/T 32907, example 1: the key, which is the block too, and what it becomes.
const KEY: &str = "0123456789abcdeffedcba9876543210";
const BLOCK: &str = "681edf34d206965e86b3e94f536e4246";

fn name(shop: &Shop, target: Target) -> String {
    format!("cipherlane-openssl-{}-{}-linux-gnu", shop.identity.version, target.machine)
}

/// The module, stripped.
pub(super) fn module(shop: &Shop, target: Target) -> Result<PathBuf, Fault> {
    if !workspace::has_target(target.triple) {
        let remedy = format!("rustup target add {}", target.triple);
        return Err(Fault::missing(format!("the provider for {}", target.triple), remedy));
    }
    let mut build = shop.library_build(target, MANIFEST, "rustc")?;
    workspace::run(build.args(["--crate-type", "cdylib", "--", "-Cstrip=symbols"]))?;
    Ok(shop.built(target).join("libcipherlane_provider.so"))
}

/// The static library, which shows one function.
fn archive(shop: &Shop, target: Target) -> Result<PathBuf, Fault> {
    let mut build = shop.library_build(target, MANIFEST, "rustc")?;
    workspace::run(build.args(["--crate-type", "staticlib"]))?;
    let built = shop.built(target).join("libcipherlane_provider.a");
    let objcopy = library::cross(target).objcopy;
    if !tools::has(objcopy) {
        let what = format!("the static provider for {}: no {objcopy}", target.triple);
        return Err(Fault::missing(what, "apt-get install binutils-aarch64-linux-gnu"));
    }
    let to = built.with_extension("localized.a");
    let mut localize = Command::new(objcopy);
    localize.args(["--strip-debug", "--enable-deterministic-archives"]);
    localize.args(OF_MODULES.map(|name| format!("--localize-symbol={name}")));
    quiet(localize.arg(&built).arg(&to))?;
    Ok(to)
}

/// The configuration that the README shows.
pub(super) fn settings() -> Result<String, Fault> {
    let page = workspace::read(&format!("{FOLDER}/README.md"))?;
    let blocks = readme::blocks(&page, "ini");
    Ok(blocks.first().ok_or("no configuration in the README")?.clone())
}

pub(super) fn make(shop: &Shop) -> Result<Vec<PathBuf>, Fault> {
    let mut made = Vec::new();
    for target in TARGETS {
        let module = match module(shop, target) {
            Err(Fault::Missing { what, remedy }) => {
                skip(&what, &remedy);
                continue;
            }
            module => module?,
        };
        let name = name(shop, target);
        let tree = shop.tree(&name)?;
        tree::copy(&module, &tree.join("lib/ossl-modules/cipherlane.so"))?;
        match archive(shop, target) {
            Err(Fault::Missing { what, remedy }) => skip(&what, &remedy),
            archive => {
                tree::copy(&archive?, &tree.join("lib/libcipherlane_provider.a"))?;
                let header = "include/cipherlane_provider.h";
                tree::copy(&shop.sources().join(FOLDER).join(header), &tree.join(header))?;
            }
        }
        let documents = tree.join("share/doc/cipherlane-openssl");
        let page = workspace::read(&format!("{FOLDER}/README.md"))?;
        tree::write(&documents.join("openssl.cnf"), settings()?)?;
        tree::write(&documents.join("README.md"), page)?;
        notices::put(shop, &documents, MANIFEST, PACKAGE, target)?;
        made.push(pack::tar(shop, &name)?);
    }
    if made.is_empty() { Err(Fault::missing("the provider", "a target above")) } else { Ok(made) }
}

/// A program that has the provider inside.
const BUILT_IN: &str = r#"#include <cipherlane_provider.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>

int main(void) {
    const unsigned char key[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                   0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
    unsigned char block[16];
    int length = 0;
    if (!OSSL_PROVIDER_add_builtin(NULL, "cipherlane", cipherlane_provider_init) ||
        !OSSL_PROVIDER_load(NULL, "cipherlane") || !OSSL_PROVIDER_load(NULL, "default"))
        return 1;
    EVP_CIPHER *sm4 = EVP_CIPHER_fetch(NULL, "SM4-ECB", "provider=cipherlane");
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (!sm4 || !EVP_EncryptInit_ex2(context, sm4, key, NULL, NULL) ||
        !EVP_EncryptUpdate(context, block, &length, key, 16) || length != 16)
        return 2;
    for (int i = 0; i < 16; i++)
        printf("%02x", block[i]);
    printf(" by %s\n", OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(sm4)));
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(sm4);
    return 0;
}
"#;

/// Loaded by the program `openssl`: what it encrypts the default provider decrypts.
fn loaded(root: &Path, clean: &Path) -> Result<String, Fault> {
    let modules = root.join("lib/ossl-modules");
    let openssl = |arguments: &[&str], ours: bool| {
        let mut command = Command::new("openssl");
        command.current_dir(clean).args(arguments).env_remove("OPENSSL_CONF");
        if ours {
            command.arg("-provider-path").arg(&modules);
            command.args(["-provider", "cipherlane", "-provider", "default"]);
            command.args(["-propquery", "?provider=cipherlane"]);
        }
        quiet(&mut command)
    };
    let text = "a secret message\n".repeat(1000);
    tree::write(&clean.join("plain"), &text)?;
    let keys = ["-K", KEY, "-iv", BLOCK];
    let enc =
        |more: &[&str], ours| openssl(&[&["enc", "-sm4-cbc"], &keys[..], more].concat(), ours);
    enc(&["-in", "plain", "-out", "sealed"], true)?;
    let opened = enc(&["-d", "-in", "sealed"], false)?;
    if opened != text {
        return Err("what the module encrypted, OpenSSL's own provider does not decrypt".into());
    }
    Ok(openssl(&["version"], false)?.trim().to_owned())
}

/// The module in `openssl`, and the static library in a program.
pub(super) fn attempt(shop: &Shop) -> Result<Vec<String>, Fault> {
    let clean = shop.clean("provider")?;
    let target = X86_GNU;
    let name = name(shop, target);
    let archive = shop.out.join(format!("{name}.tar.gz"));
    if target.machine != std::env::consts::ARCH || !archive.exists() {
        return Err(Fault::missing("the provider, loaded", "this machine's own archive"));
    }
    pack::untar(&archive, &clean)?;
    let root = clean.join(&name);
    let mut ran = Vec::new();
    let version = quiet(Command::new("openssl").arg("version")).unwrap_or_default();
    if version.starts_with("OpenSSL ") && !version.starts_with("OpenSSL 1.") {
        ran.push(format!("{name}: sm4-cbc in {}", loaded(&root, &clean)?));
    } else {
        skip("the provider in the program openssl", "apt-get install openssl, 3.0 or later");
    }
    if Path::new("/usr/include/openssl/provider.h").exists() && tools::has("cc") {
        tree::write(&clean.join("user.c"), BUILT_IN)?;
        let mut compile = Command::new("cc");
        compile.current_dir(&clean).args(["-Wall", "-Werror", "user.c", "-o", "user"]);
        compile.arg(format!("-I{}", root.join("include").display()));
        compile.arg(root.join("lib/libcipherlane_provider.a"));
        quiet(compile.args(["-lcrypto", "-lpthread", "-ldl", "-lm"]))?;
        let mut user = Command::new(clean.join("user"));
        let said = quiet(user.env_remove("OPENSSL_CONF"))?;
        if said.trim() != format!("{BLOCK} by cipherlane") {
            return Err(Fault::Failed(format!("the program with the provider inside: `{said}`")));
        }
        ran.push(format!("{name}: built into a program by OSSL_PROVIDER_add_builtin"));
    } else {
        skip("the static provider in a program", "apt-get install gcc libssl-dev, 3.0 or later");
    }
    if ran.is_empty() {
        Err(Fault::missing("the provider, run", "an OpenSSL above"))
    } else {
        Ok(ran)
    }
}
