// Entity tags: the version of a record, as a hash of its view. A change may name the version that it is based on
// (If-Match), and is refused if the record changed since. Services compare inside the transaction of the change.
import type { Actor } from "./actor.ts";
import { AppError } from "./errors.ts";
import { sha256Hex } from "./hmac.ts";

const TAG_LENGTH = 16;

/** Fields of views that are not content: counts, times of something else, and what only one answer shows. */
const NOT_CONTENT: ReadonlySet<string> = new Set([
  "at_once",
  "consecutive_failures",
  "deliveries",
  "first_at",
  "is_planned",
  "last_heard_at",
  "outage",
  "secret",
  "updated_at",
  "version",
  "waiting",
]);

/** The same content has the same tag, whatever the order of its fields. */
export function entityTag(view: object): string {
  const content = Object.fromEntries(Object.entries(view).filter(([name]) => !NOT_CONTENT.has(name)));
  return `"${sha256Hex(JSON.stringify(content, inOrder)).slice(0, TAG_LENGTH)}"`;
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A view with its own tag, for clients that get many views in one answer. */
export type Versioned<View> = View & { version: string };

export const versioned = <View extends object>(view: View): Versioned<View> => ({ ...view, version: entityTag(view) });

/** Whether a list of tags, as in If-Match and If-None-Match, names this one. */
export function namesTag(header: string, tag: string): boolean {
  const bare = withoutWeakness(tag);
  return header.split(",").some((each) => each.trim() === "*" || withoutWeakness(each.trim()) === bare);
}

const withoutWeakness = (tag: string) => tag.replace(/^W\//, "");

export const changedSince = (current?: object) =>
  new AppError("PRECONDITION_FAILED", "The resource was changed since this version. Read it again.", {
    ...(current && { current }),
  });

/** `current`: the record as it is in this transaction. A change that names no version is not compared. */
export function assertUnchanged({ basedOn }: Pick<Actor, "basedOn">, current: object): void {
  if (basedOn === undefined || namesTag(basedOn, entityTag(current))) return;
  throw changedSince(versioned(current));
}
