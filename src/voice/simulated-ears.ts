// Ears for simulated lines: the agent receives words instead of audio frames.
import type { Ears } from "../speech/ears/port.ts";

export const simulatedEars: Ears = {
  open: () => ({ hear() {}, recognise: () => Promise.resolve(null), close() {} }),
};
