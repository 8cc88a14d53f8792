// Ears for lines on which nobody makes a sound: words come to the agent as words, and no frame is ever heard.
import type { Ears } from "../speech/ears/port.ts";

export const simulatedEars: Ears = {
  open: () => ({ hear() {}, recognise: () => Promise.resolve(null), close() {} }),
};
