// Repair of a recording whose writer crashed, encrypted or not.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { G711_SAMPLE_RATE_HZ, G711_SILENCE } from "../audio/g711.ts";
import { G711_WAV_HEADER_BYTES, isOurWavHeader, mulawWavHeader, repairWav } from "../audio/wav.ts";
import { isSealedFile, writeAll } from "../core/sealed-file.ts";
import { salvageSealed, SHORT_FRAME_BYTES } from "../core/sealed-writer.ts";

type KeyOf = (id: string) => Uint8Array | undefined;

/** Every recording of a call has both sides. */
const CHANNELS = 2;

/** The playable length in seconds, or null. Idempotent; never throws. */
export function salvageRecording(file: string, keyOf: KeyOf = () => undefined): number | null {
  try {
    const seconds = isSealedFile(file) ? salvageSealedRecording(file, keyOf) : repairWav(file).seconds;
    return seconds > 0 ? seconds : null;
  } catch {
    return null;
  }
}

/** The playable length in seconds, or 0. Throws only for an error of the disk. */
export function salvageSealedRecording(file: string, keyOf: KeyOf): number {
  const fd = openSync(file, "r+");
  try {
    const found = salvageSealed(fstatSync(fd).size, keyOf, (at, bytes) => {
      const buffer = Buffer.alloc(bytes);
      return buffer.subarray(0, readSync(fd, buffer, 0, bytes, at));
    });
    if (!found) return 0;
    const frames = Math.floor((found.bytes - G711_WAV_HEADER_BYTES) / CHANNELS);
    if (frames <= 0) return 0;
    // A second of silence where the header's own write was cut off.
    const first =
      found.first.length > 0 ? Buffer.from(found.first) : Buffer.alloc(SHORT_FRAME_BYTES, G711_SILENCE.PCMU);
    if (found.first.length > 0 && !isOurWavHeader(first)) return 0;
    mulawWavHeader({ channels: CHANNELS, frames }).copy(first);
    const { writes, fileBytes } = found.ended(first);
    for (const { bytes, at } of writes) writeAll(fd, bytes, at);
    ftruncateSync(fd, fileBytes);
    return frames / G711_SAMPLE_RATE_HZ;
  } finally {
    closeSync(fd);
  }
}
