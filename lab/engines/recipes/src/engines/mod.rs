//! One file an engine.

mod botan;
mod bouncycastle;
mod cryptopp;
mod gmsm;
mod ipp;
mod ipsec_mb;
mod java;
mod libgcrypt;
mod libtomcrypt;
mod openssl4;
mod program_for_java;
mod python;
mod python_cryptography;

use crate::Recipe;

/// All recipes, in the order in which `engines build --all` takes them.
pub static RECIPES: &[&Recipe] = &[
    &libgcrypt::RECIPE,
    &libtomcrypt::RECIPE,
    &ipsec_mb::RECIPE,
    &gmsm::RECIPE,
    &bouncycastle::RECIPE,
    &java::RECIPE,
    &python::RECIPE,
    &python_cryptography::RECIPE,
    &cryptopp::RECIPE,
    &ipp::RECIPE,
    &openssl4::RECIPE,
    &botan::RECIPE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_names_everything_it_is_made_of() {
        for recipe in RECIPES {
            assert!(!recipe.libraries.is_empty() && !recipe.needs.is_empty(), "{recipe:?}");
            assert!(recipe.version.starts_with(|first: char| first.is_ascii_digit()), "{recipe:?}");
            assert!(!recipe.folder_name().contains('/'), "{recipe:?}");
            let same = RECIPES.iter().filter(|it| it.engine == recipe.engine).count();
            assert_eq!(same, 1, "{}", recipe.engine);
        }
    }
}
