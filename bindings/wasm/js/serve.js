// The worker's side: streams that another thread feeds, a message at a time.
import { load } from "./index.js";

const KINDS = {
  encrypt: (library, [options]) => library.encryptionStream(options),
  decrypt: (library, [options]) => library.decryptionStream(options),
  cipher: (library, [algorithm, operation, options]) =>
    library.cipherStream(algorithm, operation, options),
};

/** Answers what comes through a port, in its order. */
export function serve(port) {
  const open = new Map();
  let library;
  const verbs = {
    async load({ options }) {
      library = await load(options);
      return { build: library.build, level: library.level };
    },
    async open({ stream, kind, options }) {
      const transform = KINDS[kind](library, options);
      open.set(stream, { writer: transform.writable.getWriter(), out: drain(transform.readable) });
    },
    async update({ stream, data }) {
      const { writer, out } = open.get(stream);
      await writer.write(data);
      return out.take();
    },
    async finish({ stream }) {
      const { writer, out } = open.get(stream);
      open.delete(stream);
      await writer.close();
      await out.ended;
      return out.take();
    },
    async cancel({ stream }) {
      const found = open.get(stream);
      open.delete(stream);
      await found?.writer.abort();
    },
  };
  let turn = Promise.resolve();
  const answer = async (message) => {
    try {
      const value = await verbs[message.verb](message);
      const buffers = Array.isArray(value) ? value.map((data) => data.buffer) : [];
      port.postMessage({ id: message.id, value }, buffers);
    } catch (error) {
      // An error's own properties are lost on the way.
      const { name, message: text, code, fault } = error;
      open.delete(message.stream);
      port.postMessage({ id: message.id, error: { name, text, code, fault } });
    }
  };
  port.addEventListener("message", ({ data }) => {
    turn = turn.then(() => answer(data));
  });
  port.start?.();
}

/** Collects what a stream gives until it is taken. */
function drain(readable) {
  let held = [];
  const ended = readable.pipeTo(new WritableStream({ write: (data) => void held.push(data) }));
  // The writer tells the same error.
  ended.catch(() => {});
  return {
    ended,
    take() {
      const taken = held;
      held = [];
      return taken;
    },
  };
}
