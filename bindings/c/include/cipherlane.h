/* Cipherlane: fast symmetric ciphers in software.
 *
 * Made from the sources of bindings/c by cbindgen: do not edit. Algorithms and operations are
 * named by strings; cipherlane_algorithm and cipherlane_operation list them. Functions that can
 * fail return CIPHERLANE_OK or another status. Objects share nothing that can be written to. */

#ifndef CIPHERLANE_H
#define CIPHERLANE_H

#include <stddef.h>
#include <stdint.h>

/*
 Data is encrypted or decrypted: `cipherlane_cipher`.
 */
#define CIPHERLANE_KIND_CIPHER 0

/*
 Data is encrypted and a tag written: `cipherlane_aead`.
 */
#define CIPHERLANE_KIND_SEAL 1

/*
 Data is decrypted if the tag is right: `cipherlane_aead`.
 */
#define CIPHERLANE_KIND_OPEN 2

/*
 A tag is written: `cipherlane_mac`.
 */
#define CIPHERLANE_KIND_MAC 3

/*
 No padding: the data must be whole blocks, where the operation wants them.
 */
#define CIPHERLANE_PADDING_NONE 0

/*
 PKCS#7.
 */
#define CIPHERLANE_PADDING_PKCS7 1

/*
 ISO/IEC 7816-4.
 */
#define CIPHERLANE_PADDING_ISO7816 2

/*
 What a call returns: 0 for success, else what was wrong.
 */
enum cipherlane {
  /*
   It was done.
   */
  CIPHERLANE_OK = 0,
  /*
   A pointer that must not be null is.
   */
  CIPHERLANE_NULL = 1,
  /*
   There is no algorithm of that name.
   */
  CIPHERLANE_UNKNOWN_ALGORITHM = 2,
  /*
   The algorithm has no operation of that name, or it is one for another kind of object.
   */
  CIPHERLANE_UNKNOWN_OPERATION = 3,
  /*
   The level's name is unknown, or this CPU lacks it.
   */
  CIPHERLANE_UNKNOWN_LEVEL = 4,
  /*
   A key, IV, nonce, tag or message has a length that is not allowed.
   */
  CIPHERLANE_LENGTH = 5,
  /*
   Data that must be whole blocks is not.
   */
  CIPHERLANE_PARTIAL_BLOCK = 6,
  /*
   The output buffer is too short.
   */
  CIPHERLANE_OUTPUT_LENGTH = 7,
  /*
   A value is outside its range.
   */
  CIPHERLANE_VALUE = 8,
  /*
   The standard's limit for one key and IV would be exceeded.
   */
  CIPHERLANE_LIMIT = 9,
  /*
   Two keys that must differ are equal.
   */
  CIPHERLANE_EQUAL_KEYS = 10,
  /*
   The tag is wrong; the output is wiped.
   */
  CIPHERLANE_AUTHENTICATION = 11,
  /*
   The padding is not valid.
   */
  CIPHERLANE_PADDING = 12,
  /*
   The call does not fit what was called before, e.g. data after the end.
   */
  CIPHERLANE_STATE = 13,
  /*
   Input and output overlap without being the same, or what is written lies in what else is
   read.
   */
  CIPHERLANE_OVERLAP = 14,
  /*
   A text is not UTF-8.
   */
  CIPHERLANE_TEXT = 15,
  /*
   A self-test gave a wrong answer: this process should not be trusted.
   */
  CIPHERLANE_SELF_TEST = 16,
  /*
   The nonce is the one that the message before was encrypted with.
   */
  CIPHERLANE_NONCE_REUSED = 17,
  /*
   An error of the library itself.
   */
  CIPHERLANE_INTERNAL = 18,
  /*
   The system gave no memory. Nothing was made; what was written is wiped; an object that the
   call could not go on with is wiped, too, and returns this status until it is freed.
   */
  CIPHERLANE_NO_MEMORY = 19
};

