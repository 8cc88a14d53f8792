// {{key}} in prompts and greetings: filled with the call's values, and what is missing is told. Both within bounds:
// 6,000 placeholders and one long value would otherwise make a text that fills the memory.
import { invalidField } from "../core/errors.ts";

export interface Rendered {
  text: string;
  /** Names without a value, each once, in order of appearance. They render empty. */
  missing: string[];
}

/** The name begins and ends with something to see, so that a long run of blanks is passed over in one go. */
export const PLACEHOLDER = /\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g;

/** The longest prompt (32,000) has room for the largest additional_info (16 KiB) once over. */
export const LONGEST_RENDERED = 50_000;
/** A call can fill 28: its 25 pairs, two names of the contact and the agent's. */
export const MOST_PLACEHOLDERS = 100;
/** No value has a longer key. */
const LONGEST_LISTED_NAME = 64;

interface Piece {
  /** Stands before the placeholder. */
  text: string;
  /** Of the placeholder; null after the last one. */
  name: string | null;
}

/** The texts of agents, taken apart once. */
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

/** Throws as soon as the text would be too long, naming `field`; the long text itself is never made. */
export function renderTemplate(
  template: string,
  values: Readonly<Record<string, unknown>>,
  field = "template",
): Rendered {
  return { text: renderedText(template, values, field), missing: missingPlaceholders(template, values) };
}

/** The text alone. A missing value leaves no gap: "Hello {{user_name}}, welcome" becomes "Hello, welcome". */
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
    const before = isGap ? closeGap(pieces, text) : text;
    add(before);
    const value = name === null ? null : valueOf(name, values);
    const said = value === null || typeof value === "string" ? (value ?? "") : JSON.stringify(value);
    // One gap after another is one.
    isGap = said === "" && name !== null;
    if (!isGap) add(said);
  }
  return pieces.join("");
}

/** Text that follows a missing value, without a second space; the space before punctuation goes with the value. */
function closeGap(pieces: string[], text: string): string {
  const last = pieces.at(-1) ?? "";
  if (PUNCTUATION.test(text)) {
    if (pieces.length > 0) pieces[pieces.length - 1] = last.trimEnd();
    return text;
  }
  return last === "" || /\s$/.test(last) ? text.replace(/^[ \t]+/, "") : text;
}

/** Ends a word; U+0964 is the danda of Hindi. */
const PUNCTUATION = /^[,.;:!?)\u0964]/;

export function namesPlaceholder(template: string, wanted: string): boolean {
  return piecesOf(template).some(({ name }) => name === wanted);
}

/** Whether it would not be too long. */
export function isRenderable(template: string, values: Readonly<Record<string, unknown>>): boolean {
  let length = 0;
  for (const { text, name } of piecesOf(template)) {
    const value = name === null ? null : valueOf(name, values);
    length += text.length + (value === null ? 0 : (typeof value === "string" ? value : JSON.stringify(value)).length);
    if (length > LONGEST_RENDERED) return false;
  }
  return true;
}

/** The names alone, at most 100; a text of any length may ask. */
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

/**
 * What an agent's own text may be, whoever is called: not too many names, and not too long with the agent's own name.
 */
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
