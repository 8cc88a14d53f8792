// Whether the peer is gone: it sent audio, and for long nothing has come, neither audio nor a report. Time is counted
// in frames that we lived through, so that a machine that stood still does not take its own sleep for the peer's.
import { FRAME_MS } from "./rtp.ts";

export interface LostAudioWatch {
  /** 0 never gives up. */
  limit(limitMs: number, lost: () => void): void;
  /** Something of the peer's, other than audio: a report. */
  heard(): void;
  answered(): void;
  /** Whether the peer should be sending. On hold it may be silent for as long as it likes. */
  expectAudio(isExpected: boolean): void;
  /** The peer should be back by then, at the latest: it is told once where nothing has come. */
  expectWithin(limitMs: number): void;
  /** So many frames have passed; `received` is how many packets of audio had come by now. */
  passed(frames: number, received: number): void;
}

export function createLostAudioWatch(): LostAudioWatch {
  let limitFrames = 0;
  let lost = () => {};
  let hasBegun = false;
  let isAnswered = false;
  let isExpected = true;
  let silentFrames = 0;
  let hurriedFrames = 0;
  let receivedBefore = 0;

  function heard(): void {
    hasBegun = true;
    silentFrames = 0;
    hurriedFrames = 0;
  }

  function isOver(before: number, frames: number): boolean {
    return Math.floor((before + frames) / limitFrames) > Math.floor(before / limitFrames);
  }

  return {
    limit(limitMs, listener) {
      limitFrames = Math.ceil(limitMs / FRAME_MS);
      lost = listener;
    },
    heard,
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
    passed(frames, received) {
      if (received !== receivedBefore) heard();
      receivedBefore = received;
      if (!hasBegun || !isAnswered || !isExpected || limitFrames === 0) return;
      // Told again later: whoever is told may have a reason to wait, a transfer that is under way.
      const isLate = hurriedFrames > 0 && hurriedFrames <= frames;
      hurriedFrames = Math.max(0, hurriedFrames - frames);
      const isSilent = isOver(silentFrames, frames);
      silentFrames += frames;
      if (isSilent || isLate) lost();
    },
  };
}
