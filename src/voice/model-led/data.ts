// Sanitises the callee's words and the call's values for a model: bounded, and without markup that could end the data
// section or imitate another role.

/** Enough for a name, a doctor or an instruction of two sentences. */
const LONGEST_FACT = 500;
const MOST_FACTS = 40;
const LONGEST_KEY = 64;

/** Role markers of model servers, and our own markers around the callee's words. */
const MARKS = /<\|[^|>]{0,40}\|>|<\/?[a-z_]{1,20}>|\[\/?(?:INST|SYS)\]|<<\/?SYS>>|`{3,}|#{3,}/gi;

/** Collapses the text to one line without markers and control characters. */
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

/** The call's values by name: words and numbers only, no ids, nothing nested. */
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