/*
 An AEAD under one key. Two threads may use one at the same time.
 */
struct cipherlane_aead;

/*
 A message of an AEAD in pieces. Not for two threads at once.
 */
struct cipherlane_aead_stream;

/*
 An operation on many messages. Not for two threads at once.
 */
struct cipherlane_batch;

/*
 A cipher under one key, in one direction. Not for two threads at once.
 */
struct cipherlane_cipher;

/*
 A MAC under one key. Not for two threads at once.
 */
struct cipherlane_mac;

/*
 Settings of a new object; all zero, or no settings at all, are the usual.
 */
struct cipherlane_options {
  /*
   `sizeof(struct cipherlane_options)` of the program, by which a later library knows which
   members there are; 0 stands for those that 0.1 has. Anything else is `CIPHERLANE_VALUE`.
   */
  size_t size;
  /*
   The level's name; null for the best, capped by the variable `CIPHERLANE_LEVEL`.
   */
  const char *level;
  /*
   One of `CIPHERLANE_PADDING_…`, for modes that take whole blocks.
   */
  int padding;
  /*
   RC2: the effective key length in bits; 0 for that of the key.
   */
  uint32_t effective_key_bits;
  /*
   RC5: the length of a word in bits; 0 for 32.
   */
  uint32_t word_bits;
  /*
   RC5: the number of rounds plus one, as 0 rounds are allowed; 0 for 12 rounds.
   */
  uint32_t rounds_plus_one;
  /*
   AEADs and MACs: 1 to let a nonce or IV be used again, for known answers and measurements;
   0 to refuse the one of the message before.
   */
  int allow_nonce_reuse;
  /*
   AEADs and batches with tags: their length in bytes, to which every call keeps; 0 for the
   longest. That of a MAC stands in its constructor.
   */
  size_t tag_length;
};

/*
 One message of a batch. Members that are not used are zero: `memset` a packet first.
 */
struct cipherlane_packet {
  /*
   The key, where keys come with the messages.
   */
  const uint8_t *key;
  /*
   Its length in bytes.
   */
  size_t key_length;
  /*
   The number of the key, where keys are ready.
   */
  size_t key_index;
  /*
   The IV or nonce.
   */
  const uint8_t *iv;
  /*
   Its length in bytes.
   */
  size_t iv_length;
  /*
   Associated data of an AEAD; the message of a MAC.
   */
  const uint8_t *aad;
  /*
   Its length in bytes.
   */
  size_t aad_length;
  /*
   The data; not of a MAC.
   */
  const uint8_t *input;
  /*
   Where the result goes: `input` itself, or apart from it, and from all other packets.
   */
  uint8_t *output;
  /*
   The length of the data in bytes.
   */
  size_t length;
  /*
   The tag: written by what seals and by a MAC, read by what opens.
   */
  uint8_t *tag;
  /*
   Its length in bytes.
   */
  size_t tag_length;
  /*
   Set by the call: 1 if this message was refused or its tag was wrong, else 0.
   */
  int failed;
  /*
   Zeros, else the packet is refused with `CIPHERLANE_VALUE`: room for what later versions
   take.
   */
  size_t reserved[3];
};

/*
 Lengths in bytes: `min`, `min + step` … `max`; only `min` where `step` is 0.
 */
struct cipherlane_sizes {
  /*
   The smallest.
   */
  size_t min;
  /*
   The largest.
   */
  size_t max;
  /*
   The distance between two.
   */
  size_t step;
  /*
   Where the steps say too much: bit `n` tells whether the length `n` is allowed. Else 0.
   */
  uint64_t set;
};

/*
 An algorithm. All texts are static.
 */
