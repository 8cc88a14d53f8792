// Minimises a failing request while it shows the same fault.
import type { FuzzRequest } from "./request.ts";

/** Each try sends a request. */
const MOST_TRIES = 120;

export async function shrunk(
  request: FuzzRequest,
  stillFails: (smaller: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let smallest = request;
  let tries = 0;
  for (let found = true; found;) {
    found = false;
    for (const smaller of smallerRequests(smallest)) {
      if (tries++ >= MOST_TRIES) return smallest;
      if (!(await stillFails(smaller))) continue;
      smallest = smaller;
      found = true;
      break;
    }
  }
  return smallest;
}

function* smallerRequests(request: FuzzRequest): Generator<FuzzRequest, void> {
  const { query, headers, body } = request;
  for (const at of query.keys()) yield { ...request, query: query.toSpliced(at, 1) };
  for (const name of Object.keys(headers)) yield { ...request, headers: without(headers, name) };
  if (body?.kind === "json") {
    for (const value of smallerValues(body.value)) yield { ...request, body: { kind: "json", value } };
  }
  if (body?.kind === "bytes" && body.bytes.length > 64) {
    yield { ...request, body: { kind: "bytes", bytes: body.bytes.subarray(0, body.bytes.length / 2) } };
  }
  for (const [at, [name, value]] of query.entries()) {
    if (value.length > 8) yield { ...request, query: query.with(at, [name, half(value)]) };
  }
}

/** An escape must not be cut in half. */
const half = (text: string): string => text.slice(0, text.length / 2).replace(/%[0-9A-Fa-f]?$/, "");

function without<T>(fields: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
}

/** The value with one element removed. */
function* smallerValues(value: unknown): Generator<unknown, void> {
  if (typeof value === "string" && value.length > 8) yield value.slice(0, value.length / 2);
  if (Array.isArray(value)) {
    const list = value as unknown[];
    if (list.length > 8) yield list.slice(0, list.length / 2);
    for (const [at, item] of list.slice(0, 8).entries()) {
      yield list.toSpliced(at, 1);
      for (const smaller of smallerValues(item)) yield list.with(at, smaller);
    }
  } else if (typeof value === "object" && value !== null) {
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields)) yield without(fields, name);
    for (const [name, inner] of Object.entries(fields)) {
      for (const smaller of smallerValues(inner)) yield { ...fields, [name]: smaller };
    }
  }
}
