//! Handshakes, data both ways, key updates, resumption and a changed record: between two ends of this
//! provider, and against ring where that has the suite.

use std::io::{Read as _, Write as _};
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{PrivateKeyDer, ServerName};
use rustls::{
    CipherSuite, ClientConfig, ClientConnection, ConnectionCommon, HandshakeKind, RootCertStore,
    ServerConfig, ServerConnection, SideData,
};

const SUITES: [CipherSuite; 3] = [
    CipherSuite::TLS13_AES_128_GCM_SHA256,
    CipherSuite::TLS13_AES_256_GCM_SHA384,
    cipherlane_rustls::TLS_SM4_GCM_SM3,
];

/// The provider with that suite alone.
fn only(mut provider: CryptoProvider, suite: CipherSuite) -> Arc<CryptoProvider> {
    provider.cipher_suites.retain(|it| it.suite() == suite);
    assert_eq!(provider.cipher_suites.len(), 1);
    Arc::new(provider)
}

/// Configurations of both ends, under a certificate of their own.
fn ends(
    client: Arc<CryptoProvider>,
    server: Arc<CryptoProvider>,
) -> (Arc<ClientConfig>, Arc<ServerConfig>) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let versions = [&rustls::version::TLS13];
    let client = ClientConfig::builder_with_provider(client)
        .with_protocol_versions(&versions)
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let server = ServerConfig::builder_with_provider(server)
        .with_protocol_versions(&versions)
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    (Arc::new(client), Arc::new(server))
}

/// What one end has to say goes to the other; the bytes that come of it.
fn carry<A: SideData, B: SideData>(
    from: &mut ConnectionCommon<A>,
    to: &mut ConnectionCommon<B>,
) -> Vec<u8> {
    let (mut wire, mut got) = (Vec::new(), Vec::new());
    while from.wants_write() {
        from.write_tls(&mut wire).unwrap();
    }
    let mut rest = &wire[..];
    while !rest.is_empty() {
        to.read_tls(&mut rest).unwrap();
        let state = to.process_new_packets().unwrap();
        let mut piece = vec![0; state.plaintext_bytes_to_read()];
        to.reader().read_exact(&mut piece).unwrap();
        got.extend(piece);
    }
    got
}

fn connect(
    client: &Arc<ClientConfig>,
    server: &Arc<ServerConfig>,
) -> (ClientConnection, ServerConnection) {
    let name = ServerName::try_from("localhost").unwrap();
    let mut client = ClientConnection::new(client.clone(), name).unwrap();
    let mut server = ServerConnection::new(server.clone()).unwrap();
    while client.is_handshaking() || server.is_handshaking() {
        carry(&mut client, &mut server);
        carry(&mut server, &mut client);
    }
    // The tickets.
    carry(&mut server, &mut client);
    (client, server)
}

fn data<A: SideData, B: SideData>(from: &mut ConnectionCommon<A>, to: &mut ConnectionCommon<B>) {
    for length in (0..300).chain([1460, 16383, 16384, 16385, 50000]) {
        let message: Vec<u8> = (0..length).map(|i| (i * 31 + length) as u8).collect();
        from.writer().write_all(&message).unwrap();
        assert_eq!(carry(from, to), message);
    }
}

fn both_ways(client: CryptoProvider, server: CryptoProvider, suite: CipherSuite) {
    let (client, server) = ends(only(client, suite), only(server, suite));
    for kind in [HandshakeKind::Full, HandshakeKind::Resumed] {
        let (mut client, mut server) = connect(&client, &server);
        assert_eq!(client.handshake_kind(), Some(kind), "{suite:?}");
        assert_eq!(client.negotiated_cipher_suite().unwrap().suite(), suite);
        data(&mut client, &mut server);
        data(&mut server, &mut client);
        client.refresh_traffic_keys().unwrap();
        data(&mut client, &mut server);
        data(&mut server, &mut client);
    }
}

#[test]
fn two_ends_of_this_provider() {
    for suite in SUITES {
        both_ways(cipherlane_rustls::provider(), cipherlane_rustls::provider(), suite);
    }
}

#[test]
fn this_provider_and_ring() {
    for suite in &SUITES[..2] {
        both_ways(cipherlane_rustls::provider(), ring::default_provider(), *suite);
        both_ways(ring::default_provider(), cipherlane_rustls::provider(), *suite);
    }
}

#[test]
fn a_changed_record_is_refused() {
    for suite in SUITES {
        let provider = || only(cipherlane_rustls::provider(), suite);
        let (client, server) = ends(provider(), provider());
        for at in [5, 20, 104, 120] {
            let (mut client, mut server) = connect(&client, &server);
            client.writer().write_all(&[7; 100]).unwrap();
            let mut wire = Vec::new();
            client.write_tls(&mut wire).unwrap();
            assert_eq!(wire.len(), 5 + 100 + 1 + 16);
            wire[at] ^= 4;
            server.read_tls(&mut &wire[..]).unwrap();
            assert_eq!(server.process_new_packets(), Err(rustls::Error::DecryptError), "{suite:?}");
        }
    }
}
