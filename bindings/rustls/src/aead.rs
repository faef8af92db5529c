//! Records of TLS 1.3 (RFC 8446, 5.2) sealed by GCM.

use cipherlane::Aead;
use cipherlane::aead::named::{Aes128Gcm, Aes256Gcm, Sm4Gcm};
use rustls::crypto::cipher::{
    AeadKey, InboundOpaqueMessage, InboundPlainMessage, Iv, MessageDecrypter, MessageEncrypter,
    Nonce, OutboundOpaqueMessage, OutboundPlainMessage, PrefixedPayload, Tls13AeadAlgorithm,
    UnsupportedOperationError, make_tls13_aad,
};
use rustls::{ConnectionTrafficSecrets, ContentType, Error, ProtocolVersion};

/// Bytes of a tag.
const TAG: usize = 16;

/// Which cipher is under GCM.
pub(crate) enum Gcm {
    /// AES-128.
    Aes128,
    /// AES-256.
    Aes256,
    /// SM4.
    Sm4,
}

/// One direction of a connection.
struct Records {
    gcm: Box<dyn Aead + Send + Sync>,
    iv: Iv,
}

impl Gcm {
    fn records(&self, key: &AeadKey, iv: Iv) -> Box<Records> {
        let key = key.as_ref();
        let gcm = match self {
            Self::Aes128 => Aes128Gcm::from_key(key).map(|it| Box::new(it) as _),
            Self::Aes256 => Aes256Gcm::from_key(key).map(|it| Box::new(it) as _),
            Self::Sm4 => Sm4Gcm::from_key(key).map(|it| Box::new(it) as _),
        };
        // rustls derives as many bytes as `key_len` says.
        let gcm =
            gcm.expect("the key has the length of the cipher, and CIPHERLANE_LEVEL is a level");
        Box::new(Records { gcm, iv })
    }
}

impl Tls13AeadAlgorithm for Gcm {
    fn encrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageEncrypter> {
        self.records(&key, iv)
    }

    fn decrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageDecrypter> {
        self.records(&key, iv)
    }

    fn key_len(&self) -> usize {
        match self {
            Self::Aes128 | Self::Sm4 => 16,
            Self::Aes256 => 32,
        }
    }

    fn extract_keys(
        &self,
        key: AeadKey,
        iv: Iv,
    ) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        match self {
            Self::Aes128 => Ok(ConnectionTrafficSecrets::Aes128Gcm { key, iv }),
            Self::Aes256 => Ok(ConnectionTrafficSecrets::Aes256Gcm { key, iv }),
            // rustls has no such variant.
            Self::Sm4 => Err(UnsupportedOperationError),
        }
    }
}

impl MessageEncrypter for Records {
    fn encrypt(
        &mut self,
        message: OutboundPlainMessage<'_>,
        number: u64,
    ) -> Result<OutboundOpaqueMessage, Error> {
        let total = self.encrypted_payload_len(message.payload.len());
        let mut payload = PrefixedPayload::with_capacity(total);
        payload.extend_from_chunks(&message.payload);
        payload.extend_from_slice(&message.typ.to_array());
        let (nonce, aad) = (Nonce::new(&self.iv, number), make_tls13_aad(total));
        let mut tag = [0; TAG];
        let sealed = self.gcm.seal(&nonce.0, &aad, payload.as_mut().into(), &mut tag);
        sealed.map_err(|_| Error::EncryptError)?;
        payload.extend_from_slice(&tag);
        // The version that all records of TLS 1.3 bear (RFC 8446, 5.1).
        let version = ProtocolVersion::TLSv1_2;
        Ok(OutboundOpaqueMessage::new(ContentType::ApplicationData, version, payload))
    }

    fn encrypted_payload_len(&self, payload: usize) -> usize {
        payload + 1 + TAG
    }
}

impl MessageDecrypter for Records {
    fn decrypt<'a>(
        &mut self,
        mut message: InboundOpaqueMessage<'a>,
        number: u64,
    ) -> Result<InboundPlainMessage<'a>, Error> {
        let payload = &mut message.payload;
        let total = payload.len();
        let length = total.checked_sub(TAG).ok_or(Error::DecryptError)?;
        let (nonce, aad) = (Nonce::new(&self.iv, number), make_tls13_aad(total));
        let (data, tag) = payload.split_at_mut(length);
        self.gcm.open(&nonce.0, &aad, data.into(), tag).map_err(|_| Error::DecryptError)?;
        payload.truncate(length);
        message.into_tls13_unpadded_message()
    }
}
