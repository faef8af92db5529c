// The worker: `new Worker(new URL("cipherlane/worker", import.meta.url), { type: "module" })`.
import { serve } from "./serve.js";

serve(globalThis);
