// `TransformStream`s over what takes data in pieces.
import { bytes } from "./bytes.js";

/** The most bytes that go through the module at once, so that its memory stays small. */
export const PIECE = 1 << 20;

/** Cuts a chunk, however large, into pieces. */
export function* pieces(chunk) {
  const data = bytes(chunk, "chunk");
  for (let at = 0; at < data.length; at += PIECE) yield data.subarray(at, at + PIECE);
}

/** A stream over an object with `update` and `finish`, which is freed in the end. */
export function stream(begin) {
  let object;
  const guarded = (act) => {
    try {
      return act();
    } catch (error) {
      object?.free();
      object = undefined;
      throw error;
    }
  };
  const put = (controller, data) => {
    if (data.length > 0) controller.enqueue(data);
  };
  return new TransformStream({
    start() {
      object = begin();
    },
    transform(chunk, controller) {
      guarded(() => {
        for (const piece of pieces(chunk)) put(controller, object.update(piece));
      });
    },
    flush(controller) {
      guarded(() => put(controller, object.finish()));
      object.free();
    },
    cancel() {
      object?.free();
    },
  });
}
