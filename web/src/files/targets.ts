// Where a result goes. Until all of it is verified it stands nowhere under its name.

/** What is left in memory at most, where there is nothing better. */
export const MEMORY_LIMIT = 512 * 2 ** 20;

export type Way = "picker" | "private" | "memory";

export interface Target {
  readonly writable: WritableStream<Uint8Array>;
  /** After the end: what is to be offered as a download, if it is not where the user chose. */
  finish(): Promise<Blob | undefined>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

interface PickerWindow {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

/** The best way of this browser. */
export function way(): Way {
  if ((window as PickerWindow).showSaveFilePicker !== undefined) return "picker";
  const storage = navigator.storage as StorageManager | undefined;
  const writes = "FileSystemFileHandle" in window && "createWritable" in FileSystemFileHandle.prototype;
  return storage !== undefined && "getDirectory" in storage && writes ? "private" : "memory";
}

/** Opens a target; asks the user where, so it is to be called at a click. */
export async function open(name: string): Promise<Target> {
  const by = way();
  if (by === "memory") return inMemory();
  return by === "picker" ? chosen(name) : inPrivate();
}

async function chosen(suggestedName: string): Promise<Target> {
  const handle = await (window as unknown as Required<PickerWindow>).showSaveFilePicker({ suggestedName });
  // The browser writes beside the file and replaces it at the end only.
  const writable = await handle.createWritable();
  return { writable, finish: async () => undefined, discard: async () => {} };
}

const FOLDER = "results";

/** Removes what earlier results left behind. */
export async function tidy(): Promise<void> {
  if (way() === "memory" || !("getDirectory" in navigator.storage)) return;
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(FOLDER, { recursive: true }).catch(() => {});
}

async function inPrivate(): Promise<Target> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER, { create: true });
  const name = crypto.randomUUID();
  const handle = await folder.getFileHandle(name, { create: true });
  const discard = async () => folder.removeEntry(name).catch(() => {});
  // A file of the disk: its bytes are read when they are saved.
  return { writable: await handle.createWritable(), finish: () => handle.getFile(), discard };
}

function inMemory(): Target {
  let parts: BlobPart[] = [];
  const writable = new WritableStream<Uint8Array>({
    write: (part) => void parts.push(part as Uint8Array<ArrayBuffer>),
  });
  const discard = async () => {
    parts = [];
  };
  return { writable, finish: async () => new Blob(parts), discard };
}
