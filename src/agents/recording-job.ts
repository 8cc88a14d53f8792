// Decodes an uploaded recording in a separate process: from WAV to 8 kHz samples at the common speech level.
import { readWav, secondsOf } from "../audio/read-wav.ts";
import { atSpeechLevel } from "../audio/speech-level.ts";
import { invalidField, messageOf } from "../core/errors.ts";
import type { FileJob } from "../core/file-job.ts";
import { bytesOf } from "./recorded-words-wav.ts";

const MOST_RECORDED_SECONDS = 90;
/** Range between a studio and a distant telephone; more gain would amplify noise. */
const MOST_LEVEL_CHANGE_DB = 12;

/** `bytes`: the WAV as input, the stored samples as output. */
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
