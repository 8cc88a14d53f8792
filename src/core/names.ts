// Names, e-mail addresses and language tags as people type them: what is refused because it can hide, forge or break
// something where it is shown, sent or looked up. As patterns, so that the documentation says the same.
import { Type, type SchemaOptions } from "@sinclair/typebox";
import { invalidField } from "./errors.ts";

/**
 * Control characters (CR and LF forge headers and log lines), and marks that turn the direction of text (they show
 * "gpj.exe" as "exe.jpg"). Joiners stay: Hindi and Persian are written with them.
 */
const UNSAFE = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
/** Half a surrogate pair is no character: databases and files refuse it or replace it. */
const PAIR = String.raw`[\ud800-\udbff][\udc00-\udfff]`;
const SAFE = String.raw`(?:[^${UNSAFE}\ud800-\udfff]|${PAIR})`;

/** Bounded, so that a text of megabytes is given up at once. */
const safeText = (maxLength: number) => `^${SAFE}{0,${maxLength}}$`;
/** The same, with something to see in it. */
const visibleText = (maxLength: number) =>
  String.raw`^ {0,${maxLength}}(?:[^\s${UNSAFE}\ud800-\udfff]|${PAIR})${SAFE}{0,${maxLength}}$`;
/** RFC 5646, section 2.1: subtags of at most eight letters or digits. */
const LANGUAGE_TAG = "^(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8})?$";

const WITHOUT = "without line breaks, control characters, half surrogate pairs or marks of text direction";

export const nameText = (maxLength: number, options: SchemaOptions = {}) =>
  Type.String({
    maxLength,
    pattern: safeText(maxLength),
    allowed: `text of at most ${maxLength} characters, ${WITHOUT}`,
    ...options,
  });

/** It may not be empty or blank. */
export const visibleName = (maxLength: number, options: SchemaOptions = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: visibleText(maxLength),
    allowed: `a name of at most ${maxLength} characters, ${WITHOUT}`,
    ...options,
  });

export const languageTag = (maxLength: number, options: SchemaOptions = {}) =>
  Type.String({
    maxLength,
    pattern: LANGUAGE_TAG,
    allowed: 'a language tag (BCP 47) such as "en-IN" or "hi"',
    ...options,
  });

const unsafe = new RegExp(`[${UNSAFE}]`);
const tag = new RegExp(LANGUAGE_TAG);

export const isSafeText = (text: string): boolean => text.isWellFormed() && !unsafe.test(text);
export const isLanguageTag = (text: string): boolean => tag.test(text);

/** For doors that no schema guards, such as the command line. */
export function checkedName(field: string, name: string, longest: number): string {
  const trimmed = name.trim();
  if (trimmed.length < 1 || trimmed.length > longest)
    throw invalidField(field, `${field} must have 1 to ${longest} characters.`);
  if (!isSafeText(trimmed)) throw invalidField(field, `${field} must be text ${WITHOUT}.`);
  return trimmed;
}
