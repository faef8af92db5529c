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

/** This page among others of the browser that may be open: its results begin with this name. */
const OWN = `cipherlane-${crypto.randomUUID()}`;

/** Other pages ask for the lock of that name: as long as it is held, the page's results stay. */
const alive = new Promise<void>((resolve) => {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return resolve();
  void locks.request(OWN, () => {
    resolve();
    return new Promise(() => {});
  });
});

/** Removes what pages left behind that are closed. */
export async function tidy(): Promise<void> {
  if (way() === "memory" || !("getDirectory" in navigator.storage)) return;
  const { held = [] } = (await (navigator.locks as LockManager | undefined)?.query()) ?? {};
  const open = held.map(({ name }) => name ?? "");
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER).catch(() => undefined);
  if (folder === undefined) return;
  for await (const name of folder.keys()) {
    if (open.some((page) => name.startsWith(page))) continue;
    await folder.removeEntry(name).catch(() => {});
  }
}

async function inPrivate(): Promise<Target> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER, { create: true });
  await alive;
  const name = `${OWN}.${crypto.randomUUID()}`;
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

/** Whether a file begins as those of the format do. */
export async function isOurs(file: File): Promise<boolean> {
  const signature = [0x89, 0x43, 0x4c, 0x41, 0x4e, 0x45, 0x0d, 0x0a];
  const head = await file.slice(0, signature.length).arrayBuffer().catch(() => new ArrayBuffer(0));
  const bytes = new Uint8Array(head);
  return bytes.length === signature.length && signature.every((byte, i) => byte === bytes[i]);
}
