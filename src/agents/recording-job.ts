// Reads a recording in a process of its own: a WAV becomes 8 kHz samples at the level of every voice.
import { readWav, secondsOf } from "../audio/read-wav.ts";
import { atSpeechLevel } from "../audio/speech-level.ts";
import { invalidField, messageOf } from "../core/errors.ts";
import type { FileJob } from "../core/file-job.ts";
import { bytesOf } from "./recorded-words-wav.ts";

const MOST_RECORDED_SECONDS = 90;
/** Between a studio and a telephone held too far away; beyond it noise would be turned up with the words. */
const MOST_LEVEL_CHANGE_DB = 12;

/** `bytes`: the WAV, and its samples as they are stored. */
export const recordingJob: FileJob<{ bytes: Uint8Array }, { bytes: Uint8Array; seconds: number }> = {
  name: "recording",
  async run({ bytes }) {
    const samples = atSpeechLevel(readable(bytes), MOST_LEVEL_CHANGE_DB);
    return { bytes: bytesOf(samples), seconds: secondsOf(samples) };
  },
};

function readable(bytes: Uint8Array): Int16Array {
  try {
    return readWav(bytes, MOST_RECORDED_SECONDS);
  } catch (error) {
    throw invalidField("file", messageOf(error));
  }
}
