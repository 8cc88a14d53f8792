// Whether the peer is gone: it sent audio, and for long nothing has come, neither audio nor a report. Time is counted in
// frames that we lived through, so that a machine that stood still does not take its own sleep for the peer's.
import { FRAME_MS } from "./rtp.ts";

export interface LostAudioWatch {
  /** 0 never gives up. */
  limit(limitMs: number, lost: () => void): void;
  /** A packet or a report of the peer's. */
  heard(): void;
  answered(): void;
  /** Whether the peer should be sending. On hold it may be silent for as long as it likes. */
  expectAudio(isExpected: boolean): void;
  /** The peer should be back by then, at the latest: it is told once where nothing has come. */
  expectWithin(limitMs: number): void;
  tick(): void;
}

export function createLostAudioWatch(): LostAudioWatch {
  let limitFrames = 0;
  let lost = () => {};
  let hasBegun = false;
  let isAnswered = false;
  let isExpected = true;
  let silentFrames = 0;
  let hurriedFrames = 0;

  return {
    limit(limitMs, listener) {
      limitFrames = Math.ceil(limitMs / FRAME_MS);
      lost = listener;
    },
    heard() {
      hasBegun = true;
      silentFrames = 0;
      hurriedFrames = 0;
    },
    answered() {
      isAnswered = true;
      silentFrames = 0;
    },
    expectAudio(expected) {
      if (expected !== isExpected) silentFrames = 0;
      isExpected = expected;
    },
    expectWithin(limitMs) {
      hurriedFrames = Math.ceil(limitMs / FRAME_MS);
    },
    tick() {
      if (!hasBegun || !isAnswered || !isExpected || limitFrames === 0) return;
      // Told again later: whoever is told may have a reason to wait, a transfer that is under way.
      const isLate = hurriedFrames > 0 && --hurriedFrames === 0;
      if (++silentFrames % limitFrames === 0 || isLate) lost();
    },
  };
}
