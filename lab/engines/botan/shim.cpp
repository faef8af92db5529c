// A C interface to Botan's modes, for the engine `botan`: the library's own copies the data of a
// mode into a buffer and back. Here they are processed where they lie; what a mode wants to see
// last (less than its granularity, or a tag) goes through a small buffer, and with it the whole
// message in the modes that want it at once.
//
// The functions have the types of those of ffi.h that they stand for, with one for a whole message
// besides. All return 0, or -1 where the library threw.

#include <botan/aead.h>
#include <botan/cipher_mode.h>
#include <botan/secmem.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

// The interface's number: the engine refuses a shim of another.
constexpr uint32_t INTERFACE = 1;

// Of ffi.h.
constexpr uint32_t DECRYPT = 1;

namespace {

struct Object {
    std::unique_ptr<Botan::Cipher_Mode> mode;
    Botan::AEAD_Mode *aead = nullptr;
    bool decrypt = false;
    bool last = false;
    bool whole = false;
    size_t granularity = 1;
    size_t least = 0;
    Botan::secure_vector<uint8_t> rest;
};

template <typename Work> int guarded(Work work) {
    try {
        work();
        return 0;
    } catch (...) {
        return -1;
    }
}

void in_place(Object &it, uint8_t *data, size_t length) {
    if (length > 0) {
        it.mode->process(data, length);
    }
}

}  // namespace

extern "C" {

uint32_t cipherlane_botan_interface() { return INTERFACE; }

int cipherlane_botan_init(void **out, const char *name, uint32_t flags) {
    return guarded([&] {
        auto it = std::make_unique<Object>();
        it->decrypt = (flags & DECRYPT) != 0;
        it->mode = Botan::Cipher_Mode::create_or_throw(
            name, it->decrypt ? Botan::Cipher_Dir::Decryption : Botan::Cipher_Dir::Encryption);
        it->aead = dynamic_cast<Botan::AEAD_Mode *>(it->mode.get());
        // XTS steals from the block before the last.
        it->last = it->aead != nullptr || std::strstr(name, "/XTS") != nullptr;
        it->whole = it->mode->requires_entire_message();
        it->granularity = it->mode->update_granularity();
        it->least = it->aead != nullptr ? 0 : it->mode->minimum_final_size();
        *out = it.release();
    });
}

int cipherlane_botan_destroy(void *object) {
    delete static_cast<Object *>(object);
    return 0;
}

int cipherlane_botan_set_key(void *object, const uint8_t *key, size_t length) {
    return guarded([&] { static_cast<Object *>(object)->mode->set_key(key, length); });
}

int cipherlane_botan_start(void *object, const uint8_t *nonce, size_t length) {
    return guarded([&] { static_cast<Object *>(object)->mode->start(nonce, length); });
}

int cipherlane_botan_set_associated_data(void *object, const uint8_t *data, size_t length) {
    return guarded(
        [&] { static_cast<Object *>(object)->aead->set_associated_data({data, length}); });
}

int cipherlane_botan_granularity(void *object, size_t *out) {
    *out = static_cast<Object *>(object)->granularity;
    return 0;
}

// The next piece of a stream, a multiple of the granularity.
int cipherlane_botan_piece(void *object, const uint8_t *input, uint8_t *output, size_t length) {
    return guarded([&] {
        if (input != output) {
            std::memcpy(output, input, length);
        }
        in_place(*static_cast<Object *>(object), output, length);
    });
}

// A whole message after its start. A tag of that length is written, or read where it decrypts.
int cipherlane_botan_message(void *object, const uint8_t *input, uint8_t *output, size_t length,
                             uint8_t *tag, size_t tag_bytes) {
    Object &it = *static_cast<Object *>(object);
    return guarded([&] {
        if (input != output && !it.whole) {
            std::memcpy(output, input, length);
        }
        if (!it.last && length % it.granularity == 0) {
            in_place(it, output, length);
            return;
        }
        size_t early = 0;
        if (!it.whole && length >= it.least) {
            early = (length - (it.last ? it.least : 0)) / it.granularity * it.granularity;
        }
        in_place(it, output, early);
        const size_t late = length - early;
        it.rest.resize(late);
        if (late > 0) {
            std::memcpy(it.rest.data(), (it.whole ? input : output) + early, late);
        }
        if (it.decrypt && tag_bytes > 0) {
            it.rest.insert(it.rest.end(), tag, tag + tag_bytes);
        }
        it.mode->finish(it.rest);
        if (late > 0) {
            std::memcpy(output + early, it.rest.data(), late);
        }
        if (!it.decrypt && tag_bytes > 0) {
            std::memcpy(tag, it.rest.data() + late, tag_bytes);
        }
    });
}

}  // extern "C"
