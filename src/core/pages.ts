// Pages of a list, newest first: how many on one, and where the last one ended, as opaque text.
import { invalidField } from "./errors.ts";

export interface Position {
  createdAt: number;
  id: string;
}

export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");
}

export function decodeCursor(text: string): Position {
  try {
    const value = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as unknown;
    if (Array.isArray(value) && value.length === 2 && Number.isSafeInteger(value[0]) && typeof value[1] === "string") {
      const position = { createdAt: value[0] as number, id: value[1] };
      // Buffer passes over what is not base64url; only what was handed out is taken back.
      if (encodeCursor(position) === text) return position;
    }
  } catch {
    // Not ours: answered below like every other wrong cursor.
  }
  throw invalidField("cursor", "cursor must be the next_cursor of an earlier answer.");
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
