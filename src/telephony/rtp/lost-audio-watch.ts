// Detects a lost peer: it sent audio, and then neither audio nor a report for too long. Time is counted in processed
// frames, so a suspended machine does not count its own pause.
import { FRAME_MS } from "./rtp.ts";

export interface LostAudioWatch {
  /** 0 turns it off. */
  limit(limitMs: number, lost: () => void): void;
  /** A packet from the peer other than audio: a report. */
  heard(): void;
  answered(): void;
  /** Whether the peer should be sending. On hold it may be silent for any time. */
  expectAudio(isExpected: boolean): void;
  /** The peer should be back within this time: reported once if nothing arrives. */
  expectWithin(limitMs: number): void;
  /** This many frames have passed; `received` is the total of audio packets so far. */
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
      // Reported again later: the listener may have a reason to wait, such as a pending transfer.
      const isLate = hurriedFrames > 0 && hurriedFrames <= frames;
      hurriedFrames = Math.max(0, hurriedFrames - frames);
      const isSilent = isOver(silentFrames, frames);
      silentFrames += frames;
      if (isSilent || isLate) lost();
    },
  };
}
