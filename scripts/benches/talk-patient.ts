// One patient of the part talk: detects speech by level alone, plays prepared audio, and records when each packet was
// on the wire. No recogniser, voice or jitter buffer, so a patient costs almost no CPU.
import { decodeTable } from "../../src/audio/g711.ts";

export const FRAME_MS = 20;
export const FRAME_BYTES = 160;
export const PAYLOAD_TYPE_PCMA = 8;
export const ALAW_SILENCE = 0xd5;

/** Mean absolute amplitude of a frame; below it is a pause. */
const VOICE_LEVEL = 150;
/** The agent has finished: people pause this long before they answer, and pauses within its lines are shorter. */
const PAUSE_MS = 900;
/** The agent has stopped, and the next audio is a response. */
const STOPPED_MS = 350;

/** A-law frames; the first and the last contain speech. */
export type Words = readonly Uint8Array[];

export interface Reply {
  words: Words;
  /**
   * Barge-in: speaks after this much of the agent's speech, later than the first second, in which a "hello" does not
   * interrupt.
   */
  interruptsAfterMs: number | null;
}

/** Which script the patient with this number follows. */
export const scriptOf = (number: string, scripts: number) => Number(number.slice(-4)) % scripts;

/** In milliseconds, at the patient's end of the connection. */
export interface Measured {
  /** From the patient's 200 to the agent's first audio; null if there was none. */
  firstVoiceMs: number | null;
  /** From the end of each reply to the agent's first audio. */
  answersMs: number[];
  /** From the start of a barge-in to the agent's last audio. */
  stopsMs: number[];
  /** Times the agent started to speak while the patient was speaking. */
  cutShort: number;
  /** Times the agent did not stop for a barge-in. */
  notStopped: number;
}

const LEVELS = Uint16Array.from(decodeTable("PCMA"), (sample) => Math.abs(sample));

export function isVoice(bytes: Uint8Array, from = 0): boolean {
  let sum = 0;
  for (let i = from; i < bytes.length; i++) sum += LEVELS[bytes[i] ?? 0] ?? 0;
  return sum > VOICE_LEVEL * (bytes.length - from);
}

/** Trims silence at both ends. */
export function trimmed(frames: Words): Words {
  const first = frames.findIndex((frame) => isVoice(frame));
  const last = frames.findLastIndex((frame) => isVoice(frame));
  return first === -1 ? [] : frames.slice(first, last + 1);
}

export class Patient {
  readonly measured: Measured = { firstVoiceMs: null, answersMs: [], stopsMs: [], cutShort: 0, notStopped: 0 };
  readonly #answeredAt: number;
  readonly #replies: Reply[];
  #saying: { words: Words; at: number } | null = null;
  /** End of our last reply; null once it was answered. */
  #spokeUntil: number | null = null;
  #stopping: { from: number } | null = null;
  /** Start of the agent's speech since our last reply. */
  #voicedSince: number | null = null;
  #voicedAt = -Infinity;

  constructor(replies: readonly Reply[], answeredAt: number) {
    this.#replies = [...replies];
    this.#answeredAt = answeredAt;
  }

  /** Handles a packet of the agent. `header`: bytes before the audio. */
  hear(packet: Uint8Array, header: number, now: number): void {
    if (!isVoice(packet, header)) return;
    this.measured.firstVoiceMs ??= now - this.#answeredAt;
    const isAfterSilence = now - this.#voicedAt >= STOPPED_MS;
    if (this.#saying && isAfterSilence) this.measured.cutShort++;
    if (this.#spokeUntil !== null && !this.#saying && isAfterSilence) {
      this.measured.answersMs.push(now - this.#spokeUntil);
      this.#spokeUntil = null;
      this.#voicedSince = null;
    }
    this.#voicedSince ??= now;
    this.#voicedAt = now;
  }

  /** The next frame to send; null for silence. */
  next(now: number): Uint8Array | null {
    if (!this.#saying) this.#begin(now);
    if (this.#stopping && now - this.#voicedAt >= STOPPED_MS) {
      this.measured.stopsMs.push(Math.max(0, this.#voicedAt - this.#stopping.from));
      this.#stopping = null;
    }
    const saying = this.#saying;
    if (!saying) return null;
    const frame = saying.words[saying.at++] ?? null;
    if (saying.at >= saying.words.length) this.#end(now);
    return frame;
  }

  #begin(now: number): void {
    const [reply] = this.#replies;
    if (!reply || this.#spokeUntil !== null || this.#voicedSince === null) return;
    const silentMs = now - this.#voicedAt;
    const { interruptsAfterMs } = reply;
    const isTurn = interruptsAfterMs === null ? silentMs >= PAUSE_MS : now - this.#voicedSince >= interruptsAfterMs;
    if (!isTurn) return;
    this.#replies.shift();
    this.#saying = { words: reply.words, at: 0 };
    if (interruptsAfterMs !== null) this.#stopping = { from: now };
  }

  #end(now: number): void {
    this.#saying = null;
    this.#spokeUntil = now;
    if (!this.#stopping) return;
    // The agent spoke on for longer than any barge-in lasts.
    if (now - this.#voicedAt < STOPPED_MS) {
      this.measured.notStopped++;
      this.#stopping = null;
    }
  }
}
