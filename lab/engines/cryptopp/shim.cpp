// The interface of shim.h to Crypto++, for the engine `cryptopp`: Crypto++ has none in C.
//
// A function returns -1 where Crypto++ threw; no exception leaves this file.

#include "shim.h"

// RC4 lies in a namespace that has to be asked for.
#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1

#include <cryptopp/aes.h>
#include <cryptopp/algparam.h>
#include <cryptopp/arc4.h>
#include <cryptopp/argnames.h>
#include <cryptopp/ccm.h>
#include <cryptopp/cmac.h>
#include <cryptopp/config.h>
#include <cryptopp/gcm.h>
#include <cryptopp/hc128.h>
#include <cryptopp/idea.h>
#include <cryptopp/modes.h>
#include <cryptopp/rabbit.h>
#include <cryptopp/rc2.h>
#include <cryptopp/rc5.h>
#include <cryptopp/salsa.h>
#include <cryptopp/sm4.h>
#include <cryptopp/sosemanuk.h>
#include <cryptopp/xts.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace cp = CryptoPP;

// One operation. Exactly one of the three objects is there.
struct Operation {
    std::unique_ptr<cp::SymmetricCipher> cipher;
    std::unique_ptr<cp::AuthenticatedSymmetricCipher> aead;
    std::unique_ptr<cp::MessageAuthenticationCode> mac;
    // A last part of a block goes with the block before it to ProcessLastBlock, which steals
    // ciphertext; given more blocks at once, that of version 8.7.0 crashes.
    bool steals = false;
    // The bytes of feedback, if they are not the mode's own choice.
    int feedback = 0;
    // An AEAD that only authenticates.
    bool authenticates = false;
    // The rounds, if they are not the cipher's own choice.
    int rounds = 0;
    // As many effective key bits as the key has: RC2's own choice is 1024.
    bool bounds_key = false;
    // Version 8.7.0 writes the keystream of these over the input before it reads it, so what is
    // processed in place is copied first.
    bool copies = false;
    std::vector<std::uint8_t> copy;
};

template <class Mode>
void set_cipher(Operation& operation, bool encrypts) {
    if (encrypts) {
        operation.cipher = std::make_unique<typename Mode::Encryption>();
    } else {
        operation.cipher = std::make_unique<typename Mode::Decryption>();
    }
}

template <class Mode>
void set_aead(Operation& operation, bool seals) {
    if (seals) {
        operation.aead = std::make_unique<typename Mode::Encryption>();
    } else {
        operation.aead = std::make_unique<typename Mode::Decryption>();
    }
}

// The modes of a block cipher of any length.
template <class Cipher>
bool set_mode(Operation& operation, const std::string& mode, bool encrypts) {
    if (mode == "ecb") {
        set_cipher<cp::ECB_Mode<Cipher>>(operation, encrypts);
    } else if (mode == "cbc") {
        set_cipher<cp::CBC_Mode<Cipher>>(operation, encrypts);
    } else if (mode == "ctr") {
        set_cipher<cp::CTR_Mode<Cipher>>(operation, true);
    } else if (mode == "cfb" || mode == "cfb8") {
        set_cipher<cp::CFB_Mode<Cipher>>(operation, encrypts);
        operation.feedback = mode == "cfb8" ? 1 : 0;
    } else if (mode == "ofb") {
        set_cipher<cp::OFB_Mode<Cipher>>(operation, true);
    } else if (mode == "cmac") {
        operation.mac = std::make_unique<cp::CMAC<Cipher>>();
    } else {
        return false;
    }
    return true;
}

// Those and the modes that are defined for blocks of 16 bytes only.
template <class Cipher>
bool set_mode_128(Operation& operation, const std::string& mode, bool encrypts) {
    if (mode == "xts") {
        set_cipher<cp::XTS_Mode<Cipher>>(operation, encrypts);
        operation.steals = true;
    } else if (mode == "gcm") {
        set_aead<cp::GCM<Cipher>>(operation, encrypts);
    } else if (mode == "ccm") {
        set_aead<cp::CCM<Cipher, 16>>(operation, encrypts);
    } else if (mode == "gmac") {
        set_aead<cp::GCM<Cipher>>(operation, true);
        operation.authenticates = true;
    } else {
        return set_mode<Cipher>(operation, mode, encrypts);
    }
    return true;
}

