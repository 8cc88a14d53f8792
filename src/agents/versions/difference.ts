// What lies between two versions of an agent: field by field, and within texts word by word.
import type { AgentInput } from "../checked-agent.ts";

export interface TextPiece {
  kind: "same" | "removed" | "added";
  text: string;
}

export interface FieldDifference {
  field: string;
  /** As JSON has it; null where there was nothing. */
  before: unknown;
  after: unknown;
  /** Of texts that both versions have. */
  pieces: TextPiece[] | null;
}

/** The agent's fields, whichever of them a version holds. */
export type AgentFields = Partial<AgentInput>;

const TEXTS: readonly string[] = ["greeting", "prompt"] satisfies (keyof AgentInput)[];

/** A field that a version does not know is not different: it came later. */
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

/** More edits than this, and the texts have little in common: the one is shown in whole, then the other. */
const MOST_EDITS = 1_000;

/** Words and the blanks between them; together they are the text again. */
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

/** Marks stand alone, so that a comma more does not make its word another; placeholders stay whole. */
const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{M}\p{N}_{}]+|[^\s\p{L}\p{M}\p{N}_{}]+/gu) ?? [];

const wholly = (left: readonly string[], right: readonly string[]): TextPiece[] => [
  { kind: "removed", text: left.join("") },
  { kind: "added", text: right.join("") },
];

/**
 * Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): the greedy one. Null where it takes too many edits.
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

/** From the diagonal above (a word is added) or from the one below (a word is removed), whichever leads further. */
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

/** Neighbours of one kind become one piece; of what changed in one place, the removed stands before the added. */
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
