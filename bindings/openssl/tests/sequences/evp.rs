//! The calls of a libcrypto, and two library contexts in it: one that has only our ciphers, one
//! that has only OpenSSL's own.

use std::env;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;

pub type Handle = *mut c_void;

/// `OSSL_PARAM`.
#[repr(C)]
pub struct Param {
    pub key: *const c_char,
    pub data_type: c_uint,
    pub data: *mut c_void,
    pub data_size: usize,
    pub return_size: usize,
}

impl Param {
    pub const END: Self = Self {
        key: ptr::null(),
        data_type: 0,
        data: ptr::null_mut(),
        data_size: 0,
        return_size: usize::MAX,
    };

    /// A `size_t` or an `unsigned int`, by the length of the place.
    pub fn number(key: &'static CStr, place: &mut [u8]) -> Self {
        Self { key: key.as_ptr(), data_type: 2, ..Self::over(place) }
    }

    pub fn bytes(key: &'static CStr, place: &mut [u8]) -> Self {
        Self { key: key.as_ptr(), data_type: 5, ..Self::over(place) }
    }

    pub fn text(key: &'static CStr, text: &'static CStr) -> Self {
        let data = text.as_ptr().cast_mut().cast();
        Self { key: key.as_ptr(), data_type: 4, data, data_size: text.count_bytes(), ..Self::END }
    }

    fn over(place: &mut [u8]) -> Self {
        Self { data: place.as_mut_ptr().cast(), data_size: place.len(), ..Self::END }
    }
}

macro_rules! functions {
    ($(fn $name:ident($($type:ty),*) $(-> $back:ty)?;)*) => {
        /// Looked up once: a look-up costs more than most calls.
        #[expect(non_snake_case, reason = "the names of OpenSSL")]
        pub struct Evp {
            $(pub $name: unsafe extern "C" fn($($type),*) $(-> $back)?,)*
            /// From 3.1 on.
            pub dup: Option<unsafe extern "C" fn(Handle) -> Handle>,
        }

        impl Evp {
            fn of(library: &libloading::Library) -> Self {
                // Safety: the types of `evp.h` and `provider.h`, unchanged from 3.0 to 4.0.
                unsafe {
                    Self {
                        $($name: *library.get(stringify!($name).as_bytes()).expect("libcrypto"),)*
                        dup: library.get(b"EVP_CIPHER_CTX_dup").ok().map(|it| *it),
                    }
                }
            }
        }
    };
}

type Seen = unsafe extern "C" fn(Handle, *mut c_void);

functions! {
    fn OSSL_LIB_CTX_new() -> Handle;
    fn OSSL_LIB_CTX_free(Handle);
    fn OSSL_PROVIDER_set_default_search_path(Handle, *const c_char) -> c_int;
    fn OSSL_PROVIDER_unload(Handle) -> c_int;
    fn OSSL_PROVIDER_add_builtin(Handle, *const c_char, *mut c_void) -> c_int;
    fn EVP_CIPHER_free(Handle);
    fn OSSL_LIB_CTX_load_config(Handle, *const c_char) -> c_int;
    fn OSSL_PROVIDER_load(Handle, *const c_char) -> Handle;
    fn OSSL_PROVIDER_get0_name(Handle) -> *const c_char;
    fn OpenSSL_version(c_int) -> *const c_char;
    fn ERR_clear_error();
    fn EVP_CIPHER_do_all_provided(Handle, Seen, *mut c_void);
    fn EVP_CIPHER_fetch(Handle, *const c_char, *const c_char) -> Handle;
    fn EVP_CIPHER_get0_provider(Handle) -> Handle;
    fn EVP_CIPHER_names_do_all(Handle, unsafe extern "C" fn(*const c_char, *mut c_void), *mut c_void) -> c_int;
    fn EVP_CIPHER_get_key_length(Handle) -> c_int;
    fn EVP_CIPHER_get_block_size(Handle) -> c_int;
    fn EVP_CIPHER_get_mode(Handle) -> c_int;
    fn EVP_CIPHER_CTX_new() -> Handle;
    fn EVP_CIPHER_CTX_free(Handle);
    fn EVP_CIPHER_CTX_copy(Handle, Handle) -> c_int;
    fn EVP_CIPHER_CTX_reset(Handle) -> c_int;
    fn EVP_CipherInit_ex(Handle, Handle, Handle, *const u8, *const u8, c_int) -> c_int;
    fn EVP_CipherInit_ex2(Handle, Handle, *const u8, *const u8, c_int, *const Param) -> c_int;
    fn EVP_CipherUpdate(Handle, *mut u8, *mut c_int, *const u8, c_int) -> c_int;
    fn EVP_CipherFinal_ex(Handle, *mut u8, *mut c_int) -> c_int;
    fn EVP_Cipher(Handle, *mut u8, *const u8, c_uint) -> c_int;
    fn EVP_CIPHER_CTX_ctrl(Handle, c_int, c_int, *mut u8) -> c_int;
    fn EVP_CIPHER_CTX_set_padding(Handle, c_int) -> c_int;
    fn EVP_CIPHER_CTX_set_key_length(Handle, c_int) -> c_int;
    fn EVP_CIPHER_CTX_get_key_length(Handle) -> c_int;
    fn EVP_CIPHER_CTX_get_iv_length(Handle) -> c_int;
    fn EVP_CIPHER_CTX_get_tag_length(Handle) -> c_int;
    fn EVP_CIPHER_CTX_get_num(Handle) -> c_int;
    fn EVP_CIPHER_CTX_get_original_iv(Handle, *mut u8, usize) -> c_int;
    fn EVP_CIPHER_CTX_get_updated_iv(Handle, *mut u8, usize) -> c_int;
    fn EVP_CIPHER_CTX_get_params(Handle, *mut Param) -> c_int;
    fn EVP_CIPHER_CTX_set_params(Handle, *const Param) -> c_int;
    fn EVP_MAC_fetch(Handle, *const c_char, *const c_char) -> Handle;
    fn EVP_MAC_CTX_new(Handle) -> Handle;
    fn EVP_MAC_CTX_free(Handle);
    fn EVP_MAC_CTX_dup(Handle) -> Handle;
    fn EVP_MAC_CTX_get_mac_size(Handle) -> usize;
    fn EVP_MAC_CTX_get_block_size(Handle) -> usize;
    fn EVP_MAC_CTX_set_params(Handle, *const Param) -> c_int;
    fn EVP_MAC_init(Handle, *const u8, usize, *const Param) -> c_int;
    fn EVP_MAC_update(Handle, *const u8, usize) -> c_int;
    fn EVP_MAC_final(Handle, *mut u8, *mut usize, usize) -> c_int;
}