struct cipherlane_algorithm_info {
  /*
   Its name in calls, e.g. `sm4`.
   */
  const char *name;
  /*
   Its name in prose.
   */
  const char *title;
  /*
   The standard.
   */
  const char *standard;
  /*
   `constant-time` or `table`: what its time may tell.
   */
  const char *timing;
  /*
   What a user must know before using it; null if nothing.
   */
  const char *warning;
  /*
   The key lengths in bytes.
   */
  struct cipherlane_sizes key;
  /*
   The length of a block in bytes; 0 for a stream cipher.
   */
  size_t block;
  /*
   Zeros: room for what later versions tell.
   */
  size_t reserved[4];
};

/*
 An operation of an algorithm. All texts are static.
 */
struct cipherlane_operation_info {
  /*
   Its name in calls, e.g. `gcm-seal`.
   */
  const char *name;
  /*
   The dotted object identifier of its mode; null if there is none.
   */
  const char *oid;
  /*
   One of `CIPHERLANE_KIND_…`.
   */
  int kind;
  /*
   The key lengths in bytes.
   */
  struct cipherlane_sizes key;
  /*
   The IV or nonce lengths in bytes.
   */
  struct cipherlane_sizes iv;
  /*
   The IV length to take where nothing else is said.
   */
  size_t usual_iv;
  /*
   The lengths of the data in bytes; of the message, for a MAC.
   */
  struct cipherlane_sizes data;
  /*
   The tag lengths in bytes that an object may have; it has one of them.
   */
  struct cipherlane_sizes tag;
  /*
   1 if the messages of a batch run side by side in lanes, else 0.
   */
  int in_lanes;
  /*
   Zeros: room for what later versions tell.
   */
  size_t reserved[4];
};

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/*
 Makes an AEAD. `operation` is a mode, e.g. `gcm`, or either of its operations. Its tags have
 the length that `options` names, or else the longest of the mode. On failure `*aead` is null.

 # Safety
 `aead` is null or valid for writing; the texts end with a zero byte; `options` is null or
 valid; `key` is null or valid for its length.
 */
int cipherlane_aead_new(struct cipherlane_aead **aead,
                        const char *algorithm,
                        const char *operation,
                        const struct cipherlane_options *options,
                        const uint8_t *key,
                        size_t key_length);

/*
 Wipes and frees an AEAD; null is allowed.

 # Safety
 `aead` is null, or was made by [`cipherlane_aead_new`] and is not used any more.
 */
void cipherlane_aead_free(struct cipherlane_aead *aead);

/*
 Encrypts a message and writes its tag, which has the length of the AEAD's tags:
 `CIPHERLANE_LENGTH` for another one. A nonce must never repeat under one key, unless the mode
 says otherwise: that of the message before is refused with `CIPHERLANE_NONCE_REUSED`.

 # Safety
 `aead` is null or alive; the pointers are null or valid for their lengths.
 */
int cipherlane_aead_seal(const struct cipherlane_aead *aead,
                         const uint8_t *nonce,
                         size_t nonce_length,
                         const uint8_t *aad,
                         size_t aad_length,
                         const uint8_t *input,
                         uint8_t *output,
                         size_t length,
                         uint8_t *tag,
                         size_t tag_length);

/*
 Decrypts a message if its tag is right; else returns `CIPHERLANE_AUTHENTICATION`, and the
 output is all zeros. A tag of another length than the AEAD's is `CIPHERLANE_LENGTH`.

 # Safety
 As [`cipherlane_aead_seal`].
 */
int cipherlane_aead_open(const struct cipherlane_aead *aead,
                         const uint8_t *nonce,
                         size_t nonce_length,
                         const uint8_t *aad,
                         size_t aad_length,
                         const uint8_t *input,
                         uint8_t *output,
                         size_t length,
                         const uint8_t *tag,
                         size_t tag_length);

/*
 Starts a message in pieces, to be sealed (`gcm-seal`) or opened (`gcm-open`), with tags as
 [`cipherlane_aead_new`] has them. What is opened in pieces goes out before the tag is
 checked: none of it may be used before [`cipherlane_aead_stream_verify`] has returned 0. On
 failure `*stream` is null.

 # Safety
 As [`cipherlane_aead_new`]; `nonce` is null or valid for its length.
 */
