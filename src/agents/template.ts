// {{key}} placeholders in prompts and greetings: rendered with the call's values; missing ones are reported. Both are
// bounded, because 6,000 placeholders with one long value would exhaust memory.
import { invalidField } from "../core/errors.ts";
import { withoutGap } from "./template-gap.ts";

export interface Rendered {
  text: string;
  /** Names without a value, each once, in order of appearance. They render as empty. */
  missing: string[];
}

/** The name starts and ends with a visible character, so that long runs of spaces are skipped in linear time. */
export const PLACEHOLDER = /\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g;

/** The longest prompt (32,000) plus the largest additional_info (16 KiB) once. */
export const LONGEST_RENDERED = 50_000;
/** A call can fill 28: 25 pairs, two names of the contact, and the agent's name. */
export const MOST_PLACEHOLDERS = 100;
/** No value has a longer key. */
const LONGEST_LISTED_NAME = 64;

interface Piece {
  /** Text before the placeholder. */
  text: string;
  /** Name of the placeholder; null after the last one. */
  name: string | null;
}

/** Cache of parsed templates. */
const takenApart = new Map<string, readonly Piece[]>();
const MOST_TAKEN_APART = 100;

function piecesOf(template: string): readonly Piece[] {
  const known = takenApart.get(template);
  if (known) return known;
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    pieces.push({ text: template.slice(at, match.index), name: match[1] ?? "" });
    at = match.index + match[0].length;
  }
  pieces.push({ text: template.slice(at), name: null });
  if (takenApart.size >= MOST_TAKEN_APART) takenApart.clear();
  takenApart.set(template, pieces);
  return pieces;
}

/** Throws as soon as the text would exceed the limit, naming `field`; the long text is never built. */
export function renderTemplate(
  template: string,
  values: Readonly<Record<string, unknown>>,
  field = "template",
): Rendered {
  return { text: renderedText(template, values, field), missing: missingPlaceholders(template, values) };
}

/** Text only. A missing value leaves no gap: "Hello {{user_name}}, welcome" becomes "Hello, welcome". */
export function renderedText(template: string, values: Readonly<Record<string, unknown>>, field = "template"): string {
  const pieces: string[] = [];
  let length = 0;
  const add = (piece: string): void => {
    length += piece.length;
    if (length > LONGEST_RENDERED) throw tooLong(field);
    pieces.push(piece);
  };
  let isGap = false;
  for (const { text, name } of piecesOf(template)) {
    if (isGap) {
      const last = takeEnd(pieces);
      length -= last.length;
      withoutGap(last, text).forEach(add);
    } else add(text);
    const value = name === null ? null : valueOf(name, values);
    const said = value === null || typeof value === "string" ? (value ?? "") : JSON.stringify(value);
    // Consecutive gaps count as one.
    isGap = said.trim() === "" && name !== null;
    if (!isGap) add(said);
  }
  return pieces.join("");
}

/** Longer than any run of marks and spaces that matters, and short enough for a text with thousands of gaps. */
const END_LENGTH = 64;

/** Takes the end of the text off its pieces. */
function takeEnd(pieces: string[]): string {
  let end = "";
  while (end.length < END_LENGTH && pieces.length > 0) end = (pieces.pop() ?? "") + end;
  if (end.length > END_LENGTH) pieces.push(end.slice(0, -END_LENGTH));
  return end.slice(-END_LENGTH);
}

export function namesPlaceholder(template: string, wanted: string): boolean {
  return piecesOf(template).some(({ name }) => name === wanted);
}

/** Whether the result is within the limit. */
export function isRenderable(template: string, values: Readonly<Record<string, unknown>>): boolean {
  let length = 0;
  for (const { text, name } of piecesOf(template)) {
    const value = name === null ? null : valueOf(name, values);
    length += text.length + (value === null ? 0 : (typeof value === "string" ? value : JSON.stringify(value)).length);
    if (length > LONGEST_RENDERED) return false;
  }
  return true;
}

/** Names only, at most 100; accepts a text of any length. */
export function missingPlaceholders(template: string, values: Readonly<Record<string, unknown>>): string[] {
  let missing: Set<string> | null = null;
  for (const { name } of piecesOf(template)) {
    if (name === null || valueOf(name, values) !== null) continue;
    missing ??= new Set();
    missing.add(listed(name));
    if (missing.size === MOST_PLACEHOLDERS) break;
  }
  return missing ? [...missing] : [];
}

/** Limits for an agent's text, independent of the call: number of names, and length with the agent's name. */
export function assertRenderable(field: string, template: string, agentName: string): void {
  const names = new Set(Array.from(template.matchAll(PLACEHOLDER), ([, name]) => name));
  if (names.size > MOST_PLACEHOLDERS) {
    throw invalidField(field, `${field} may name at most ${MOST_PLACEHOLDERS} different {{placeholders}}.`);
  }
  renderTemplate(template, { agent_name: agentName }, field);
}

function valueOf(name: string, values: Readonly<Record<string, unknown>>): unknown {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}

function listed(name: string): string {
  return name.length <= LONGEST_LISTED_NAME ? name : `${name.slice(0, LONGEST_LISTED_NAME).toWellFormed()}…`;
}

function tooLong(field: string) {
  const most = LONGEST_RENDERED.toLocaleString("en");
  return invalidField(
    field,
    `${field} would be longer than ${most} characters once its {{placeholders}} are filled in.`,
  );
}