/// The libcrypto that is tested in, with both library contexts.
pub struct World {
    pub evp: Evp,
    pub version: String,
    pub ours: Handle,
    pub theirs: Handle,
}

// Safety: library contexts may be used by all threads.
unsafe impl Send for World {}
// Safety: as above.
unsafe impl Sync for World {}

/// The world, or none if nobody has named a library.
pub fn world() -> Option<&'static World> {
    static WORLD: OnceLock<Option<World>> = OnceLock::new();
    WORLD.get_or_init(open).as_ref()
}

/// What our provider's configuration must say for all that can be compared. The default provider is there for
/// MACs over ciphers that we lack.
fn configuration(module: &str) -> String {
    format!(
        "openssl_conf = all\n[all]\nproviders = list\n[list]\ncipherlane = ours\ndefault = own\n\
         [ours]\n{module}activate = 1\nlegacy = yes\n[own]\nactivate = 1\n"
    )
}

fn open() -> Option<World> {
    let (Some(path), Ok(folder)) =
        (env::var_os("CIPHERLANE_LIBCRYPTO"), env::var("CIPHERLANE_PROVIDER"))
    else {
        println!("no CIPHERLANE_LIBCRYPTO and CIPHERLANE_PROVIDER: nothing to test in");
        return None;
    };
    // Safety: a libcrypto, which is never closed.
    let library = unsafe { libloading::Library::new(path) }.expect("libcrypto");
    let module = format!("module = {folder}/cipherlane.so\n");
    Some(World::new(library, Path::new(&folder), &module, |_, _| {}))
}

/// A cipher that both have.
pub struct Cipher {
    pub name: String,
    pub ours: Handle,
    pub theirs: Handle,
    /// `EVP_CIPH_…_MODE`.
    pub mode: c_int,
    pub key: usize,
    pub block: usize,
    /// How many names it has on both sides.
    pub names: usize,
}

impl Cipher {
    pub fn is_aead(&self) -> bool {
        // GCM, CCM, GCM-SIV.
        matches!(self.mode, 6 | 7 | 0x10005)
    }
}

unsafe extern "C" fn collect(cipher: Handle, list: *mut c_void) {
    // Safety: the list that `World::ciphers` passes.
    unsafe { &mut *list.cast::<Vec<Handle>>() }.push(cipher);
}

unsafe extern "C" fn collect_name(name: *const c_char, list: *mut c_void) {
    // Safety: as above; names end with zeros.
    unsafe { (*list.cast::<Vec<CString>>()).push(CStr::from_ptr(name).to_owned()) };
}

