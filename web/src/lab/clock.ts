// Time in a browser: the clock is coarse on purpose, so a sample is long.
import type { Task } from "./peers";

/** The shortest sample in milliseconds: 200 steps of the coarsest usual clock. */
export const SAMPLE = 20;
/** Samples of a pass end after the time of so many, however slow the engine. */
const PASS = 5;
const SAMPLES = 3;

/** The smallest step that the clock was seen to make, in milliseconds. */
export function resolution(): number {
  let least = Infinity;
  const end = performance.now() + 20;
  for (let last = performance.now(); last < end; ) {
    const now = performance.now();
    if (now > last) least = Math.min(least, now - last);
    last = now;
  }
  return least;
}

const counts = new WeakMap<Task, number>();

async function timed(task: Task, times: number): Promise<number> {
  const begin = performance.now();
  await task.run(times);
  return performance.now() - begin;
}

/** How often a task is done in a sample; finding it out warms the engine up. */
async function calibrated(task: Task, least: number): Promise<number> {
  const known = counts.get(task);
  if (known !== undefined) return known;
  let times = 1;
  for (let took = await timed(task, times); took < least; took = await timed(task, times)) {
    times *= took < least / 8 ? 4 : 2;
  }
  counts.set(task, times);
  return times;
}

/** The best sample of a pass, in nanoseconds a time; none is shorter than `least` milliseconds. */
export async function sample(task: Task, least: number): Promise<number> {
  const times = await calibrated(task, least);
  const end = performance.now() + PASS * least;
  let best = Infinity;
  for (let i = 0; i < SAMPLES && (i === 0 || performance.now() < end); i++) {
    best = Math.min(best, (await timed(task, times)) / times);
  }
  return best * 1e6;
}
