//! What a program may call on a MAC's context.

use std::fmt;

use super::calls::Data;

#[derive(Clone)]
pub enum Call {
    /// Parameters come with the init, or before it.
    Init {
        cipher: bool,
        key: Option<(usize, Data)>,
        iv: Option<(usize, Data)>,
        before: bool,
    },
    /// The key as a parameter.
    SetKey {
        length: usize,
        data: Data,
    },
    SetWrongCipher,
    Update {
        length: usize,
        data: Data,
    },
    Final {
        room: usize,
    },
    AskSize,
    Dup {
        use_copy: bool,
    },
    GetSize,
    GetBlock,
}

impl Call {
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Init { .. } => "init",
            Self::SetKey { .. } => "set-key",
            Self::SetWrongCipher => "set-cipher",
            Self::Update { .. } => "update",
            Self::Final { .. } => "final",
            Self::AskSize => "ask-size",
            Self::Dup { .. } => "dup",
            Self::GetSize => "get-size",
            Self::GetBlock => "get-block",
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let say = |given: &Option<(usize, Data)>| {
            given.as_ref().map_or("none".into(), |(length, data)| format!("{length} {data}"))
        };
        match self {
            Self::Init { cipher, key, iv, before } => write!(
                f,
                "EVP_MAC_init(key {}, iv {}{}){}",
                say(key),
                say(iv),
                if *cipher { ", cipher" } else { "" },
                if *before { ", parameters set before" } else { "" }
            ),
            Self::SetKey { length, data } => write!(f, "set key({length}, {data})"),
            Self::SetWrongCipher => f.write_str("set cipher to one of another mode"),
            Self::Update { length, data } => write!(f, "EVP_MAC_update({length} bytes: {data})"),
            Self::Final { room } => write!(f, "EVP_MAC_final(room for {room})"),
            Self::AskSize => f.write_str("EVP_MAC_final(NULL)"),
            Self::Dup { use_copy } => write!(
                f,
                "EVP_MAC_CTX_dup, going on with the {}",
                if *use_copy { "copy" } else { "first" }
            ),
            Self::GetSize => f.write_str("EVP_MAC_CTX_get_mac_size"),
            Self::GetBlock => f.write_str("EVP_MAC_CTX_get_block_size"),
        }
    }
}
