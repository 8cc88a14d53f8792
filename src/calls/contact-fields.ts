// Fields user_* and their legacy aliases contact_*. A request may use either name, not both.
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

/** Request body with aliases; each field is optional under each name. */
export type ContactInput = Partial<Record<UserField | AliasField, string | null | undefined>>;

export interface Contact {
  number: string | undefined;
  /** Field name used for the number, so error messages name the client's own field. */
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

/** An empty text means no language. */
const languageOf = (text: string | null): string | null => (text === "" ? null : text);
