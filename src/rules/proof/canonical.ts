// Canonical JSON of proofs: one text for each value, so that every implementation hashes and signs the same bytes. The
// form is specified in the handbook (lawful-calls.md, Proof). It needs no escapes and no Unicode rules, because strings
// have a small alphabet.

const PLAIN = /^[A-Za-z0-9 ?._:/+-]*$/;
const KEY = /^[a-z_]+$/;

export class NotCanonical extends Error {}

/** Throws NotCanonical for a value that has no canonical form. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new NotCanonical("a number is not an integer");
    return String(value);
  }
  if (typeof value === "string") {
    if (!PLAIN.test(value)) throw new NotCanonical("a string has a character that proofs do not use");
    return `"${value}"`;
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object") throw new NotCanonical("a value is of no JSON type");
  let text = "";
  for (const key of Object.keys(value).toSorted()) {
    text += `${text === "" ? "" : ","}${canonicalKey(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`;
  }
  return `{${text}}`;
}

function canonicalKey(key: string): string {
  if (!KEY.test(key)) throw new NotCanonical("a key has a character that proofs do not use");
  return `"${key}"`;
}

const LONGEST_TEXT = 100;

/** Text from elsewhere, in the alphabet of proofs: other characters become "?". */
export const plainText = (text: string): string =>
  text.length <= LONGEST_TEXT && PLAIN.test(text)
    ? text
    : text.slice(0, LONGEST_TEXT).replaceAll(/[^A-Za-z0-9 ?._:/+-]/g, "?");
