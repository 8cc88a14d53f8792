// One patient of the part talk: hears by loudness alone, says what was made before, and writes down when everything
// went over the wire. No recogniser, no voice and no jitter buffer: a patient costs next to nothing.
import { decodeTable } from "../../src/audio/g711.ts";

export const FRAME_MS = 20;
export const FRAME_BYTES = 160;
export const PAYLOAD_TYPE_PCMA = 8;
export const ALAW_SILENCE = 0xd5;

/** The mean of the samples' amounts in a frame; softer is a pause. */
const VOICE_LEVEL = 150;
/**
 * The agent has finished: people leave such a pause before they answer, and the pauses within its lines are shorter.
 */
const PAUSE_MS = 900;
/** The agent has stopped, and what comes next is an answer. */
const STOPPED_MS = 350;

/** Frames of A-law, the first and the last of them voiced. */
export type Words = readonly Uint8Array[];

export interface Reply {
  words: Words;
  /**
   * They do not wait for the agent's end, but speak so long into its words. Past the second in which a "hello" stops
   * nobody.
   */
  interruptsAfterMs: number | null;
}

/** Which script the patient with this number follows. */
export const scriptOf = (number: string, scripts: number) => Number(number.slice(-4)) % scripts;

/** In milliseconds, at the patient's end of the wire. */
export interface Measured {
  /** From our 200 to the first sound of the agent; null where there was none. */
  firstVoiceMs: number | null;
  /** From the last voice of each reply to the first sound of the agent. */
  answersMs: number[];
  /** From the first voice of an interruption to the agent's last sound. */
  stopsMs: number[];
  /** The agent spoke while the patient did, after it had fallen silent. */
  cutShort: number;
  /** Times that the agent did not stop for an interruption. */
  notStopped: number;
}

const LEVELS = Uint16Array.from(decodeTable("PCMA"), (sample) => Math.abs(sample));

export function isVoice(bytes: Uint8Array, from = 0): boolean {
  let sum = 0;
  for (let i = from; i < bytes.length; i++) sum += LEVELS[bytes[i] ?? 0] ?? 0;
  return sum > VOICE_LEVEL * (bytes.length - from);
}

/** Where the words are in these frames. */
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
  /** When our last words ended; null once they were answered. */
  #spokeUntil: number | null = null;
  #stopping: { from: number } | null = null;
  /** Of the agent, since our last words. */
  #voicedSince: number | null = null;
  #voicedAt = -Infinity;

  constructor(replies: readonly Reply[], answeredAt: number) {
    this.#replies = [...replies];
    this.#answeredAt = answeredAt;
  }

  /** A packet of the agent's came. `header`: its bytes before the sound. */
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

  /** What goes out now; null for silence. */
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
    // It has said on for longer than anybody interrupts for.
    if (now - this.#voicedAt < STOPPED_MS) {
      this.measured.notStopped++;
      this.#stopping = null;
    }
  }
}
