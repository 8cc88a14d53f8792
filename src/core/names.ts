// Validation of names, e-mail addresses and language tags. Rejects text that can hide, forge or break something where
// it is displayed, sent or looked up. The rules are patterns, so the documentation can include them.
import { Type, type SchemaOptions } from "@sinclair/typebox";
import { invalidField } from "./errors.ts";

/**
 * Control characters (CR and LF forge headers and log lines) and bidirectional control characters (they show "gpj.exe"
 * as "exe.jpg"). Joiners are allowed: Hindi and Persian need them.
 */
const UNSAFE = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
/** A lone surrogate is not a character: databases and files reject or replace it. */
const PAIR = String.raw`[\ud800-\udbff][\udc00-\udfff]`;
const SAFE = String.raw`(?:[^${UNSAFE}\ud800-\udfff]|${PAIR})`;

/** Bounded, so matching stops early on a text of megabytes. */
const safeText = (maxLength: number) => `^${SAFE}{0,${maxLength}}$`;
/** The same, with at least one visible character. */
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

/** Must not be empty or blank. */
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

/** For input without a schema, such as the command line. */
export function checkedName(field: string, name: string, longest: number): string {
  const trimmed = name.trim();
  if (trimmed.length < 1 || trimmed.length > longest)
    throw invalidField(field, `${field} must have 1 to ${longest} characters.`);
  if (!isSafeText(trimmed)) throw invalidField(field, `${field} must be text ${WITHOUT}.`);
  return trimmed;
}
