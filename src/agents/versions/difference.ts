// Difference between two versions of an agent: by field, and by word within texts.
import type { AgentInput } from "../checked-agent.ts";

export interface TextPiece {
  kind: "same" | "removed" | "added";
  text: string;
}

export interface FieldDifference {
  field: string;
  /** JSON values; null if absent. */
  before: unknown;
  after: unknown;
  /** For texts that exist in both versions. */
  pieces: TextPiece[] | null;
}

/** The agent's fields present in a version. */
export type AgentFields = Partial<AgentInput>;

const TEXTS: readonly string[] = ["greeting", "prompt"] satisfies (keyof AgentInput)[];

/** Fields missing in a version count as equal, because they were added later. */
export function differences(before: AgentFields, after: AgentFields): FieldDifference[] {
  const past = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([field, value]): FieldDifference[] => {
    const present: unknown = value;
    const former = past.get(field);
    if (former === undefined || JSON.stringify(former) === JSON.stringify(present)) return [];
    const isText = TEXTS.includes(field) && typeof former === "string" && typeof present === "string";
    return [{ field, before: former, after: present, pieces: isText ? textDifference(former, present) : null }];
  });
}

/** With more edits the texts have little in common: both are shown in full. */
const MOST_EDITS = 1_000;

/** Words and spaces; joined, the pieces are the text. */
export function textDifference(before: string, after: string): TextPiece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return merged([
    { kind: "same", text: a.slice(0, start).join("") },
    ...(shortestEdit(left, right) ?? wholly(left, right)),
    { kind: "same", text: a.slice(a.length - end).join("") },
  ]);
}

/** Punctuation is separate, so that an added comma does not change its word; placeholders stay whole. */
const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{M}\p{N}_{}]+|[^\s\p{L}\p{M}\p{N}_{}]+/gu) ?? [];

const wholly = (left: readonly string[], right: readonly string[]): TextPiece[] => [
  { kind: "removed", text: left.join("") },
  { kind: "added", text: right.join("") },
];

/**
 * Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), greedy variant. Null if it needs too many edits.
 */
function shortestEdit(left: readonly string[], right: readonly string[]): TextPiece[] | null {
  const most = Math.min(left.length + right.length, MOST_EDITS);
  const reached = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trail.push(new Map(reached));
    for (let k = -edits; k <= edits; k += 2) {
      let x = startOf(reached, k, edits);
      while (x < left.length && x - k < right.length && left[x] === right[x - k]) x++;
      reached.set(k, x);
      if (x >= left.length && x - k >= right.length) return walkedBack(trail, left, right);
    }
  }
  return null;
}

/** From the diagonal above (insertion) or below (deletion), whichever reaches further. */
function startOf(reached: ReadonlyMap<number, number>, k: number, edits: number): number {
  const [above, below] = [reached.get(k + 1) ?? -1, reached.get(k - 1) ?? -1];
  return k === -edits || (k !== edits && below < above) ? above : below + 1;
}

function walkedBack(
  trail: readonly ReadonlyMap<number, number>[],
  left: readonly string[],
  right: readonly string[],
): TextPiece[] {
  const pieces: TextPiece[] = [];
  let x = left.length;
  let y = right.length;
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reached = trail[edits] ?? new Map<number, number>();
    const k = x - y;
    const [above, below] = [reached.get(k + 1) ?? -1, reached.get(k - 1) ?? -1];
    const isAdded = k === -edits || (k !== edits && below < above);
    const beforeX = isAdded ? above : below;
    const beforeY = beforeX - (isAdded ? k + 1 : k - 1);
    while (x > beforeX && y > beforeY && x > 0 && y > 0) {
      pieces.push({ kind: "same", text: left[--x] ?? "" });
      y--;
    }
    if (edits === 0) break;
    if (isAdded) pieces.push({ kind: "added", text: right[--y] ?? "" });
    else pieces.push({ kind: "removed", text: left[--x] ?? "" });
  }
  return pieces.toReversed();
}

/** Merges adjacent pieces of one kind; removed text comes before added text. */
function merged(pieces: readonly TextPiece[]): TextPiece[] {
  const done: TextPiece[] = [];
  let removed = "";
  let added = "";
  const flush = (): void => {
    if (removed !== "") done.push({ kind: "removed", text: removed });
    if (added !== "") done.push({ kind: "added", text: added });
    removed = added = "";
  };
  let same = "";
  for (const { kind, text } of pieces) {
    if (text === "") continue;
    if (kind === "same") {
      flush();
      same += text;
      continue;
    }
    if (same !== "") done.push({ kind: "same", text: same });
    same = "";
    if (kind === "removed") removed += text;
    else added += text;
  }
  flush();
  if (same !== "") done.push({ kind: "same", text: same });
  return done;
}
