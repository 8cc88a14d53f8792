// Test sentences: spoken by Festival's voice SLT, through µ-law.
import { join } from "node:path";
import { readWav } from "../../src/audio/read-wav.ts";

export const SPOKEN = {
  "yes-i-will-be-there": "Yes, I will be there.",
  "i-want-to-speak-to-a-person": "I want to speak to a person.",
  "the-second-one-please": "The second one, please.",
} as const;

/** Garbled by the recogniser ("I have just pain.") and found by the spotter. */
export type Garbled = "i-have-chest-pain";

export async function spoken(name: keyof typeof SPOKEN | Garbled): Promise<Int16Array> {
  return readWav(await Bun.file(join(import.meta.dir, "fixtures", `${name}.wav`)).bytes());
}

/** With silence before and after, as on a call. */
export function amidSilence(samples: Int16Array, leadMs: number, tailMs: number): Int16Array {
  const whole = new Int16Array(samples.length + (leadMs + tailMs) * 8);
  whole.set(samples, leadMs * 8);
  return whole;
}

export function* framesOf(samples: Int16Array): Generator<Int16Array> {
  for (let at = 0; at + 160 <= samples.length; at += 160) yield samples.subarray(at, at + 160);
}

/** Ignores case, commas and full stops. */
export const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z ]/g, "");
