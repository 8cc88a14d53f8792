// What the other side has been told so far. It goes by how far the sound has really gone out, never by what was meant to be
// said: words that were cut off, or that wait while the other side holds us, were not told.
import { SECOND_MS } from "../../core/clock.ts";
import type { Heard } from "./keypad-model.ts";
import type { SpokenLine } from "./words.ts";

/** What is left then is the end of "in the morning", and the silence after it. */
const TOLD_SHARE = 0.9;
/** Nobody knows where in a recording the words are; whoever presses later than this has heard what it is about. */
const RECORDING_TOLD_MS = 2 * SECOND_MS;

interface Sounding {
  text: string;
  neededMs: number;
  playedMs: () => number;
}

export interface Hearing extends Heard {
  /** These will be said, one after the other. */
  announced(lines: readonly SpokenLine[]): void;
  begins(line: SpokenLine, isRecording: boolean, lengthMs: number, playedMs: () => number): void;
  /** As the line tells; it may have been cut off. */
  ended(line: SpokenLine): void;
  /** What was announced is not said any more. */
  interrupted(): void;
}

export function createHearing(): Hearing {
  const told = new Set<string>();
  let begun: Sounding[] = [];
  let toCome = new Set<string>();

  /** What waited for the other side to end its hold is heard later than the agent meant it to. */
  function catchUp(): void {
    begun = begun.filter(({ text, neededMs, playedMs }) => {
      if (!told.has(text) && playedMs() >= neededMs) told.add(text);
      return !told.has(text);
    });
  }

  function isTold({ text }: SpokenLine): boolean {
    catchUp();
    return told.has(text);
  }

  return {
    isTold,
    isUnderWay: (line) => toCome.has(line.text) && !isTold(line),
    announced(lines) {
      toCome = new Set(lines.map(({ text }) => text));
    },
    begins({ text }, isRecording, lengthMs, playedMs) {
      const spokenMs = lengthMs * TOLD_SHARE;
      begun.push({ text, neededMs: isRecording ? Math.min(spokenMs, RECORDING_TOLD_MS) : spokenMs, playedMs });
    },
    ended: ({ text }) => void toCome.delete(text),
    interrupted: () => toCome.clear(),
  };
}