int cipherlane_aead_stream_new(struct cipherlane_aead_stream **stream,
                               const char *algorithm,
                               const char *operation,
                               const struct cipherlane_options *options,
                               const uint8_t *key,
                               size_t key_length,
                               const uint8_t *nonce,
                               size_t nonce_length);

/*
 Wipes and frees a message in pieces; null is allowed.

 # Safety
 `stream` is null, or was made by [`cipherlane_aead_stream_new`] and is not used any more.
 */
void cipherlane_aead_stream_free(struct cipherlane_aead_stream *stream);

/*
 Says beforehand how long associated data, message and tag will be, which CCM must know;
 other modes take no notice.

 # Safety
 `stream` is null or alive and used by nobody else.
 */
int cipherlane_aead_stream_announce(struct cipherlane_aead_stream *stream,
                                    uint64_t aad_length,
                                    uint64_t length,
                                    size_t tag_length);

/*
 More associated data; all of it comes before the first of the message.

 # Safety
 `stream` is null or alive and used by nobody else; `aad` is null or valid for its length.
 */
int cipherlane_aead_stream_aad(struct cipherlane_aead_stream *stream,
                               const uint8_t *aad,
                               size_t aad_length);

/*
 More of the message; as many bytes go out as come in.

 # Safety
 `stream` is null or alive and used by nobody else; the pointers are null or valid for their
 lengths.
 */
int cipherlane_aead_stream_update(struct cipherlane_aead_stream *stream,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t length);

/*
 Ends a message that is sealed, and writes its tag.

 # Safety
 `stream` is null or alive and used by nobody else; `tag` is null or valid for its length.
 */
int cipherlane_aead_stream_final(struct cipherlane_aead_stream *stream,
                                 uint8_t *tag,
                                 size_t tag_length);

/*
 Ends a message that is opened, and checks its tag.

 # Safety
 As [`cipherlane_aead_stream_final`].
 */
int cipherlane_aead_stream_verify(struct cipherlane_aead_stream *stream,
                                  const uint8_t *tag,
                                  size_t tag_length);

/*
 Starts another message under the same key and in the same direction.

 # Safety
 `stream` is null or alive and used by nobody else; `nonce` is null or valid for its length.
 */
int cipherlane_aead_stream_reset(struct cipherlane_aead_stream *stream,
                                 const uint8_t *nonce,
                                 size_t nonce_length);

/*
 Makes the IV of a packet of LTE or 5G, which is that of an operation: `nea1` and `nia1` of `snow3g`,
 `nea2` of `aes-128`, `eea3` and `eia3` of `zuc-128`, `nea4` and `nia4` of `snow-5g`, `nea5` and `nia5` of
 `aes-256`, `nea6` and `nia6` of `zuc-256-2023` have IVs of 16 bytes, `nia2` of `aes-128` has one of 8,
 `nca4`, `nca5` and `nca6` a nonce of 16, and `nea1+nia1`, `nea2+nia2` and `eea3+eia3` the IVs of
 both one behind the other, 32 bytes and of `nea2+nia2` 24. `bearer` is from 0 to 31, `direction` 0
 for uplink and 1 for downlink. COUNT never comes twice under one key with the same BEARER and DIRECTION.

 `tag_length` is the tag's in bytes where the IV tells it (`nia4` to `nia6`, `nca4` to `nca6`: 4 to
 16; 0 for 16), else 0.

 The IVs of the 128-bit algorithms are those of TS 33.501, TS 35.215 and TS 35.221. Those of `nea4` to
 `nca6` are ASSUMED: the texts of TS 35.240, 35.244 and 35.246 were not at hand, and where COUNT, BEARER
 and DIRECTION stand was put together from published test data. Who must work together with other
 makers' equipment compares them with the specification first.

 # Safety
 `operation` is null or ends with a zero byte; `iv` is null or valid for `iv_length` bytes.
 */
