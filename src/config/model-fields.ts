// Validation rules for a model server's fields, from the settings, the dashboard or the command line. "" means none.
import { Type, type Static } from "@sinclair/typebox";
import { messageOf, type FieldFault } from "../core/errors.ts";
import { oneOf } from "../core/schema.ts";
import { readServerUrl } from "../net/http-url.ts";

export const MODEL_ROLES = ["language", "recognition", "voice"] as const;

/** A single line without control characters. */
const line = (longest: number) =>
  Type.String({
    pattern: `^[^\\u0000-\\u001f\\u007f]{0,${longest}}$`,
    allowed: `text in one line, at most ${longest} characters`,
  });

const MOST_LANGUAGES = 50;

export const ModelFields = {
  role: oneOf(MODEL_ROLES),
  base_url: line(2_048),
  key: Type.String({ pattern: "^[!-~]{0,500}$", allowed: "at most 500 visible characters without spaces" }),
  model: line(200),
  voice: line(100),
  languages: Type.Array(
    Type.String({ pattern: "^[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$", allowed: 'a language such as "hi" or "en-IN"' }),
    { maxItems: MOST_LANGUAGES, allowed: `a list of at most ${MOST_LANGUAGES} languages` },
  ),
  first_ms: Type.Integer({ minimum: 100, maximum: 60_000 }),
  total_ms: Type.Integer({ minimum: 100, maximum: 120_000 }),
  is_default: Type.Boolean(),
};

const shape = Type.Object(ModelFields);
export type ModelFieldValues = Static<typeof shape>;

/** Timeouts for a live call: after 2.5 s without a byte the built-in model takes over. */
export const MODEL_DEFAULTS: Omit<ModelFieldValues, "role" | "base_url"> = {
  key: "",
  model: "",
  voice: "",
  languages: [],
  first_ms: 2_500,
  total_ms: 20_000,
  is_default: true,
};

/** Checks that involve two fields, or more than a pattern. */
export function modelFaults(
  fields: Pick<ModelFieldValues, "role" | "base_url" | "model" | "first_ms" | "total_ms">,
): FieldFault[] {
  const faults: FieldFault[] = [];
  try {
    readServerUrl(fields.base_url);
  } catch (error) {
    faults.push({ field: "base_url", message: `base_url ${messageOf(error)}.` });
  }
  if (fields.model === "") faults.push({ field: "model", message: "model must be the name that the server knows." });
  if (fields.total_ms < fields.first_ms) {
    faults.push({ field: "total_ms", message: "total_ms must be at least as long as first_ms." });
  }
  return faults;
}
