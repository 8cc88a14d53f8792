// A small way to write down what people say, so that a rule reads like the sentence it is for:
//   "(can|could) you say (that|it)? again"   one of several words, and words that may be missing
//   "call ... later"                         up to three words between
//   "^wait$"                                 the whole utterance
//   "i am {busy}"                            one of a list of words that several rules share
//   "i am not {!common}"                     any one word that is not in the list

import { lazily } from "../../core/lazily.ts";

export type WordLists = Readonly<Record<string, string>>;

export interface PhraseOptions {
  lists?: WordLists;
  /** The phrase is only meant within one clause: "no chest pain", and not "No. Chest pain!". */
  sameClause?: boolean;
}

/** A clause may end between any two words, because recognisers punctuate as they like. */
const NEXT_WORD = "(?: \\|)? ";
const ANY_WORD = "[^ ~|]+";
const TOKEN = /\([^()]*\)\??|\{!?\w+\}\??|[^\s()]+/g;

/**
 * One expression for all of the phrases, for text as plain-words.ts writes it. It is made when somebody is first listened to:
 * to make all of them takes a tenth of a start.
 */
export function phrases(
  lines: readonly string[],
  { lists = {}, sameClause = false }: PhraseOptions = {},
): () => RegExp {
  const next = sameClause ? " " : NEXT_WORD;
  return lazily(() => new RegExp(`(?:${lines.map((line) => lineSource(line, lists, next)).join("|")})(?= )`, "g"));
}

/** A span that was read is taken out, so that no weaker rule reads it again; what follows stays where it was. */
export const readSpan = (span: string): string => ` ${"~".repeat(span.length - 1)}`;

function lineSource(line: string, lists: WordLists, next: string): string {
  const fromStart = line.startsWith("^");
  const toEnd = line.endsWith("$");
  const inner = line.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  const tokens = inner.match(TOKEN) ?? [];
  if (tokens.join(" ") !== inner)
    throw new Error(`"${line}" is not a phrase: brackets in brackets, or too many spaces`);
  const words = tokens.map((token) => tokenSource(token, lists, next)).join("");
  return `${fromStart ? "^" : ""}${words}${toEnd ? "(?: \\|)?(?= $)" : ""}`;
}

function tokenSource(token: string, lists: WordLists, next: string): string {
  if (token === "...") return `(?:${next}${ANY_WORD}){0,3}?`;
  const isOptional = token.endsWith("?");
  const isOther = token.startsWith("{!");
  const choices = token.replaceAll(/\{!?(\w+)\}/g, (_, name: string) => listed(name, lists)).replaceAll(/[()?]/g, "");
  const one = choices
    .split("|")
    .map((choice) =>
      choice
        .split(" ")
        .map((word) => next + word)
        .join(""),
    )
    .join("|");
  const source = isOther ? `(?!(?:${one})(?= ))${next}${ANY_WORD}` : one;
  return `(?:${source})${isOptional ? "?" : ""}`;
}

function listed(name: string, lists: WordLists): string {
  const list = lists[name];
  if (list === undefined) throw new Error(`no list of words is called ${name}`);
  return list;
}
