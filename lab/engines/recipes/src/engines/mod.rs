//! One file an engine.

mod bindings;
mod botan;
mod bouncycastle;
mod cipherlane_i686;
mod cryptopp;
mod gmsm;
mod gmssl;
mod ipp;
mod ipsec_mb;
mod java;
mod ladder_c;
mod ladder_java;
mod libgcrypt;
mod libtomcrypt;
mod nettle;
mod openssl4;
mod python;
mod python_cryptography;
mod shim;
mod tongsuo;
mod wolfssl;

use crate::Recipe;

pub use ladder_java::class_bytes;

/// All recipes, in the order in which `engines build --all` takes them.
pub static RECIPES: &[&Recipe] = &[
    &ladder_c::RECIPES[0],
    &ladder_c::RECIPES[1],
    &ladder_c::RECIPES[2],
    &ladder_c::RECIPES[3],
    &ladder_c::RECIPES[4],
    &ladder_c::RECIPES[5],
    &ladder_c::RECIPES[6],
    &ladder_c::RECIPES[7],
    &ladder_c::RECIPES[8],
    &ladder_c::RECIPES[9],
    &libgcrypt::RECIPE,
    &libtomcrypt::RECIPE,
    &ipsec_mb::RECIPE,
    &nettle::RECIPE,
    &gmssl::RECIPE,
    &wolfssl::RECIPE,
    &gmsm::RECIPE,
    &bouncycastle::RECIPE,
    &java::RECIPE,
    &python::RECIPE,
    &python_cryptography::RECIPE,
    &ladder_java::RECIPE,
    &cryptopp::RECIPE,
    &ipp::RECIPE,
    &openssl4::RECIPE,
    &tongsuo::RECIPE,
    &botan::RECIPE,
    &bindings::C,
    &bindings::OPENSSL_PROVIDER,
    &cipherlane_i686::RECIPE,
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
