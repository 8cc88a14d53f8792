// Parser for application/x-www-form-urlencoded, which no-code tools and HTML forms send.
import { NUL } from "../core/clean-text.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { decodedText } from "./body.ts";

export const FORM_TYPE = "application/x-www-form-urlencoded";
const LONGEST_NAME = 200;
const MOST_FIELDS = 200;

/** Fields in order. A duplicate field is rejected, because it is ambiguous. */
export function parseForm(bytes: Uint8Array): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of decodedText(bytes).split("&", MOST_FIELDS + 1)) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = unescaped(at === -1 ? pair : pair.slice(0, at));
    if (fields.size === MOST_FIELDS) throw new AppError("VALIDATION_ERROR", `A form may have ${MOST_FIELDS} fields.`);
    if (name.length > LONGEST_NAME || name.includes(NUL))
      throw new AppError("VALIDATION_ERROR", `A field's name may have ${LONGEST_NAME} characters, and no NUL.`);
    if (fields.has(name)) throw invalidField(name, `${name} was sent twice. Send it once.`);
    const value = at === -1 ? "" : unescaped(pair.slice(at + 1));
    if (value.includes(NUL)) throw invalidField(name, `${name} must not hold the character NUL.`);
    fields.set(name, value);
  }
  return fields;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new AppError("VALIDATION_ERROR", "The form is not valid: an escape such as %2B is broken, or is not UTF-8.");
  }
}
