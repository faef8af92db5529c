//! What the catalogue says of engines, present and absent.
//!
//! Outside of the crate: within it, its tests would be compiled with every peer once more.

use std::path::Path;

use peers::catalogue::{catalogue, how_to_get};

#[test]
fn the_built_in_engines_are_always_present() {
    let all = catalogue(Path::new("program"));
    for name in ["cipherlane", "rustcrypto"] {
        let info = all.iter().find(|info| info.name == name).expect(name);
        assert!(info.present && info.how_to_get.is_empty(), "{info:?}");
        let place = info.operations.iter().position(|operation| operation == "sm4/ctr");
        let models = place.map(|place| &info.models[place]).expect("sm4/ctr");
        assert!(models.contains(&"message") && models.contains(&"packet"), "{info:?}");
        assert_eq!(info.path, "program");
        assert!(info.version.contains('.'), "{info:?}");
    }
}

#[test]
fn what_has_a_recipe_names_the_command() {
    for recipe in recipes::RECIPES {
        let how = how_to_get(recipe.engine).expect(recipe.engine);
        let command = format!("`cipherlane engines build {}`", recipe.engine);
        assert!(how.contains(&command), "{how}");
    }
    assert_eq!((how_to_get("cipherlane"), how_to_get("nonesuch")), (Some(""), None));
}

#[test]
fn an_absent_engine_names_what_brings_it() {
    let refusal = |name: &str, lib: Option<&str>| {
        peers::serve(name, lib.map(Path::new)).expect_err("refused").to_string()
    };
    let error = refusal("openssl", Some("/no/such/library.so"));
    assert!(error.contains("/no/such/library.so"), "{error}");
    assert!(error.contains("apt-get install"), "{error}");
    let error = refusal("openssl4", Some("/no/such.so"));
    assert!(error.contains("`cipherlane engines build openssl4`"), "{error}");
    let error = refusal("nonesuch", None);
    assert!(error.contains("cipherlane, rustcrypto, openssl, openssl4"), "{error}");
    let error = refusal("rustcrypto", Some("x.so"));
    assert!(error.contains("built in"), "{error}");
}
