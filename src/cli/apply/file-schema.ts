// Schema of the file that `ringward apply` reads: one organisation with all its objects. Omitted fields stay unchanged,
// and have their usual defaults in a new object.
import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { CallingHoursSchema } from "../../agents/calling-hours.ts";
import { RETRY_OUTCOMES } from "../../agents/checked-agent.ts";
import { CHOICES } from "../../calendar/closure-model.ts";
import { DAYS } from "../../payloads/slot.ts";
import { CreateWindowSchema } from "../../calendar/model.ts";
import { PLAN_NAMES } from "../../config/schema.ts";
import { TrunkFields } from "../../config/trunk-fields.ts";
import { visibleName } from "../../core/names.ts";
import { oneOf } from "../../core/schema.ts";
import { AnalysisFieldSchema } from "../../payloads/analysis-field.ts";
import { ApprovedAnswerSchema, MODEL_SPEECHES } from "../../payloads/approved-answer.ts";
import { PURPOSES, RECORDING_MODES } from "../../payloads/lawful.ts";
import { OWNED_PARTS, SOURCE_KINDS } from "../../payloads/source.ts";
import { RuleSchema } from "../../reminders/model.ts";

type Fields = Record<string, TSchema>;

const table = <T extends Fields>(fields: T) => Type.Object(fields, { additionalProperties: false });
const partial = <T extends Fields>(fields: T) => Type.Partial(Type.Object(fields)).properties;
const list = <T extends TSchema>(item: T, most: number) =>
  Type.Optional(Type.Array(item, { maxItems: most, allowed: `a list of at most ${most} tables` }));
/** TOML has no null: "none" removes a value, as on the command line. */
const orNone = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Literal("none"), Type.Null()]);

const text = (longest: number) => Type.String({ maxLength: longest });
const path = Type.String({ minLength: 1, maxLength: 1_000, allowed: "the path of a file" });
const variable = Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]{0,199}$", allowed: "the name of a variable" });
const uuid = Type.String({
  pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
  allowed: "a UUID",
});
const date = Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", allowed: "a date as YYYY-MM-DD" });
const names = visibleName(200);
const phoneNumber = Type.String({ pattern: "^\\+[0-9]{1,15}$", allowed: 'a number such as "+912212345678"' });

const organisation = table({
  name: names,
  ...partial({
    time_zone: text(100),
    callback_number: orNone(text(40)),
    recording_mode: orNone(oneOf(RECORDING_MODES)),
    plan: oneOf(PLAN_NAMES),
    unlimited_credits: Type.Boolean(),
  }),
});

/** The first person who can sign in. */
const owner = table({
  email: text(254),
  ...partial({ name: visibleName(100), password: text(200), password_file: path, password_env: variable }),
});

const branch = table({ name: names, ...partial({ id: uuid, time_zone: orNone(text(100)) }) });
const service = table({ name: names, ...partial({ id: uuid }) });

const { name: fieldName, type: fieldType, description, choices } = AnalysisFieldSchema.properties;
const { question, answer, language: answerLanguage } = ApprovedAnswerSchema.properties;

const agent = table({
  name: visibleName(100),
  ...partial({
    type: oneOf(["outbound", "inbound"]),
    language: text(40),
    voice: text(100),
    prompt: text(32_000),
    prompt_file: path,
    greeting: text(2_000),
    retry_attempts: Type.Integer({ minimum: 0, maximum: 10 }),
    retry_minutes: Type.Integer({ minimum: 1, maximum: 7 * 24 * 60 }),
    retry_outcomes: Type.Array(oneOf(RETRY_OUTCOMES), { maxItems: RETRY_OUTCOMES.length }),
    calling_hours: orNone(table(CallingHoursSchema.properties)),
    branch: orNone(names),
    service: orNone(names),
    transfer_to: orNone(text(200)),
    analysis_fields: Type.Array(table({ name: fieldName, type: fieldType, ...partial({ description, choices }) })),
    model_speech: oneOf(MODEL_SPEECHES),
    approved_answers: Type.Array(table({ question, answer, ...partial({ language: answerLanguage }) })),
    open_announcements: Type.Boolean(),
    recording_mode: orNone(oneOf(RECORDING_MODES)),
    purpose: oneOf(PURPOSES),
    purpose_reason: text(1_000),
    asks_consent_for: orNone(oneOf(PURPOSES)),
    dlt_entity_id: orNone(text(40)),
    dlt_template_id: orNone(text(40)),
    latest_minutes: orNone(Type.Integer({ minimum: 5, maximum: 7 * 24 * 60 })),
  }),
});

const { host: _host, from_domain: _domain, ...trunkFields } = TrunkFields;