int cipherlane_3gpp_iv(const char *operation,
                       uint32_t count,
                       uint32_t bearer,
                       uint32_t direction,
                       size_t tag_length,
                       uint8_t *iv,
                       size_t iv_length);

/*
 Makes a batch of any operation, under keys that come with the messages. Tags have the length
 that `options` names, or else the longest of the operation. On failure `*batch` is null.

 # Safety
 `batch` is null or valid for writing; the texts end with a zero byte; `options` is null or
 valid.
 */
int cipherlane_batch_new(struct cipherlane_batch **batch,
                         const char *algorithm,
                         const char *operation,
                         const struct cipherlane_options *options);

/*
 Makes a batch of any operation, under `count` keys of `key_length` bytes that are set up
 now; a packet names its own by its place. On failure `*batch` is null.

 # Safety
 As [`cipherlane_batch_new`]; `keys` is null or valid for `count` pointers, each valid for
 `key_length` bytes.
 */
int cipherlane_batch_new_ready(struct cipherlane_batch **batch,
                               const char *algorithm,
                               const char *operation,
                               const struct cipherlane_options *options,
                               const uint8_t *const *keys,
                               size_t key_length,
                               size_t count);

/*
 Wipes and frees a batch; null is allowed.

 # Safety
 `batch` is null, or was made by a function above and is not used any more.
 */
void cipherlane_batch_free(struct cipherlane_batch *batch);

/*
 How many messages share one pass of the kernel; 1 where they run one after another, 0 for
 null.

 # Safety
 `batch` is null or alive.
 */
size_t cipherlane_batch_lanes(const struct cipherlane_batch *batch);

/*
 Processes `count` messages. All lengths are checked before the first byte is written: the
 first packet that the operation does not take is marked and named by the status, and nothing
 is done. `CIPHERLANE_AUTHENTICATION` if a tag is wrong: that packet is marked, its output
 wiped, and all others are processed. That packets are apart from each other is not checked.

 # Safety
 `batch` is null or alive and used by nobody else; `packets` is null or valid for `count`
 packets, whose pointers are null or valid for their lengths, and whose outputs and tags do
 not overlap with anything of another packet.
 */
int cipherlane_batch_apply(struct cipherlane_batch *batch,
                           struct cipherlane_packet *packets,
                           size_t count);

/*
 Overwrites memory with zeros, which no optimiser leaves out: keys and plaintexts that are
 not needed any more.

 # Safety
 `data` is null or valid for writing `length` bytes.
 */
int cipherlane_wipe(void *data, size_t length);

/*
 1 if two byte strings of one length are equal, else 0; 0 as well where one is null beside a
 length. Only the length may show in the time: for tags, keys and other secrets, where
 `memcmp` tells how far they agree.

 # Safety
 The pointers are null or valid for reading `length` bytes.
 */
int cipherlane_equal(const void *one, const void *other, size_t length);

/*
 Makes a cipher. `operation` is one of kind `CIPHERLANE_KIND_CIPHER`, e.g. `cbc-encrypt`,
 `ctr`, `xts-decrypt`, `keystream`. On failure `*cipher` is null.

 # Safety
 `cipher` is null or valid for writing; the texts end with a zero byte; `options` is null or
 valid; `key` and `iv` are null or valid for their lengths.
 */
int cipherlane_cipher_new(struct cipherlane_cipher **cipher,
                          const char *algorithm,
                          const char *operation,
                          const struct cipherlane_options *options,
                          const uint8_t *key,
                          size_t key_length,
                          const uint8_t *iv,
                          size_t iv_length);

/*
 Wipes and frees a cipher; null is allowed.

 # Safety
 `cipher` is null, or was made by [`cipherlane_cipher_new`] and is not used any more.
 */
void cipherlane_cipher_free(struct cipherlane_cipher *cipher);

