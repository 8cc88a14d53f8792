// What was said and pressed on a call, with its seconds from the answer. Words that were cut off are kept as far as
// they were heard.
import type { Clock } from "../core/clock.ts";
import type { Utterance } from "../payloads/conversation.ts";
import type { Phrase } from "./conversation/phrases/phrase.ts";

/** Somebody may lean on the keypad; nobody reads more. */
const MOST_KEYS = 40;
/** An hour of talk at one sentence every few seconds. */
const MOST_HEARD = 1_000;

interface Entry {
  speaker: "agent" | "user";
  atMs: number;
  /** As far as it was heard. */
  text: () => string;
}

export interface TalkLog {
  /** From here on times are counted. */
  answered(): void;
  /** A line begins to sound that knows how far it was heard. */
  says(text: () => string): void;
  pressed(key: string): void;
  /** Words of the other side, which they began to say so long ago. */
  heard(words: string, agoMs?: number): void;
  /** In the order in which they were pressed. */
  keys(): string;
  transcript(): Utterance[];
}

export function createTalkLog(clock: Clock): TalkLog {
  const entries: Entry[] = [];
  let answeredAtMs = clock.elapsedMs();
  let keys = "";
  let wordsHeard = 0;

  return {
    answered() {
      answeredAtMs = clock.elapsedMs();
    },
    says(text) {
      entries.push({ speaker: "agent", atMs: clock.elapsedMs(), text });
    },
    pressed(key) {
      if (keys.length >= MOST_KEYS) return;
      keys += key;
      entries.push({ speaker: "user", atMs: clock.elapsedMs(), text: () => `Pressed ${key}.` });
    },
    heard(words, agoMs = 0) {
      if (wordsHeard++ < MOST_HEARD)
        entries.push({ speaker: "user", atMs: clock.elapsedMs() - agoMs, text: () => words });
    },
    keys: () => keys,
    transcript() {
      // Words are known only once they were said, and somebody may have said something over them.
      return entries
        .toSorted((a, b) => a.atMs - b.atMs)
        .map(({ speaker, atMs, text }) => ({
          speaker,
          text: text(),
          // The machine's clock may be set back during a call.
          timestamp: Math.max(0, Math.round((atMs - answeredAtMs) / 100) / 10),
        }));
    },
  };
}

/** Nobody knows the words of a recording. */
export function recordingText({ name }: Phrase, heardShare: number): string {
  const words = `recorded ${name.replaceAll("_", " ")}`;
  return heardShare >= 1 ? `[${words}]` : `[${words}, cut short]`;
}

export function heardWords(text: string, heardShare: number): string {
  if (heardShare >= 1) return text;
  const words = text.split(/\s+/);
  const heard = words.slice(0, Math.max(0, Math.floor(words.length * heardShare)));
  return [...heard, "…"].join(" ");
}