template <class Cipher>
bool set_stream(Operation& operation, int rounds = 0, bool copies = false) {
    set_cipher<Cipher>(operation, true);
    operation.rounds = rounds;
    operation.copies = copies;
    return true;
}

// The keystream of a stream cipher.
bool make_stream(Operation& operation, const std::string& algorithm) {
    if (algorithm == "rc4") {
        return set_stream<cp::Weak::ARC4>(operation);
    }
    if (algorithm == "hc-128") {
        return set_stream<cp::HC128>(operation, 0, true);
    }
    if (algorithm == "rabbit") {
        return set_stream<cp::RabbitWithIV>(operation, 0, true);
    }
    if (algorithm == "salsa20-8" || algorithm == "salsa20-12" || algorithm == "salsa20-20") {
        return set_stream<cp::Salsa20>(operation, std::stoi(algorithm.substr(8)));
    }
    if (algorithm == "sosemanuk") {
        return set_stream<cp::Sosemanuk>(operation);
    }
    return false;
}

// A key schedule takes every key length of AES, so its three algorithms are one class.
bool make(Operation& operation, const std::string& algorithm, const std::string& mode,
          bool encrypts) {
    if (mode == "keystream") {
        return make_stream(operation, algorithm);
    }
    if (algorithm == "sm4") {
        return set_mode_128<cp::SM4>(operation, mode, encrypts);
    }
    if (algorithm == "aes-128" || algorithm == "aes-192" || algorithm == "aes-256") {
        return set_mode_128<cp::AES>(operation, mode, encrypts);
    }
    if (algorithm == "idea") {
        return set_mode<cp::IDEA>(operation, mode, encrypts);
    }
    if (algorithm == "rc2") {
        operation.bounds_key = true;
        return set_mode<cp::RC2>(operation, mode, encrypts);
    }
    if (algorithm == "rc5") {
        // The rounds are not the class's choice, which is 16.
        operation.rounds = 12;
        return set_mode<cp::RC5>(operation, mode, encrypts);
    }
    return false;
}

// Runs what may throw.
template <class Body>
int guarded(Body body) noexcept {
    try {
        return body() ? 0 : -1;
    } catch (...) {
        return -1;
    }
}

}  // namespace

