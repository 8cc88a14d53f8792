// Transcript of a call: words and keys with seconds since the answer. Interrupted phrases are kept up to the last word
// played.
import type { Clock } from "../../core/clock.ts";
import type { Utterance } from "../../payloads/conversation.ts";
import type { NoticeView } from "../../payloads/lawful-schema.ts";
import type { Phrase } from "../conversation/phrase.ts";

/** Bounds the log when a key is held down. */
const MOST_KEYS = 40;
/** One hour of talk at one sentence every few seconds. */
const MOST_HEARD = 1_000;

interface Entry {
  speaker: "agent" | "user";
  atMs: number;
  /** The words played so far. */
  text: () => string;
  notices: () => readonly NoticeView[];
}

const NO_NOTICES = (): readonly NoticeView[] => [];

export interface TalkLog {
  /** Starts the time count. */
  answered(): void;
  /** A phrase starts to play; `text` returns the words played so far, and `notices` what it says of the notices. */
  says(text: () => string, notices?: () => readonly NoticeView[]): void;
  pressed(key: string): void;
  /** Words of the callee, which started this long ago. */
  heard(words: string, agoMs?: number): void;
  /** In the order pressed. */
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
    says(text, notices = NO_NOTICES) {
      entries.push({ speaker: "agent", atMs: clock.elapsedMs(), text, notices });
    },
    pressed(key) {
      if (keys.length >= MOST_KEYS) return;
      keys += key;
      entries.push({ speaker: "user", atMs: clock.elapsedMs(), text: () => `Pressed ${key}.`, notices: NO_NOTICES });
    },
    heard(words, agoMs = 0) {
      if (wordsHeard++ < MOST_HEARD)
        entries.push({ speaker: "user", atMs: clock.elapsedMs() - agoMs, text: () => words, notices: NO_NOTICES });
    },
    keys: () => keys,
    transcript() {
      // Recognition adds words after they were spoken, so entries may be out of order.
      return entries
        .toSorted((a, b) => a.atMs - b.atMs)
        .map(({ speaker, atMs, text, notices }) => ({
          speaker,
          text: text(),
          // The system clock may be set back during a call.
          timestamp: Math.max(0, Math.round((atMs - answeredAtMs) / 100) / 10),
          ...(notices().length > 0 && { notices: [...notices()] }),
        }));
    },
  };
}

/** The words of a recording are unknown. */
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