/*
 Processes one whole message under the key and another IV: as many bytes go out as come in,
 without padding. Input and output are the same, or apart. It ends a message in pieces.

 # Safety
 `cipher` is null or alive and used by nobody else; the pointers are null or valid for their
 lengths.
 */
int cipherlane_cipher_message(struct cipherlane_cipher *cipher,
                              const uint8_t *iv,
                              size_t iv_length,
                              const uint8_t *input,
                              uint8_t *output,
                              size_t length);

/*
 Processes a piece of a message. `*written` tells how many bytes went out: as many as came
 in, or with modes that take whole blocks up to a block more or less. Modes on whole messages
 (XTS, HCTR, OFBNLF) take the message in one piece. Input and output begin at the same byte,
 or are apart.

 # Safety
 `cipher` is null or alive and used by nobody else; the pointers are null or valid for their
 lengths, `written` for writing.
 */
int cipherlane_cipher_update(struct cipherlane_cipher *cipher,
                             const uint8_t *input,
                             size_t length,
                             uint8_t *output,
                             size_t output_size,
                             size_t *written);

/*
 Ends a message in pieces: pads, or checks and takes off the padding. At most a block is
 written, none without padding.

 # Safety
 As [`cipherlane_cipher_update`].
 */
int cipherlane_cipher_final(struct cipherlane_cipher *cipher,
                            uint8_t *output,
                            size_t output_size,
                            size_t *written);

/*
 Starts another message under the same key.

 # Safety
 `cipher` is null or alive and used by nobody else; `iv` is null or valid for its length.
 */
int cipherlane_cipher_reset(struct cipherlane_cipher *cipher, const uint8_t *iv, size_t iv_length);

/*
 One message from key and IV to the last byte, padding included. `*written` is 0 if it fails.

 # Safety
 As [`cipherlane_cipher_new`] and [`cipherlane_cipher_update`].
 */
int cipherlane_cipher_once(const char *algorithm,
                           const char *operation,
                           const struct cipherlane_options *options,
                           const uint8_t *key,
                           size_t key_length,
                           const uint8_t *iv,
                           size_t iv_length,
                           const uint8_t *input,
                           size_t length,
                           uint8_t *output,
                           size_t output_size,
                           size_t *written);

/*
 The version of the library, e.g. `0.1.0`.
 */
const char *cipherlane_version(void);

/*
 How many levels this CPU has.
 */
size_t cipherlane_level_count(void);

/*
 The name of the level of that number, the best last; null if there is none.
 */
const char *cipherlane_level_name(size_t index);

/*
 The name of the level at which objects work for which nothing else is said: the best, or
 less by the environment variable `CIPHERLANE_LEVEL`; null if that names no level.
 */
const char *cipherlane_level(void);

/*
 How many algorithms there are.
 */
size_t cipherlane_algorithm_count(void);

/*
 Tells about the algorithm of that number.

 # Safety
 `info` is null or valid for writing.
 */
int cipherlane_algorithm(size_t index, struct cipherlane_algorithm_info *info);

/*
 How many operations the algorithm of that number has; 0 if there is none of that number.
 */
size_t cipherlane_operation_count(size_t algorithm);

/*
 Tells about an operation of the algorithm of that number.

 # Safety
 `info` is null or valid for writing.
 */
int cipherlane_operation(size_t algorithm, size_t index, struct cipherlane_operation_info *info);

/*
 Makes a MAC, e.g. `cmac`, `gmac`, `eia3`, `mac128`, for tags of `tag_length` bytes (0: the
 longest). `iv` is empty where the MAC takes none. On failure `*mac` is null.

 # Safety
 `mac` is null or valid for writing; the texts end with a zero byte; `options` is null or
 valid; `key` and `iv` are null or valid for their lengths.
 */
int cipherlane_mac_new(struct cipherlane_mac **mac,
                       const char *algorithm,
                       const char *operation,
                       const struct cipherlane_options *options,
                       const uint8_t *key,
                       size_t key_length,
                       const uint8_t *iv,
                       size_t iv_length,
                       size_t tag_length);

