// user_* and its legacy alias contact_*: either name, never both.
import { AppError } from "../core/errors.ts";

export const ALIASES = {
  user_number: "contact_number",
  user_name: "contact_name",
  user_email: "contact_email",
  user_preferred_language: "contact_preferred_language",
} as const;

const PAIRS = Object.entries(ALIASES);

type UserField = keyof typeof ALIASES;
type AliasField = (typeof ALIASES)[UserField];

/** The body with aliases: each field may be missing under each name. */
export type ContactInput = Partial<Record<UserField | AliasField, string | null | undefined>>;

export interface Contact {
  number: string | undefined;
  /** The name under which the number was sent, so that a fault names the caller's own field. */
  numberField: string;
  name: string | null;
  email: string | null;
  preferredLanguage: string | null;
}

export function contactOf(input: ContactInput, preferred: "user" | "contact"): Contact {
  const doubled = PAIRS.filter(([field, alias]) => field in input && alias in input);
  if (doubled.length > 0) {
    const details = doubled.map(([field, alias]) => ({
      field,
      message: `Send ${field} or ${alias}, not both: they are one field.`,
    }));
    throw new AppError("VALIDATION_ERROR", details[0]?.message ?? "", { details });
  }
  const pick = (field: UserField): string | null => input[field] ?? input[ALIASES[field]] ?? null;
  const sentAs = (field: UserField): string => {
    if (field in input) return field;
    return ALIASES[field] in input || preferred === "contact" ? ALIASES[field] : field;
  };
  return {
    number: pick("user_number") ?? undefined,
    numberField: sentAs("user_number"),
    name: pick("user_name"),
    email: pick("user_email"),
    preferredLanguage: languageOf(pick("user_preferred_language")),
  };
}

/** Empty text chooses no language. */
const languageOf = (text: string | null): string | null => (text === "" ? null : text);
