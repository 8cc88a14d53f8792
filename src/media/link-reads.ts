// Audits reads of a call without sign-in: by signed link or share link.
import type { ReadNotes } from "../accounts/read-notes.ts";
import { MINUTE_MS, type Clock } from "../core/clock.ts";

/** Players request recordings in ranges, and pages are reloaded: one entry per link and interval is enough. */
const NOTED_AGAIN_AFTER_MS = 5 * MINUTE_MS;
/** Bounds memory; the oldest entries are evicted and audited again. */
const MOST_REMEMBERED = 10_000;

export interface LinkRead {
  organisationId: string;
  callId: string;
  by: "signed_link" | "share_link";
  action: "call.read" | "recording.read" | "transcript.read";
  requestId: string;
}

export interface LinkReads {
  /** Resolves when the read is audited. Rejects on failure; then nothing may be shown. */
  note(read: LinkRead): Promise<void>;
}

export function createLinkReads({ readNotes, clock }: { readNotes: ReadNotes; clock: Clock }): LinkReads {
  const notedAt = new Map<string, number>();
  return {
    async note({ organisationId, callId, by, action, requestId }) {
      const key = `${by} ${action} ${callId}`;
      if (Math.abs(clock.now() - (notedAt.get(key) ?? -Infinity)) < NOTED_AGAIN_AFTER_MS) return;
      const actor = { kind: by, id: null, requestId };
      await readNotes.note({ organisationId, actor, action, subjectId: callId });
      notedAt.delete(key);
      const [oldest] = notedAt.keys();
      if (notedAt.size >= MOST_REMEMBERED && oldest !== undefined) notedAt.delete(oldest);
      notedAt.set(key, clock.now());
    },
  };
}
