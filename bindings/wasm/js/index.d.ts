/** Bytes. Text is refused: it is neither a key nor its hexadecimal digits. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** The build: without vector instructions, or with them. */
export type Build = "scalar" | "simd128";

/** What is wrong. `tag`: not authentic. `key`: another key, or of a wrong length. */
export type ErrorCode =
  | "unknown"
  | "value"
  | "key"
  | "block"
  | "output"
  | "tag"
  | "padding"
  | "state"
  | "file"
  | "memory"
  | "random"
  | "worker";

/** What every function here throws, but for a `TypeError` where something is no bytes. */
export interface CipherlaneError extends Error {
  name: "CipherlaneError";
  code: ErrorCode;
  /** Where it is known, of the codes `file` and `key`. */
  fault?: FileFault;
}

/**
 * What is wrong with a file. `foreign`: it is none of Cipherlane's. `header`: of a newer version,
 * or its first bytes were changed. `cut-off`: it ends where no file ends. `changed`: a chunk was
 * changed, put in or taken out. `end`: its last chunk was changed or ends too early, which cannot
 * be told apart. `needs-key`, `needs-passphrase`: it was made with that, and the other was given.
 */
export type FileFault =
  | "foreign"
  | "header"
  | "cut-off"
  | "changed"
  | "end"
  | "needs-key"
  | "needs-passphrase";

/** Allowed lengths in bytes: `min`, `min + step` … `max`. */
export interface Sizes {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Only these, where the steps say too much: GCM has tags of 4, 8 and 12 to 16 bytes. */
  readonly set?: readonly number[];
}

/** One operation of one algorithm. */
export interface Entry {
  readonly algorithm: string;
  readonly title: string;
  readonly standard: string;
  /** What its time may tell: `constant-time` tells nothing. */
  readonly timing: string;
  /** What to know before using it. */
  readonly warning: string | undefined;
  /** The block's length; 0 for a stream cipher. */
  readonly block: number;
  readonly operation: string;
  readonly kind: "cipher" | "seal" | "open" | "mac";
  readonly oid: string | undefined;
  readonly key: Sizes;
  readonly iv: Sizes;
  /** The IV length to take where nothing else is said. */
  readonly usualIv: number;
  readonly data: Sizes;
  readonly tag: Sizes;
  /** Whether it takes a message in pieces. */
  readonly inPieces: boolean;
  /** The most bytes of keystream that a stream cipher gives under one key and IV. */
  readonly limit: number | undefined;
}

export interface CipherOptions {
  key: Bytes;
  iv?: Bytes;
  /** Of modes that take whole blocks. */
  padding?: "none" | "pkcs7" | "iso7816";
  /** RC2. */
  effectiveKeyBits?: number;
  /** RC5. */
  wordBits?: number;
  /** RC5. */
  rounds?: number;
  /** One of `levels`. */
  level?: string;
}

interface Freed {
  /** Wipes what is secret and gives the memory back. It happens by itself, but later. */
  free(): void;
}

/** Encrypts or decrypts one message in pieces. */
export interface Cipher extends Freed {
  /** Takes data and returns what is ready. */
  update(data: Bytes): Uint8Array<ArrayBuffer>;
  /** Ends the message and returns what was held back. */
  finish(): Uint8Array<ArrayBuffer>;
  /** A whole message under another IV, without padding. */
  message(iv: Bytes, data: Bytes): Uint8Array<ArrayBuffer>;
  /** Begins another message under the same key. */
  reset(iv?: Bytes): void;
}

/** An AEAD on whole messages; the tag stands behind the ciphertext, and has one length. */
export interface Aead extends Freed {
  readonly tagLength: number;
  /** Refuses the nonce of the message before it. */
  seal(nonce: Bytes, data: Bytes, aad?: Bytes): Uint8Array<ArrayBuffer>;
  open(nonce: Bytes, sealed: Bytes, aad?: Bytes): Uint8Array<ArrayBuffer>;
}

/** One message of an AEAD in pieces. Plaintext counts for nothing before `verify` returned. */
export interface AeadPieces extends Freed {
  readonly tagLength: number;
  aad(data: Bytes): void;
  update(data: Bytes): Uint8Array<ArrayBuffer>;
  /** Ends an encrypted message: its tag. A length that is not the object's is refused. */
  finish(tagLength?: number): Uint8Array<ArrayBuffer>;
  /** Ends a decrypted message. */
  verify(tag: Bytes): void;
  reset(nonce: Bytes): void;
}

/**
 * A MAC that takes its message in pieces. One that takes an IV (`gmac`, those of ZUC, `nia6`) is
 * at its end after `digest` or `verify` and can't be copied: two tags under one IV give the key of
 * the hash away. `reset` goes on with another IV.
 */
export interface Mac extends Freed {
  readonly tagLength: number;
  update(data: Bytes): this;
  /** Takes the first bits of `data`. */
  updateBits(data: Bytes, bits: number): this;
  /** The tag of what was read so far. */
  digest(): Uint8Array<ArrayBuffer>;
  /** Compares in constant time, and throws. Tags of other lengths than the object's are refused. */
  verify(tag: Bytes): void;
  /** Another one that has read the same. */
  copy(): Mac;
  reset(iv?: Bytes): void;
}

