// Parsers for option values: numbers, JSON, booleans and lists.
import { UsageError } from "./command.ts";

export function wholeNumber(name: string, text: string): number {
  if (!/^[0-9]{1,6}$/.test(text)) throw new UsageError(`--${name} must be a whole number.`);
  return Number(text);
}

export function jsonValue(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${name} must be JSON.`);
  }
}

export function yesOrNo(name: string, text: string): boolean {
  if (text !== "yes" && text !== "no") throw new UsageError(`--${name} must be yes or no.`);
  return text === "yes";
}

/** Parses `a=1, b=2` into pairs. */
export function pairsOf(name: string, text: string): [string, string][] {
  return text.split(",").map((part) => {
    const at = part.indexOf("=");
    const pair = [part.slice(0, at).trim(), part.slice(at + 1).trim()] as [string, string];
    if (at < 1 || pair[0] === "" || pair[1] === "") throw new UsageError(`--${name} must be NAME=VALUE,NAME=VALUE.`);
    return pair;
  });
}
