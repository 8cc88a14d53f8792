// Pagination of lists, newest first: page size, and an opaque cursor for the end of the last page.
import { invalidField } from "./errors.ts";
import { sha256Hex } from "./hmac.ts";

export interface Position {
  createdAt: number;
  id: string;
}

/** The filters of a list. A cursor is valid only with the same filters; the page size may change. */
export type Filters = object;

export function encodeCursor({ createdAt, id }: Position, filters: Filters): string {
  return Buffer.from(JSON.stringify([createdAt, id, markOf(filters)])).toString("base64url");
}

export function decodeCursor(text: string, filters: Filters): Position {
  const [createdAt, id, mark] = partsOf(text);
  // Buffer ignores characters outside base64url, so the cursor is compared with its canonical encoding.
  if (Number.isSafeInteger(createdAt) && typeof id === "string" && typeof mark === "string") {
    const position = { createdAt: createdAt as number, id };
    if (encodeCursor(position, filters) === text) return position;
    if (Buffer.from(JSON.stringify([createdAt, id, mark])).toString("base64url") === text)
      throw invalidField(
        "cursor",
        "cursor belongs to a list with other filters. Send the same filters again, or begin without cursor.",
      );
  }
  throw invalidField("cursor", "cursor must be the next_cursor of an earlier answer.");
}

function partsOf(text: string): unknown[] {
  try {
    const value = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as unknown;
    return Array.isArray(value) && value.length === 3 ? value : [];
  } catch {
    // Handled like every other invalid cursor.
    return [];
  }
}

const MARK_LENGTH = 12;

/** Hash of the filters, independent of their order. */
function markOf(filters: Filters): string {
  const given = Object.entries(filters)
    .filter(([name, value]) => name !== "cursor" && name !== "limit" && value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify(given)).slice(0, MARK_LENGTH);
}

const DEFAULT_PAGE = 20;
const LARGEST_PAGE = 100;

export function pageSize(text: string | undefined): number {
  const size = text === undefined ? DEFAULT_PAGE : Number(text);
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_PAGE) {
    throw invalidField("limit", `limit must be from 1 to ${LARGEST_PAGE}.`);
  }
  return size;
}

/** One page of rows, of which one more than `limit` was read. */
export function pageOf<Row extends { created_at: number; id: string }, View>(
  rows: readonly Row[],
  limit: number,
  filters: Filters,
  viewOf: (row: Row) => View,
): { data: View[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return {
    data: page.map(viewOf),
    next_cursor: isMore ? encodeCursor({ createdAt: last.created_at, id: last.id }, filters) : null,
  };
}