/** One operation on one message in the module's memory, for measuring. */
export interface Bench extends Freed {
  run(times: number): void;
  result(): Uint8Array<ArrayBuffer>;
}

/** The algorithms of LTE and 5G; `eea3` and `eia3` are 128-NEA3 and 128-NIA3. */
export type PacketOperation =
  | "nea1"
  | "nia1"
  | "nea2"
  | "nia2"
  | "eea3"
  | "eia3"
  | "nea4"
  | "nia4"
  | "nca4"
  | "nea5"
  | "nia5"
  | "nca5"
  | "nea6"
  | "nia6"
  | "nca6";

/** What a packet is known by. No three may come twice under one key. */
export interface Packet {
  /** 32 bits. */
  count: number;
  /** 5 bits. */
  bearer: number;
  /** 0: uplink, 1: downlink. */
  direction: number;
  /** For `nia4` to `nia6` and `nca4` to `nca6`, whose IVs depend on it; 16 if nothing is said. */
  tagLength?: number;
}

/** A key (32 bytes, or the text of a key file) or a passphrase. */
export type FileSecret =
  | { key: Bytes | string; passphrase?: undefined }
  | { key?: undefined; passphrase: string };

export type FileOptions = FileSecret & {
  /** One of `suites`; `sm4-gcm` if nothing is said. */
  suite?: string;
  /** What makes a key of a passphrase. */
  kdf?: "argon2id" | "pbkdf2-sm3";
  /** The binary logarithm of a chunk's bytes, 12 to 24. */
  chunkBits?: number;
};

/** What the first 88 bytes of a file say; nobody has vouched for it. */
export interface FileHead {
  readonly suite: string;
  readonly chunk: number;
  /** Bytes of the header. */
  readonly header: number;
  readonly kdf:
    | { readonly name: "key" }
    | {
        readonly name: "argon2id";
        readonly memory: number;
        readonly passes: number;
        readonly lanes: number;
      }
    | { readonly name: "pbkdf2-sm3"; readonly iterations: number };
}

/** Chunks go in, chunks come out. */
export type ByteStream = TransformStream<Bytes, Uint8Array<ArrayBuffer>>;

interface Streams {
  readonly build: Build;
  readonly level: string;
  cipherStream(algorithm: string, operation: string, options: CipherOptions): ByteStream;
  /** Writes a file as `cipherlane encrypt` does. */
  encryptionStream(options: FileOptions): ByteStream;
  /**
   * Reads such a file. Each chunk is verified before it comes out, but only the stream's end
   * tells that nothing was cut off: keep nothing of a stream that ended with an error.
   */
  decryptionStream(options: FileSecret): ByteStream;
}

export interface Cipherlane extends Streams {
  readonly version: string;
  /** Slowest first. */
  readonly levels: readonly string[];
  readonly suites: readonly string[];
  /** Every operation of every algorithm. */
  registry(): readonly Entry[];
  /** Compares one algorithm, or all, with known answers; how many it were. */
  selfTest(algorithm?: string, level?: string): number;
  cipher(algorithm: string, operation: string, options: CipherOptions): Cipher;
  aead(
    algorithm: string,
    mode: string,
    /** The tag's length is the longest if nothing is said. */
    options: { key: Bytes; tagLength?: number; level?: string },
  ): Aead;
  aeadPieces(
    algorithm: string,
    mode: string,
    options: {
      key: Bytes;
      nonce: Bytes;
      decrypt?: boolean;
      /** The longest if nothing is said. */
      tagLength?: number;
      /** For modes that need them beforehand, such as CCM; `tag` is another place for `tagLength`. */
      lengths?: { aad: number; message: number; tag?: number };
      level?: string;
    },
  ): AeadPieces;
  mac(
    algorithm: string,
    operation: string,
    options: {
      key: Bytes;
      iv?: Bytes;
      /** The longest if nothing is said. */
      tagLength?: number;
      /** For MACs that need it beforehand. */
      messageLength?: number;
      level?: string;
    },
  ): Mac;
  /** The IV of a packet's encryption or tag. The README tells which, and what is assumed. */
  packetIv(operation: PacketOperation, packet: Packet): Uint8Array<ArrayBuffer>;
  /** 32 random bytes. */
  newKey(): Uint8Array<ArrayBuffer>;
  inspect(head: Bytes): FileHead;
  bench(
    algorithm: string,
    operation: string,
    options: { key: Bytes; iv?: Bytes; data: Bytes; level?: string },
  ): Bench;
}

/** Loads the build that this engine takes, or the one asked for. */
export function load(options?: { build?: Build }): Promise<Cipherlane>;

/** Whether this engine takes the build with vector instructions. */
export function hasVectors(): boolean;

/** The 32 bytes of a key file's text. */
export function keyOf(text: string): Uint8Array<ArrayBuffer>;

/** A key as the program's key files hold it. */
export function keyText(key: Bytes): string;

/** A library in a worker. */
export interface Remote extends Streams {
  terminate(): void;
}

/** Starts the library in a worker that runs `cipherlane/worker`. */
export function startWorker(
  worker: Worker | MessagePort,
  options?: { build?: Build },
): Promise<Remote>;
