// Pattern notation for spoken sentences:
//   "(can|could) you say (that|it)? again"   alternatives, and optional words
//   "call ... later"                         up to three words between
//   "^wait$"                                 the whole utterance
//   "i am {busy}"                            a word of a shared list
//   "i am not {!common}"                     any word not in the list

import { lazily } from "../../core/lazily.ts";

export type WordLists = Readonly<Record<string, string>>;

export interface PatternOptions {
  lists?: WordLists;
  /** The pattern must match within one clause: "no chest pain", but not "No. Chest pain!". */
  sameClause?: boolean;
}

/** A clause may end between any two words, because recognisers punctuate inconsistently. */
const NEXT_WORD = "(?: \\|)? ";
const ANY_WORD = "[^ ~|]+";
const TOKEN = /\([^()]*\)\??|\{!?\w+\}\??|[^\s()]+/g;

/**
 * One expression for all patterns, for the output of plain-words.ts. Compiled on first use: compiling all of them would
 * take a tenth of the start-up time.
 */
export function patterns(
  sources: readonly string[],
  { lists = {}, sameClause = false }: PatternOptions = {},
): () => RegExp {
  const next = sameClause ? " " : NEXT_WORD;
  return lazily(() => new RegExp(`(?:${sources.map((each) => expressionOf(each, lists, next)).join("|")})(?= )`, "g"));
}

/** Blanks out a consumed span, so that weaker rules do not match it and positions stay valid. */
export const readSpan = (span: string): string => ` ${"~".repeat(span.length - 1)}`;

function expressionOf(pattern: string, lists: WordLists, next: string): string {
  const fromStart = pattern.startsWith("^");
  const toEnd = pattern.endsWith("$");
  const inner = pattern.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  const tokens = inner.match(TOKEN) ?? [];
  if (tokens.join(" ") !== inner) throw new Error(`invalid pattern "${pattern}": nested brackets or extra spaces`);
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
  if (list === undefined) throw new Error(`unknown word list: ${name}`);
  return list;
}
