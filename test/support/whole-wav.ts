// A WAV read at one go, as tests want it. The product reads it in steps, because it serves others in between.
import { wavSteps } from "../../src/audio/read-wav.ts";

export function readWav(bytes: Uint8Array): Int16Array {
  const steps = wavSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