/*
 Wipes and frees a MAC; null is allowed.

 # Safety
 `mac` is null, or was made by [`cipherlane_mac_new`] and is not used any more.
 */
void cipherlane_mac_free(struct cipherlane_mac *mac);

/*
 Says how many bytes the message will have, which padding method 3 of GB/T 15852.1 must know
 beforehand; other MACs take no notice.

 # Safety
 `mac` is null or alive and used by nobody else.
 */
int cipherlane_mac_announce(struct cipherlane_mac *mac, uint64_t length);

/*
 More of the message.

 # Safety
 `mac` is null or alive and used by nobody else; `data` is null or valid for its length.
 */
int cipherlane_mac_update(struct cipherlane_mac *mac, const uint8_t *data, size_t length);

/*
 The first `bits` bits of `length` bytes as more of the message, bit 0 the highest of the
 first byte. Most MACs take whole bytes only.

 # Safety
 As [`cipherlane_mac_update`].
 */
int cipherlane_mac_update_bits(struct cipherlane_mac *mac,
                               const uint8_t *data,
                               size_t length,
                               uint64_t bits);

/*
 Ends the message and writes its tag, which has the length that the MAC was made for:
 `CIPHERLANE_LENGTH` for another one. Then every call is `CIPHERLANE_STATE` until
 [`cipherlane_mac_reset`] starts another message.

 # Safety
 `mac` is null or alive and used by nobody else; `tag` is null or valid for its length.
 */
int cipherlane_mac_final(struct cipherlane_mac *mac, uint8_t *tag, size_t tag_length);

/*
 Ends the message and compares its tag in constant time: `CIPHERLANE_AUTHENTICATION` if it
 differs, `CIPHERLANE_LENGTH` if it has another length than the MAC was made for.

 # Safety
 As [`cipherlane_mac_final`].
 */
int cipherlane_mac_verify(struct cipherlane_mac *mac, const uint8_t *tag, size_t tag_length);

/*
 Starts another message under the same key. An IV serves one message: that of a tag which was
 given out is refused with `CIPHERLANE_NONCE_REUSED`, unless the settings allow it.

 # Safety
 `mac` is null or alive and used by nobody else; `iv` is null or valid for its length.
 */
int cipherlane_mac_reset(struct cipherlane_mac *mac, const uint8_t *iv, size_t iv_length);

/*
 The tag of one message of whole bytes, from key and IV on.

 # Safety
 As [`cipherlane_mac_new`], [`cipherlane_mac_update`] and [`cipherlane_mac_final`].
 */
int cipherlane_mac_once(const char *algorithm,
                        const char *operation,
                        const struct cipherlane_options *options,
                        const uint8_t *key,
                        size_t key_length,
                        const uint8_t *iv,
                        size_t iv_length,
                        const uint8_t *data,
                        size_t length,
                        uint8_t *tag,
                        size_t tag_length);

/*
 Compares an algorithm (null: all of them) with a known answer of its standard, at the level
 of the options (null: the usual one). Returns `CIPHERLANE_SELF_TEST` if one differs.

 # Safety
 `algorithm` is null or ends with a zero byte; `options` is null or valid.
 */
int cipherlane_self_test(const char *algorithm, const struct cipherlane_options *options);

/*
 The meaning of a status in words; never null. The text is static.
 */
const char *cipherlane_strerror(int status);

/*
 Writes one line about the last failure of the calling thread, with the field, the value
 and what is allowed, cut to `size` bytes with a zero at the end; an empty line if no call
 has failed yet. Returns the length of the whole line without the zero. Never holds anything
 secret.

 # Safety
 `text` is null, or valid for writing `size` bytes.
 */
size_t cipherlane_last_error(char *text, size_t size);

#ifdef __cplusplus
} /* extern "C" */
#endif /* __cplusplus */

#endif  /* CIPHERLANE_H */