extern "C" {

std::uint32_t cipherlane_shim_interface() { return CIPHERLANE_SHIM_INTERFACE; }

int cipherlane_shim_version(char* text, std::size_t room) {
    const int number = cp::LibraryVersion();
    const int wanted = std::snprintf(text, room, "%d.%d.%d", number / 100, number / 10 % 10,
                                     number % 10);
    return wanted > 0 && static_cast<std::size_t>(wanted) < room ? 0 : -1;
}

void* cipherlane_shim_new(const char* algorithm, const char* mode, int encrypts) {
    try {
        auto operation = std::make_unique<Operation>();
        return make(*operation, algorithm, mode, encrypts != 0) ? operation.release() : nullptr;
    } catch (...) {
        return nullptr;
    }
}

void cipherlane_shim_free(void* object) { delete static_cast<Operation*>(object); }

int cipherlane_shim_provider(void* object, char* text, std::size_t room) {
    auto& it = *static_cast<Operation*>(object);
    return guarded([&] {
        const std::string name = it.cipher ? it.cipher->AlgorithmProvider()
                                 : it.aead ? it.aead->AlgorithmProvider()
                                           : it.mac->AlgorithmProvider();
        if (name.size() >= room) {
            return false;
        }
        std::memcpy(text, name.c_str(), name.size() + 1);
        return true;
    });
}

int cipherlane_shim_key(void* object, const std::uint8_t* key, std::size_t key_bytes,
                            const std::uint8_t* iv, std::size_t iv_bytes) {
    auto& it = *static_cast<Operation*>(object);
    return guarded([&] {
        if (it.aead) {
            it.aead->SetKeyWithIV(key, key_bytes, iv, iv_bytes);
            return true;
        }
        if (it.feedback == 0 && it.rounds == 0 && !it.bounds_key) {
            if (it.mac) {
                it.mac->SetKey(key, key_bytes);
            } else if (iv_bytes != 0) {
                it.cipher->SetKeyWithIV(key, key_bytes, iv, iv_bytes);
            } else {
                it.cipher->SetKey(key, key_bytes);
            }
            return true;
        }
        cp::AlgorithmParameters with;
        if (iv_bytes != 0) {
            with(cp::Name::IV(), cp::ConstByteArrayParameter(iv, iv_bytes));
        }
        if (it.feedback != 0) {
            with(cp::Name::FeedbackSize(), it.feedback);
        }
        if (it.rounds != 0) {
            with(cp::Name::Rounds(), it.rounds);
        }
        if (it.bounds_key) {
            with(cp::Name::EffectiveKeyLength(), static_cast<int>(8 * key_bytes));
        }
        if (it.mac) {
            it.mac->SetKey(key, key_bytes, with);
        } else {
            it.cipher->SetKey(key, key_bytes, with);
        }
        return true;
    });
}

int cipherlane_shim_iv(void* object, const std::uint8_t* iv, std::size_t iv_bytes) {
    auto& it = *static_cast<Operation*>(object);
    return guarded([&] {
        it.cipher->Resynchronize(iv, static_cast<int>(iv_bytes));
        return true;
    });
}

int cipherlane_shim_data(void* object, const std::uint8_t* input, std::uint8_t* output,
                             std::size_t bytes) {
    auto& it = *static_cast<Operation*>(object);
    return guarded([&] {
        const std::size_t rest = it.steals ? bytes % cp::AES::BLOCKSIZE : 0;
        if (rest != 0) {
            const std::size_t last = cp::AES::BLOCKSIZE + rest;
            if (bytes < last) {
                return false;
            }
            const std::size_t head = bytes - last;
            it.cipher->ProcessData(output, input, head);
            return it.cipher->ProcessLastBlock(output + head, last, input + head, last) == last;
        }
        if (it.copies && input == output) {
            it.copy.assign(input, input + bytes);
            input = it.copy.data();
        }
        it.cipher->ProcessData(output, input, bytes);
        return true;
    });
}

int cipherlane_shim_message(void* object, const std::uint8_t* iv, std::size_t iv_bytes,
                                const std::uint8_t* aad, std::size_t aad_bytes,
                                const std::uint8_t* input, std::uint8_t* output,
                                std::size_t bytes, std::uint8_t* tag, std::size_t tag_bytes) {
    auto& it = *static_cast<Operation*>(object);
    const int nonce = static_cast<int>(iv_bytes);
    return guarded([&] {
        if (it.authenticates) {
            it.aead->EncryptAndAuthenticate(nullptr, tag, tag_bytes, iv, nonce, input, bytes,
                                            nullptr, 0);
            return true;
        }
        if (it.aead->IsForwardTransformation()) {
            it.aead->EncryptAndAuthenticate(output, tag, tag_bytes, iv, nonce, aad, aad_bytes,
                                            input, bytes);
            return true;
        }
        return it.aead->DecryptAndVerify(output, tag, tag_bytes, iv, nonce, aad, aad_bytes,
                                         input, bytes);
    });
}

int cipherlane_shim_mac(void* object, const std::uint8_t* input, std::size_t bytes,
                            std::uint8_t* tag, std::size_t tag_bytes) {
    auto& it = *static_cast<Operation*>(object);
    return guarded([&] {
        it.mac->CalculateTruncatedDigest(tag, tag_bytes, input, bytes);
        return true;
    });
}
}