impl World {
    /// Both library contexts; `module` is the line that names ours, and `add` what makes it known where it is no
    /// file. The configuration lies in `folder` for a moment.
    pub fn new(
        library: libloading::Library,
        folder: &Path,
        module: &str,
        add: impl FnOnce(&Evp, Handle),
    ) -> Self {
        let evp = Evp::of(&library);
        std::mem::forget(library);
        let file = folder.join(format!("sequences-{}.cnf", std::process::id()));
        std::fs::write(&file, configuration(module)).expect("a configuration");
        let name = CString::new(file.to_str().expect("UTF-8")).expect("no zero");
        // Safety: names end with zeros, contexts are never freed.
        let world = unsafe {
            let (ours, theirs) = ((evp.OSSL_LIB_CTX_new)(), (evp.OSSL_LIB_CTX_new)());
            add(&evp, ours);
            let done = (evp.OSSL_LIB_CTX_load_config)(ours, name.as_ptr());
            assert_eq!(done, 1, "{}", file.display());
            assert!(!(evp.OSSL_PROVIDER_load)(theirs, c"default".as_ptr()).is_null());
            if (evp.OSSL_PROVIDER_load)(theirs, c"legacy".as_ptr()).is_null() {
                println!("this OpenSSL has no legacy provider: its ciphers are not compared");
            }
            let version = CStr::from_ptr((evp.OpenSSL_version)(6)).to_string_lossy().into_owned();
            Self { evp, version, ours, theirs }
        };
        _ = std::fs::remove_file(&file);
        world
    }

    pub fn fetch(&self, context: Handle, name: &CStr, query: &CStr) -> Handle {
        // Safety: texts end with zeros.
        unsafe { (self.evp.EVP_CIPHER_fetch)(context, name.as_ptr(), query.as_ptr()) }
    }

    /// Loads the provider in a library context of its own, takes a cipher, and gives all back.
    pub fn load_once(&self) {
        let evp = &self.evp;
        let folder = env::var("CIPHERLANE_PROVIDER").expect("a folder");
        let folder = CString::new(folder).expect("no zero");
        // Safety: texts end with zeros; everything is freed in the order of the manual.
        unsafe {
            let context = (evp.OSSL_LIB_CTX_new)();
            assert_eq!((evp.OSSL_PROVIDER_set_default_search_path)(context, folder.as_ptr()), 1);
            let provider = (evp.OSSL_PROVIDER_load)(context, c"cipherlane".as_ptr());
            assert!(!provider.is_null());
            let cipher = self.fetch(context, c"SM4-CTR", c"");
            assert!(!cipher.is_null());
            (evp.EVP_CIPHER_free)(cipher);
            assert!(self.fetch(context, c"RC4", c"").is_null(), "the configuration does not ask");
            (evp.ERR_clear_error)();
            assert_eq!((evp.OSSL_PROVIDER_unload)(provider), 1);
            (evp.OSSL_LIB_CTX_free)(context);
        }
    }

    /// Every cipher of ours that OpenSSL has under one of our names.
    pub fn ciphers(&self) -> Vec<Cipher> {
        let (evp, mut all, mut found) = (&self.evp, Vec::<Handle>::new(), Vec::new());
        // Safety: the list outlives the call; fetched ciphers are kept.
        unsafe {
            (evp.EVP_CIPHER_do_all_provided)(self.ours, collect, (&raw mut all).cast());
            for cipher in all {
                let provider = (evp.EVP_CIPHER_get0_provider)(cipher);
                if CStr::from_ptr((evp.OSSL_PROVIDER_get0_name)(provider)) != c"cipherlane" {
                    continue;
                }
                let mut names = Vec::<CString>::new();
                (evp.EVP_CIPHER_names_do_all)(cipher, collect_name, (&raw mut names).cast());
                let both: Vec<_> = names
                    .iter()
                    .filter(|name| !self.fetch(self.theirs, name, c"").is_null())
                    .collect();
                (evp.ERR_clear_error)();
                let Some(name) = both.iter().max_by_key(|name| {
                    // A readable one: no number, no small letters, and whole.
                    let bytes = name.to_bytes();
                    let small = bytes.iter().any(u8::is_ascii_lowercase);
                    (!bytes.contains(&b'.'), !small, bytes.len())
                }) else {
                    continue;
                };
                found.push(Cipher {
                    name: name.to_string_lossy().into_owned(),
                    ours: self.fetch(self.ours, name, c"provider=cipherlane"),
                    theirs: self.fetch(self.theirs, name, c""),
                    mode: (evp.EVP_CIPHER_get_mode)(cipher),
                    key: (evp.EVP_CIPHER_get_key_length)(cipher) as usize,
                    block: (evp.EVP_CIPHER_get_block_size)(cipher) as usize,
                    names: both.len(),
                });
            }
        }
        found.sort_by(|one, two| one.name.cmp(&two.name));
        found
    }
}
