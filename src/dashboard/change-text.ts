// Messages of a change stream, in server-sent event format.
import type { Positions } from "./change-position.ts";
import type { Change } from "./records.ts";

/** Above this limit the page reloads its data: that costs less than fetching each item. */
const MOST_TOLD = 200;
const KINDS: readonly Change["kind"][] = [
  "call",
  "appointment",
  "campaign",
  "window",
  "worklist",
  "waiting",
  "account",
];

/** `at` and `upTo` are positions of the feed. The browser sends the last one back on reconnect. */
export function createChangeText(positions: Positions) {
  const idLine = (at: number) => `id: ${positions.textOf(at)}\n`;
  const eventText = (kind: Change["kind"], id: string, at: number) =>
    `${idLine(at)}event: ${kind}\ndata: ${JSON.stringify({ id })}\n\n`;
  /** An empty id means that anything of this kind may have changed. */
  const missed = (upTo: number) => KINDS.map((kind) => eventText(kind, "", upTo)).join("");

  return {
    idLine,
    missed,
    /** An event, because a page does not see comments. */
    beat: (at: number) => `${idLine(at)}event: beat\ndata: 1\n\n`,
    retryLine: (ms: number) => `retry: ${ms}\n`,

    /** The last change of each item. */
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
