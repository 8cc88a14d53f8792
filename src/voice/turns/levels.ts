// How loud the last half minute of a call was, frame by frame.
const FRAME_MS = 20;
/** Half a minute: longer than any utterance is listened to. */
const KEPT_FRAMES = 1_500;
export const KEPT_MS = KEPT_FRAMES * FRAME_MS;
/** Quieter than this is no voice. */
const FLOOR_DB = -55;

export interface Levels {
  /** With every frame of 20 ms. */
  tick(frame: Int16Array): void;
  /**
   * Percentile of the levels between two times, in dB of full scale; silent frames are left out. Null if all are
   * silent.
   */
  levelIn(fromMs: number, toMs: number, share: number): number | null;
}

export function createLevels(): Levels {
  /** Made when somebody is heard: most calls that are dialled are not answered. */
  let levels: Float32Array | null = null;
  let frames = 0;
  return {
    tick(frame) {
      let sum = 0;
      for (const sample of frame) sum += sample * sample;
      const power = sum / Math.max(1, frame.length) / 32_768 ** 2;
      levels ??= new Float32Array(KEPT_FRAMES).fill(-Infinity);
      levels[frames++ % KEPT_FRAMES] = power > 0 ? 10 * Math.log10(power) : -Infinity;
    },
    levelIn(fromMs, toMs, share) {
      const oldest = Math.max(0, frames - KEPT_FRAMES, Math.floor(fromMs / FRAME_MS));
      const newest = Math.min(frames, Math.ceil(toMs / FRAME_MS));
      const heard: number[] = [];
      for (let frame = oldest; frame < newest; frame++) {
        const level = levels?.[frame % KEPT_FRAMES] ?? -Infinity;
        if (level > FLOOR_DB) heard.push(level);
      }
      heard.sort((a, b) => a - b);
      return heard[Math.min(heard.length - 1, Math.floor(share * heard.length))] ?? null;
    },
  };
}
