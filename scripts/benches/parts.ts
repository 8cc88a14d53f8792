// The parts of ./scripts/bench, in the order in which they run. A part is loaded when it is asked for.
import type { Bench } from "./bench.ts";

export const PARTS: Readonly<Record<string, () => Promise<Bench>>> = {
  availability: async () => (await import("./availability.ts")).availability,
  understanding: async () => (await import("./understanding.ts")).understanding,
};
