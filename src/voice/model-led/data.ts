// What the callee says and what a call was given are data: bounded, without anything that a model could take for the end of
// the data or for somebody else's words.

/** A name, a doctor, an instruction of two sentences. What is longer is a text, and no fact. */
const LONGEST_FACT = 500;
const MOST_FACTS = 40;
const LONGEST_KEY = 64;

/** Marks with which servers tell roles apart, and with which we mark the callee's words. */
const MARKS = /<\|[^|>]{0,40}\|>|<\/?[a-z_]{1,20}>|\[\/?(?:INST|SYS)\]|<<\/?SYS>>|`{3,}|#{3,}/gi;

/** On one line, without marks and control characters. */
export function asData(text: string, most = LONGEST_FACT): string {
  return text
    .normalize("NFKC")
    .replaceAll(MARKS, " ")
    .replaceAll(/[<>{}]/g, " ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\s]+/gu, " ")
    .trim()
    .slice(0, most);
}

const IDENTIFIER = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

export type Facts = Readonly<Record<string, string>>;

/** The call's own facts, by their names: words and numbers, no ids and nothing nested. */
export function factsOf(info: Readonly<Record<string, unknown>>): Facts {
  const facts: [string, string][] = [];
  for (const [name, value] of Object.entries(info)) {
    if (facts.length >= MOST_FACTS) break;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue;
    const text = asData(String(value));
    if (text === "" || IDENTIFIER.test(text)) continue;
    facts.push([asData(name, LONGEST_KEY), text]);
  }
  return Object.fromEntries(facts);
}
