// The others: a library from npm, and the browser's own AES. What one does not know it says.
import { sm4 } from "sm-crypto";

/** One operation under a ready key; `once` gives the output. */
export interface Task {
  run(times: number): void | Promise<void>;
  once(): Uint8Array | Promise<Uint8Array>;
}

export interface Request {
  readonly algorithm: string;
  readonly operation: string;
  readonly key: Uint8Array<ArrayBuffer>;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
}

type Maker = (request: Request) => Task | undefined | Promise<Task | undefined>;

/** sm-crypto takes and gives arrays of numbers; it has SM4 in ECB and CBC only. */
const smCrypto: Maker = ({ algorithm, operation, key, iv, data }) => {
  const modes: Record<string, object> = {
    "ecb-encrypt": {},
    "cbc-encrypt": { mode: "cbc", iv: Array.from(iv) },
  };
  const mode = modes[operation];
  if (algorithm !== "sm4" || mode === undefined) return undefined;
  const [input, secret] = [Array.from(data), Array.from(key)];
  const options = { ...mode, padding: "none", output: "array" } as const;
  const encrypt = () => sm4.encrypt(input, secret, options);
  return {
    run(times) {
      for (let i = 0; i < times; i++) encrypt();
    },
    once: () => Uint8Array.from(encrypt()),
  };
};

const webCrypto: Maker = async ({ algorithm, operation, key, iv, data }) => {
  const modes: Record<string, { name: string } & Record<string, unknown>> = {
    ctr: { name: "AES-CTR", counter: iv, length: 128 },
    "cbc-encrypt": { name: "AES-CBC", iv },
    "gcm-seal": { name: "AES-GCM", iv },
  };
  const mode = modes[operation];
  // Absent where the page did not come over a secure connection.
  const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined;
  if (!algorithm.startsWith("aes-") || mode === undefined || subtle === undefined) return undefined;
  const secret = await subtle.importKey("raw", key, mode.name, false, ["encrypt"]).catch(() => undefined);
  if (secret === undefined) return undefined;
  const encrypt = () => subtle.encrypt(mode, secret, data);
  return {
    async run(times) {
      for (let i = 0; i < times; i++) await encrypt();
    },
    // Its CBC always pads: one block more than the others write.
    once: async () => {
      const output = new Uint8Array(await encrypt());
      return mode.name === "AES-CBC" ? output.subarray(0, data.length) : output;
    },
  };
};

export const PEERS: readonly (readonly ["sm-crypto" | "WebCrypto", Maker])[] = [
  ["sm-crypto", smCrypto],
  ["WebCrypto", webCrypto],
];
