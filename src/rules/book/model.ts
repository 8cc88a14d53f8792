// Rules in the API: the books with an organisation's changes, and what applies to one number.
import { Type, type Static } from "@sinclair/typebox";
import { NOTICE_KINDS, PURPOSES, RECORDING_MODES } from "../../payloads/lawful.ts";
import { RULE_BASES } from "./book-file.ts";
import { HoursSchema, oneOf, RULE_SETTINGS, VALUE_SCHEMAS } from "./rule-values.ts";

const RuleValueSchema = Type.Union(Object.values(VALUE_SCHEMAS), {
  description: "hours: start, end, days. days_off: dates. per_day, per_week: a number, or unlimited. Else a word.",
});
const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const RuleSchema = Type.Object({
  rule_id: Type.String(),
  setting: oneOf(RULE_SETTINGS),
  purposes: Type.Array(oneOf(PURPOSES)),
  states: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: "Two-letter states, or Canada. Null: everywhere in the country.",
  }),
  given: Type.Union([oneOf(["consent", "no_consent"]), Type.Null()], {
    description: "Whether the rule concerns only calls with, or without, the callee's consent.",
  }),
  value: Type.Unsafe<unknown>(RuleValueSchema),
  book_value: Type.Unsafe<unknown>(RuleValueSchema),
  basis: oneOf(RULE_BASES),
  source: Type.String(),
  change: Type.Union([
    Type.Object({
      is_looser: Type.Boolean(),
      reason: orNull(Type.String()),
      changed_at: Type.String({ format: "date-time" }),
    }),
    Type.Null(),
  ]),
});
export type RuleView = Static<typeof RuleSchema>;

export const RulesSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      version: Type.String(),
      country: oneOf(["IN", "US"]),
      calling_code: Type.String(),
      disclaimer: Type.String(),
      rules: Type.Array(RuleSchema),
    }),
  ),
  revision: Type.Integer({ description: "Counts the organisation's changes." }),
  enforced: Type.Boolean({
    description: "False where rules.enforce is off: hours, limits, consent and caller ID are shown and hold no call.",
  }),
});
export type RulesView = Static<typeof RulesSchema>;

export const RulesForQuery = Type.Object({
  number: Type.String({ maxLength: 20, description: "E.164, for example +14155550100." }),
  purpose: Type.Optional(oneOf(PURPOSES)),
  region: Type.Optional(
    Type.String({ maxLength: 2, description: "Two-letter US state; without it, that of the area code." }),
  ),
  consent: Type.Optional(
    Type.String({ pattern: "^(true|false)$", description: "Whether the callee agreed to calls of this purpose." }),
  ),
});

export const RulesForSchema = Type.Object({
  data: Type.Object({
    version: Type.String(),
    country: oneOf(["IN", "US"]),
    region: orNull(Type.String({ description: "Two-letter state, or Canada. Null: the rules of every state apply." })),
    time_zones: Type.Array(Type.String(), { description: "The hours hold in each of them." }),
    hours: Type.Object({ ...HoursSchema.properties, days: Type.Array(Type.Integer()) }),
    days_off: Type.Array(Type.String()),
    per_day: orNull(Type.Integer()),
    per_week: orNull(Type.Integer()),
    needs_consent: Type.Boolean(),
    caller_id_prefix: orNull(Type.String()),
    recording: oneOf(RECORDING_MODES),
    notices: Type.Array(oneOf(NOTICE_KINDS)),
    rule_ids: Type.Array(Type.String(), { description: "Every rule that applies." }),
  }),
});
export type RulesForView = Static<typeof RulesForSchema>["data"];
