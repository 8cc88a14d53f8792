// Detects one-way audio: nothing has arrived from the peer five seconds after the answer. Time on hold does not count.
// Logged once, with the possible cause.
import type { Logger } from "../../core/logger.ts";
import type { Incoming } from "./incoming.ts";
import type { Protection } from "./protection.ts";
import { FRAME_MS } from "./rtp.ts";

const ONE_WAY_AFTER_MS = 5_000;
const FRAMES_PER_CHECK = 1_000 / FRAME_MS;

const NO_AUDIO = "no audio arrives from the peer; check NAT, firewall and the public media address";
const AUDIO_FROM_ELSEWHERE =
  "audio arrives from another address than the peer named, and is not taken; if the trunk is behind a NAT, set its symmetric_rtp";
const AUDIO_UNREADABLE =
  "audio arrives that the agreed SRTP key does not open; the other side encrypts with another key, or not at all";

export interface OneWayWatch {
  answered(receivedSoFar: number): void;
  /** Whether the peer's SDP says that it sends. */
  expectAudio(isExpected: boolean): void;
  isOneWay(received: number): boolean;
}

export function createOneWayWatch(nowMs: () => number): OneWayWatch {
  let receivedAtAnswer: number | null = null;
  /** Milliseconds since the answer in which audio was due, up to `countedUntilMs`. */
  let dueMs = 0;
  let countedUntilMs = 0;
  let isExpected = true;

  function count(): void {
    const now = nowMs();
    if (receivedAtAnswer !== null && isExpected) dueMs += now - countedUntilMs;
    countedUntilMs = now;
  }

  return {
    answered(receivedSoFar) {
      count();
      receivedAtAnswer ??= receivedSoFar;
    },
    expectAudio(expected) {
      count();
      isExpected = expected;
    },
    isOneWay(received) {
      count();
      return receivedAtAnswer !== null && received <= receivedAtAnswer && dueMs >= ONE_WAY_AFTER_MS;
    },
  };
}

export interface OneWayWarningParts {
  logger: Logger;
  callId: string;
  /** Any integer: staggers this call's checks against those of others. */
  random: number;
  watch: OneWayWatch;
  incoming: Incoming;
  protection: Protection;
}

/** Call it with the number of frames passed; it checks once a second. */
export function createOneWayWarning(parts: OneWayWarningParts): (frames: number) => void {
  const { watch, incoming, protection } = parts;
  let frames = parts.random % FRAMES_PER_CHECK;
  let hasWarned = false;
  return (passed) => {
    if (hasWarned) return;
    frames += passed;
    if (frames < FRAMES_PER_CHECK) return;
    frames -= FRAMES_PER_CHECK;
    if (!watch.isOneWay(incoming.reception.received)) return;
    hasWarned = true;
    const cause = incoming.ignored > 0 ? AUDIO_FROM_ELSEWHERE : NO_AUDIO;
    parts.logger.warn(protection.refused > 0 ? AUDIO_UNREADABLE : cause, { call_id: parts.callId });
  };
}
