// additional_info: JSON values sent with a call, within limits on size and depth.
import { invalidField } from "../core/errors.ts";

const MOST_PAIRS = 25;
const LONGEST_KEY = 64;
/** Deeper than hand-written JSON, far below the depth that overflows the stack. */
const DEEPEST_INFO = 64;
const MOST_INFO_BYTES = 16 * 1024;

export function checkedInfo(info: Record<string, unknown> | null): Record<string, unknown> | null {
  if (info === null) return null;
  const keys = Object.keys(info);
  if (keys.length > MOST_PAIRS)
    throw invalidField("additional_info", `additional_info may hold at most ${MOST_PAIRS} pairs.`);
  if (keys.some((key) => key === "" || (key.length > LONGEST_KEY && Array.from(key).length > LONGEST_KEY))) {
    throw invalidField("additional_info", `Keys of additional_info must have 1 to ${LONGEST_KEY} characters.`);
  }
  assertStorable("additional_info", info);
  if (Buffer.byteLength(JSON.stringify(info)) > MOST_INFO_BYTES) {
    throw invalidField("additional_info", `additional_info must not exceed ${MOST_INFO_BYTES / 1024} KiB.`);
  }
  return info;
}

/** JSON.parse turns 1e400 into Infinity, and storage turns Infinity into null: the value is rejected, not changed. */
export function assertStorable(field: string, value: unknown, depth = 0): void {
  if (depth > DEEPEST_INFO)
    throw invalidField(field, `${field} must not be nested deeper than ${DEEPEST_INFO} levels.`);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalidField(field, `${field} holds a number that is too large to be kept.`);
  }
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) assertStorable(field, item, depth + 1);
}
