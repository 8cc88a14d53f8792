// What a stream of changes says, in the words of server-sent events.
import type { Positions } from "./change-position.ts";
import type { Change } from "./records.ts";

/** Of more than these a page loads anew: that is less work than fetching each. */
const MOST_TOLD = 200;
const KINDS: readonly Change["kind"][] = ["call", "appointment", "campaign", "window", "worklist", "waiting"];

/** `at` and `upTo` are where the feed is: the browser names it when it comes back. */
export function createChangeText(positions: Positions) {
  const idLine = (at: number) => `id: ${positions.textOf(at)}\n`;
  const eventText = (kind: Change["kind"], id: string, at: number) =>
    `${idLine(at)}event: ${kind}\ndata: ${JSON.stringify({ id })}\n\n`;
  /** An empty id stands for everything that may have changed. */
  const missed = (upTo: number) => KINDS.map((kind) => eventText(kind, "", upTo)).join("");

  return {
    idLine,
    missed,
    retryLine: (ms: number) => `retry: ${ms}\n`,

    /** The last change of each. */
    changes(rows: readonly Change[], upTo: number): string {
      const latest = new Map(rows.map((row) => [`${row.kind} ${row.subject_id}`, row]));
      if (latest.size > MOST_TOLD) return missed(upTo);
      return [...latest.values()]
        .toSorted((a, b) => a.sequence - b.sequence)
        .map(({ sequence, kind, subject_id }) => eventText(kind, subject_id, sequence))
        .join("");
    },
  };
}
