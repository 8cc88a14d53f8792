// JSON Patch (RFC 6902) on a copy of a resource. Pure.
import { AppError } from "../../../core/errors.ts";
import type { Json } from "../json.ts";

const MOST_OPERATIONS = 100;
/** `copy` could otherwise double the document with each operation. */
const MOST_CHARACTERS = 256 * 1024;

interface Operation {
  op: string;
  path: string;
  from: string | null;
  value: Json | undefined;
}

const unprocessable = (index: number, problem: string): AppError => {
  const message = `Operation ${index + 1} of the JSON Patch ${problem}`;
  return new AppError("VALIDATION_ERROR", message, { details: [{ field: `[${index}]`, message }] });
};

/** Thrown inside one operation; the loop adds the number of the operation. */
class PatchFault extends Error {}

/** All operations or none: the document that was given stays as it is. */
export function patched(document: Json, patch: unknown): Json {
  const operations = operationsOf(patch);
  let result = structuredClone(document);
  for (const [index, operation] of operations.entries()) {
    try {
      result = applied(result, operation);
    } catch (error) {
      if (error instanceof PatchFault) throw unprocessable(index, error.message);
      throw error;
    }
  }
  return result;
}

function operationsOf(patch: unknown): Operation[] {
  if (!Array.isArray(patch) || patch.length === 0 || patch.length > MOST_OPERATIONS)
    throw new AppError("VALIDATION_ERROR", `A JSON Patch is an array of 1 to ${MOST_OPERATIONS} operations.`);
  return patch.map((each: unknown, index) => {
    const { op, path, from, value } = (typeof each === "object" && each !== null ? each : {}) as Record<
      string,
      unknown
    >;
    if (typeof op !== "string" || typeof path !== "string")
      throw unprocessable(index, "must have op and path as text.");
    const needsFrom = op === "move" || op === "copy";
    if (needsFrom && typeof from !== "string") throw unprocessable(index, "must have from as text.");
    if (["add", "replace", "test"].includes(op) && value === undefined) throw unprocessable(index, "must have value.");
    return { op, path, from: needsFrom ? (from as string) : null, value: value as Json | undefined };
  });
}

function applied(document: Json, { op, path, from, value = null }: Operation): Json {
  const to = pointerOf(path);
  switch (op) {
    case "add":
      return added(document, to, value);
    case "remove":
      return removed(document, to);
    case "replace":
      valueAt(document, to);
      return to.length === 0 ? value : added(removed(document, to), to, value);
    case "test":
      if (!isEqual(valueAt(document, to), value)) throw new PatchFault(`failed: ${path} has another value.`);
      return document;
    case "move": {
      if (path.startsWith(`${from}/`)) throw new PatchFault("moves a value into itself.");
      const start = pointerOf(from ?? "");
      const moved = valueAt(document, start);
      return added(removed(document, start), to, moved);
    }
    case "copy": {
      const copy = structuredClone(valueAt(document, pointerOf(from ?? "")));
      const result = added(document, to, copy);
      if (JSON.stringify(result).length > MOST_CHARACTERS) throw new PatchFault("makes the resource too large.");
      return result;
    }
    default:
      throw new PatchFault(`has an unknown op. Known: add, remove, replace, move, copy, test.`);
  }
}

/** RFC 6901: ~1 is a slash, ~0 a tilde. */
function pointerOf(path: string): string[] {
  if (path === "") return [];
  if (!path.startsWith("/") || /~(?![01])/.test(path)) throw new PatchFault("has a path that is no JSON Pointer.");
  const parts = path.slice(1).split("/");
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const absent = (): PatchFault => new PatchFault("names a path that does not exist.");

function valueAt(document: Json, path: readonly string[]): Json {
  let value = document;
  for (const name of path) value = memberOf(value, name);
  return value;
}

function memberOf(parent: Json, name: string): Json {
  if (Array.isArray(parent)) {
    const value = parent[indexIn(name, parent.length - 1)];
    if (value === undefined) throw absent();
    return value;
  }
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, name)) throw absent();
  return parent[name] ?? null;
}

function indexIn(name: string, last: number): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(name)) throw new PatchFault("names an index that is not a number.");
  const index = Number(name);
  if (index > last) throw absent();
  return index;
}

function added(document: Json, path: readonly string[], value: Json): Json {
  const name = path.at(-1);
  if (name === undefined) return value;
  const parent = valueAt(document, path.slice(0, -1));
  if (Array.isArray(parent)) parent.splice(name === "-" ? parent.length : indexIn(name, parent.length), 0, value);
  else if (typeof parent === "object" && parent !== null)
    // Not an assignment, which would set the prototype of a member named __proto__.
    Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
  else throw absent();
  return document;
}

function removed(document: Json, path: readonly string[]): Json {
  const name = path.at(-1);
  if (name === undefined) throw new PatchFault("removes the resource itself.");
  const parent = valueAt(document, path.slice(0, -1));
  memberOf(parent, name);
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete (parent as { [name: string]: Json })[name];
  return document;
}

/** Regardless of the order of members. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, i) => isEqual(each, b[i]));
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}