const trunk = table({
  name: visibleName(60),
  // The trunk service reads more spellings of an address than the settings.
  host: text(255),
  ...partial({
    ...trunkFields,
    enabled: Type.Boolean(),
    username: orNone(TrunkFields.username),
    from_domain: orNone(text(255)),
    from_user: orNone(TrunkFields.from_user),
    caller_id: orNone(TrunkFields.caller_id),
    secret: orNone(TrunkFields.secret),
    secret_file: path,
    secret_env: variable,
    ca_file: orNone(path),
  }),
});

const number = table({
  number: phoneNumber,
  ...partial({
    agent: orNone(names),
    trunk: orNone(visibleName(60)),
    lines: Type.Integer({ minimum: 1, maximum: 10_000 }),
  }),
});

const { session, ai_slots, max_slots, start_time, end_time, batch_name, status } = CreateWindowSchema.properties;

/** A row for each of the days. */
const window = table({
  branch: names,
  service: Type.Optional(orNone(names)),
  days: Type.Array(oneOf(DAYS), { minItems: 1, maxItems: DAYS.length, uniqueItems: true }),
  session,
  ai_slots,
  max_slots,
  start_time,
  end_time,
  batch_name,
  status,
});

const { branch_id: _branch, appointment_type_id: _service, agent_id: _agent, ...ruleFields } = RuleSchema.properties;

const reminderRule = table({
  agent: names,
  ...partial({ branch: orNone(names), service: orNone(names), ...ruleFields }),
});

const closure = table({
  from: date,
  ...partial({
    to: date,
    name: visibleName(100),
    branches: Type.Array(names, { minItems: 1, maxItems: 200 }),
    otherwise: oneOf(CHOICES),
    agent: names,
  }),
});

/** In settings, `branch`, `default_branch` and `service` are names; the other fields are those of the API. */
const source = table({
  name: visibleName(60),
  kind: oneOf(SOURCE_KINDS),
  ...partial({
    settings: Type.Record(text(60), Type.Unknown(), { allowed: "a table" }),
    owns: Type.Array(oneOf(OWNED_PARTS), { maxItems: OWNED_PARTS.length }),
    enabled: Type.Boolean(),
  }),
});

/** One list, or a file with a number per line. */
const doNotDisturb = table(partial({ numbers: Type.Array(phoneNumber, { maxItems: 50_000 }), file: path }));

const endpoint = table({
  url: text(2_000),
  ...partial({
    description: text(200),
    event_types: Type.Union([Type.Array(text(100)), Type.Literal("all")], { allowed: 'a list of events, or "all"' }),
    signing: Type.Boolean(),
    secret_file: path,
  }),
});

const apiKey = table({
  name: visibleName(100),
  scopes: Type.Union([Type.Array(text(100)), Type.Literal("all")], { allowed: 'a list of scopes, or "all"' }),
  key_file: path,
  expires_at: Type.Optional(text(40)),
});

const ruleChange = table({ rule_id: text(100), value: Type.Unknown(), reason: Type.Optional(text(500)) });

export const FileSchema = table({
  organisation,
  owner: Type.Optional(owner),
  rules: list(ruleChange, 500),
  do_not_disturb: Type.Optional(doNotDisturb),
  branches: list(branch, 500),
  services: list(service, 1_000),
  trunks: list(trunk, 200),
  agents: list(agent, 500),
  phone_numbers: list(number, 1_000),
  windows: list(window, 2_000),
  reminder_rules: list(reminderRule, 200),
  closures: list(closure, 500),
  sources: list(source, 100),
  webhook_endpoints: list(endpoint, 200),
  api_keys: list(apiKey, 200),
});

export type ApplyFile = Static<typeof FileSchema>;
export type Row<K extends keyof ApplyFile> = NonNullable<ApplyFile[K]> extends (infer R)[] ? R : never;

/** In the order in which they are made: each may refer to those before it. */
export const KINDS = [
  "organisation",
  "owner",
  "rules",
  "do_not_disturb",
  "branches",
  "services",
  "trunks",
  "agents",
  "phone_numbers",
  "windows",
  "reminder_rules",
  "closures",
  "sources",
  "webhook_endpoints",
  "api_keys",
] as const satisfies readonly (keyof ApplyFile)[];
export type Kind = (typeof KINDS)[number];

/** Services of the calendar are never removed, because appointments name them. */
export const PRUNABLE = KINDS.filter((kind) => kind !== "organisation" && kind !== "owner" && kind !== "services");

/** "none" and null both mean that there is no value. */
export const orNull = <T>(value: T | "none" | null): T | null => (value === "none" ? null : value);
