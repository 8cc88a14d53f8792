// DTMF tone of a key: one frequency for its row and one for its column (ITU-T Q.23).
import { G711_SAMPLE_RATE_HZ } from "./g711.ts";

const AMPLITUDE = 5_200;
const ROWS_HZ = [697, 770, 852, 941];
const COLUMNS_HZ = [1_209, 1_336, 1_477, 1_633];
const KEYPAD = "123A456B789C*0#D";
const USUAL_SAMPLES = 0.16 * G711_SAMPLE_RATE_HZ;

/** Fills `into` with the key's tone, starting at its sample `from`. */
export function writeKeyTone(key: string, from: number, into: Int16Array, rateHz = G711_SAMPLE_RATE_HZ): void {
  const at = KEYPAD.indexOf(key);
  const perSample = (2 * Math.PI) / rateHz;
  const row = (ROWS_HZ[at >> 2] ?? 0) * perSample;
  const column = (COLUMNS_HZ[at & 3] ?? 0) * perSample;
  for (let i = 0; i < into.length; i++) {
    into[i] = AMPLITUDE * (Math.sin(row * (from + i)) + Math.sin(column * (from + i)));
  }
}

/** Length of a usual key press. */
export function keyTone(key: string): Int16Array {
  const samples = new Int16Array(USUAL_SAMPLES);
  writeKeyTone(key, 0, samples);
  return samples;
}
