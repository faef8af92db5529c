// This thread's side of a worker: streams whose work is done there.
import { failure } from "./bytes.js";
import { pieces } from "./streams.js";

/** Pieces under way at once: while one is worked on, the next is there. */
const AHEAD = 2;

/** Starts the library in a worker. */
export async function startWorker(port, options = {}) {
  const remote = new Remote(port);
  Object.assign(remote, await remote.ask({ verb: "load", options }));
  return remote;
}

class Remote {
  #port;
  #waiting = new Map();
  #last = 0;

  constructor(port) {
    this.#port = port;
    port.addEventListener("message", ({ data }) => this.#hear(data));
    port.addEventListener("error", (event) => this.#fail(event.message ?? "the worker failed"));
    port.start?.();
  }

  #hear({ id, value, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) return waiting.resolve(value);
    const raised = failure(error.code, error.text);
    raised.name = error.name;
    if (error.fault !== undefined) raised.fault = error.fault;
    return waiting.reject(raised);
  }

  #fail(text) {
    for (const { reject } of this.#waiting.values()) reject(failure("worker", text));
    this.#waiting.clear();
  }

  ask(message, buffers = []) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ id, ...message }, buffers);
    });
  }

  encryptionStream(options) {
    return this.#stream("encrypt", [options]);
  }

  decryptionStream(options) {
    return this.#stream("decrypt", [options]);
  }

  cipherStream(...options) {
    return this.#stream("cipher", options);
  }

  #stream(kind, options) {
    const stream = ++this.#last;
    const under = [];
    const put = (controller, list) => list.forEach((data) => controller.enqueue(data));
    const drain = async (controller, most) => {
      while (under.length > most) put(controller, await under.shift());
    };
    return new TransformStream({
      start: () => this.ask({ verb: "open", stream, kind, options }).then(() => undefined),
      transform: async (chunk, controller) => {
        for (const piece of pieces(chunk)) {
          // The chunk stays its owner's; a copy goes over.
          const data = piece.slice();
          const reply = this.ask({ verb: "update", stream, data }, [data.buffer]);
          // It is waited for later, and its error told then.
          reply.catch(() => {});
          under.push(reply);
          await drain(controller, AHEAD);
        }
      },
      flush: async (controller) => {
        await drain(controller, 0);
        put(controller, await this.ask({ verb: "finish", stream }));
      },
      cancel: () => void this.ask({ verb: "cancel", stream }),
    });
  }

  terminate() {
    this.#fail("the worker was ended");
    if (this.#port.terminate) this.#port.terminate();
    else this.#port.close();
  }
}
