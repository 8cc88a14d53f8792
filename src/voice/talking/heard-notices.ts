// Notices played on one call: per kind the first one played to its end, otherwise that it was cut off.
import { SECOND_MS } from "../../core/clock.ts";
import type { NoticeHeard, NoticeKind } from "../../payloads/lawful.ts";
import type { NoticeView } from "../../payloads/lawful-schema.ts";

/** The notices of one phrase. */
export interface PhraseNotices {
  /** The phrase was played to its end. */
  heard(atMs: number): void;
  list(): NoticeView[];
}

export interface HeardNotices {
  /** Starts the time count. */
  answered(atMs: number): void;
  /** A phrase with these notices starts to play. */
  begins(kinds: readonly NoticeKind[]): PhraseNotices;
  isHeard(kind: NoticeKind): boolean;
  list(): NoticeHeard[];
}

export function createHeardNotices(): HeardNotices {
  /** Milliseconds from the answer, by kind in the order of the first playback; null until one was played out. */
  const notices = new Map<NoticeKind, number | null>();
  let answeredAtMs = 0;
  return {
    answered(atMs) {
      answeredAtMs = atMs;
    },
    begins(kinds) {
      for (const kind of kinds) if (!notices.has(kind)) notices.set(kind, null);
      let heardMs: number | null = null;
      return {
        heard(atMs) {
          heardMs ??= Math.max(0, atMs - answeredAtMs);
          for (const kind of kinds) notices.set(kind, notices.get(kind) ?? heardMs);
        },
        list: () => kinds.map((kind) => ({ kind, heard_at: tenths(heardMs) })),
      };
    },
    isHeard: (kind) => (notices.get(kind) ?? null) !== null,
    list: () => [...notices].map(([kind, ms]) => ({ kind, heardAt: tenths(ms) })),
  };
}

/** Like the transcript. */
const tenths = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / (SECOND_MS / 10)) / 10);
