// One file through a worker, in bounded memory.
import { startWorker, type FileOptions } from "cipherlane";

import type { Target } from "./targets";

export interface Job {
  readonly file: File;
  readonly decrypt: boolean;
  readonly options: FileOptions;
  readonly target: Target;
  readonly signal: AbortSignal;
  progress(read: number): void;
}

/** The bytes written, and what is to be offered as a download. */
export interface Result {
  readonly written: number;
  readonly blob: Blob | undefined;
}

function counted(tell: (bytes: number) => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let sum = 0;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      sum += chunk.length;
      tell(sum);
    },
  });
}

export async function run({ file, decrypt, options, target, signal, progress }: Job): Promise<Result> {
  const script = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const ended = () => script.terminate();
  signal.addEventListener("abort", ended);
  let written = 0;
  try {
    const remote = await startWorker(script);
    const through = decrypt ? remote.decryptionStream(options) : remote.encryptionStream(options);
    await file
      .stream()
      .pipeThrough(counted(progress))
      .pipeThrough(through)
      .pipeThrough(counted((sum) => (written = sum)))
      .pipeTo(target.writable, { signal });
    return { written, blob: await target.finish() };
  } catch (error) {
    // Where the stream never began nobody has told the file so.
    await target.writable.abort().catch(() => {});
    await target.discard();
    throw error;
  } finally {
    signal.removeEventListener("abort", ended);
    script.terminate();
  }
}
