//! Published vectors of what the ladder in C computes.

/// Algorithm, operation, key, IV, input and output.
pub(super) const VECTORS: [[&str; 6]; 19] = [
    // GB/T 32907-2016, annex A.1.
    [
        "sm4",
        "ecb-encrypt",
        "0123456789abcdeffedcba9876543210",
        "",
        "0123456789abcdeffedcba9876543210",
        "681edf34d206965e86b3e94f536e4246",
    ],
    // RFC 2268 §5. A first block under an IV of zeros is that of ECB.
    [
        "rc2",
        "cbc-encrypt",
        "88bca90e90875a7f0f79c384627bafb2",
        NO_IV,
        "0000000000000000",
        "2269552ab0f85ca6",
    ],
    // RFC 6229.
    [
        "rc4",
        "keystream",
        "0102030405060708090a0b0c0d0e0f10",
        "",
        "00000000000000000000000000000000000000000000000000000000000000",
        "9ac7cc9a609d1ef7b2932899cde41b975248c4959014126a6e8a84f11d1a9e",
    ],
    // Rivest, The RC5 encryption algorithm: the first and second example.
    ["rc5", "cbc-encrypt", ZEROS, NO_IV, "0000000000000000", "21a5dbee154b8f6d"],
    [
        "rc5",
        "cbc-encrypt",
        "915f4619be41b2516355a50110a9ce91",
        NO_IV,
        "21a5dbee154b8f6d",
        "f7c013ac5b2b8952",
    ],
    // Lai's thesis, and one of NESSIE's, in which most words of the key are 0.
    [
        "idea",
        "cbc-encrypt",
        "00010002000300040005000600070008",
        NO_IV,
        "0000000100020003",
        "11fbed2b01986de5",
    ],
    [
        "idea",
        "cbc-encrypt",
        "80000000000000000000000000000000",
        NO_IV,
        "0000000000000000",
        "b1f5f7f87901370f",
    ],
    // TS 35.223, test set 3.
    [
        "zuc-128",
        "keystream",
        "3d4c4be96a82fdaeb58f641db17b455b",
        "84319aa8de6915ca1f6bda6bfbd8c766",
        "0000000000000000",
        "14f1c2723279c419",
    ],
    // The paper of 2018.
    [
        "zuc-256",
        "keystream",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "ffffffffffffffffffffffffffffffffffffffffffffff",
        "000000000000000000000000000000000000000000",
        "3356cbaed1a1c18b6baa4ffe343f777c9e15128f25",
    ],
    // eSTREAM.
    [
        "trivium",
        "keystream",
        "00000000000400000000",
        "00000000000000000000",
        "000000000000000000000000000000000000000000",
        "4eac0c5c7ad327084cfed7eaf72f6eb7ff20e11c65",
    ],
    // The paper, in eSTREAM's order of bits.
    [
        "grain-128",
        "keystream",
        "0123456789abcdef123456789abcdef0",
        "0123456789abcdef12345678",
        "00000000000000000000000000000000",
        "afb5babfa8de896b4b9c6acaf7c4fbfd",
    ],
    // eSTREAM.
    [
        "mickey-128",
        "keystream",
        "00000000000000000000000010000000",
        "00000000000000000000000000000000",
        "000000000000000000000000000000000000000000",
        "62aa0e38b3b7e03ab713c3b54dd7be1239e26fa7bc",
    ],
    // The designers.
    [
        "enocoro-128",
        "keystream",
        "12233445566778899aabbccddeeff0f1",
        "ffeeddccbbaa9988",
        "000000000000000000000000000000000000000000",
        "27f70c19f1de8e94f7a6791eb08fff70bee8e4ba76",
    ],
    // eSTREAM.
    [
        "hc-128",
        "keystream",
        "00002000000000000000000000000000",
        "00000000000000000000000000000000",
        "000000000000000000000000000000000000000000",
        "94dab13ae0d2f9a65283c6ae987331101c4ee45ec8",
    ],
    // RFC 4503, appendix A.2.
    [
        "rabbit",
        "keystream",
        "00000000000000000000000000000000",
        "597e26c175f573c3",
        "000000000000000000000000000000000000000000",
        "6d7d012292ccdce0e2120058b94ecd1f2e6f93edff",
    ],
    // eSTREAM.
    [
        "salsa20-12",
        "keystream",
        "0053a6f94c9ff24598eb3e91e4378add3083d6297ccf2275c81b6ec11467ba0d",
        "0d74db42a91077de",
        "000000000000000000000000000000000000000000",
        "52e20cf8775ae882f200c2999fe4ba31a7a18f1d5c",
    ],
    // eSTREAM.
    [
        "sosemanuk",
        "keystream",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "80000000000000000000000000000000",
        "000000000000000000000000000000000000000000",
        "f847d7ff5426bef5882bd2d0717494afa9b7bc9229",
    ],
    // SP 800-38A, F.5.1.
    [
        "aes-128",
        "ctr",
        "2b7e151628aed2a6abf7158809cf4f3c",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130",
        "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5a",
    ],
    // The draft's key and OpenSSL's IV.
    [
        "sm4",
        "ctr",
        "0123456789abcdeffedcba9876543210",
        "0123456789abcdeffedcba9876543210",
        "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddddee",
        "c2b4759e78ac3cf43d0852f4e8d5f9fd7256e8a5fcb65a350ee00630912e44492a",
    ],
];

const ZEROS: &str = "00000000000000000000000000000000";
const NO_IV: &str = "0000000000000000";
