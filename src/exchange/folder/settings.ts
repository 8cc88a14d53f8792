// Settings of a source of kind folder: where its files arrive, what they list, and what their columns mean.
import { Type, type Static } from "@sinclair/typebox";
import { APPOINTMENT_STATUSES } from "../../calendar/appointment-state.ts";
import { nullable, oneOf, STRICT } from "../../core/schema.ts";
import { MOST_PER_MINUTE } from "../../campaigns/model.ts";

const MOST_CODES = 1_000;
const MOST_COLUMNS_MAPPED = 60;
const strict = { [STRICT]: true, additionalProperties: false } as const;
const code = () => Type.String({ minLength: 1, maxLength: 200 });
const uuid = (description: string) =>
  Type.String({
    maxLength: 36,
    pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
    description,
    allowed: "a UUID",
  });

export const LISTS = ["complete", "changes", "people"] as const;
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];
export const DEFAULT_CANCEL_PERCENT = 20;
export const DEFAULT_SETTLE_SECONDS = 10;
export const DEFAULT_KEEP_DAYS = 30;

/** Fields of an appointment that a column may hold. */
export const APPOINTMENT_COLUMNS = [
  "external_id",
  "date",
  "time",
  "ends_at",
  "status",
  "changed_at",
  "branch",
  "service",
  "practitioner",
  "practitioner_id",
  "name",
  "number",
  "email",
  "notes",
] as const;
/** The same of a person to call, besides the placeholders of the agent, as `info.NAME`. */
export const PERSON_COLUMNS = ["number", "name", "email", "language", "time_zone", "region"] as const;
/** Systems of identifiers, in both. */
export const IDENTIFIER_COLUMNS = ["mrn", "abha", "abha_address"] as const;

export const FolderSettingsSchema = Type.Object(
  {
    folder: Type.String({
      pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$",
      description: "Name of the folder, below `folders.root` and the organisation's id.",
      allowed: "1 to 63 letters, digits, dashes or underscores, beginning with a letter or digit",
    }),
    list: oneOf(LISTS, {
      description:
        "`complete`: appointments that a list lacks, between its first and last date, are cancelled. `changes`: only " +
        "the listed appointments change. `people`: each file becomes a campaign.",
    }),
    columns: Type.Optional(
      nullable(
        Type.Record(Type.String({ maxLength: 70 }), Type.String({ minLength: 1, maxLength: 200 }), {
          maxProperties: MOST_COLUMNS_MAPPED,
          description:
            "Field → heading of its column, or its letter where there are no headings. Null: not mapped yet.",
        }),
      ),
    ),
    has_headings: Type.Optional(Type.Boolean({ default: true })),
    date_order: Type.Optional(oneOf(DATE_ORDERS, { description: "Of dates such as 03/04/2026.", default: "dmy" })),
    time_zone: Type.Optional(
      nullable(Type.String({ maxLength: 64, description: "Of the times; the organisation's where it is null." })),
    ),
    country: Type.Optional(
      nullable(oneOf(["IN", "US"], { description: "Country of numbers that are written without their code." })),
    ),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        description: "Length of an appointment without an end.",
        default: 30,
      }),
    ),
    default_branch_id: Type.Optional(nullable(uuid("Branch of rows without one."))),
    branches: Type.Optional(
      Type.Array(Type.Object({ code: code(), branch_id: uuid("Branch of this word.") }, strict), {
        maxItems: MOST_CODES,
        description: "Words of the branch column, besides the ids and names of the branches.",
      }),
    ),
    services: Type.Optional(
      Type.Array(Type.Object({ code: code(), appointment_type_id: uuid("Service of this word.") }, strict), {
        maxItems: MOST_CODES,
        description: "The same of the services.",
      }),
    ),
    statuses: Type.Optional(
      Type.Array(Type.Object({ code: code(), status: oneOf(APPOINTMENT_STATUSES) }, strict), {
        maxItems: 50,
        description: "Words of the status column, besides the usual English ones.",
      }),
    ),
    max_cancel_percent: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: "A complete list that would cancel a larger share waits for a person.",
        default: DEFAULT_CANCEL_PERCENT,
      }),
    ),
    covers_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_650,
        description: "A complete list covers today and this many days; without it, its first to its last date.",
      }),
    ),
    agent_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "The agent that calls people." })),
    calls_per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_PER_MINUTE })),
    settle_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_600,
        description: "A file is read after it has not changed for this long.",
        default: DEFAULT_SETTLE_SECONDS,
      }),
    ),
    keep_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_650,
        description: "Read files are deleted from `done` and `faulty` after this many days. 0: never.",
        default: DEFAULT_KEEP_DAYS,
      }),
    ),
  },
  strict,
);
export type FolderSettings = Static<typeof FolderSettingsSchema>;

/** A source, with what is needed to read its files. */
export interface FolderSource {
  id: string;
  organisationId: string;
  settings: FolderSettings;
}

/** Whether its columns are mapped, so that its files can be read. */
export const isMapped = ({ list, columns }: FolderSettings): boolean =>
  columns !== undefined && columns !== null && REQUIRED[list].every((field) => Object.hasOwn(columns, field));

/** Fields without which no row of the list can be read. */
export const REQUIRED: Readonly<Record<FolderSettings["list"], readonly string[]>> = {
  complete: ["external_id", "date"],
  changes: ["external_id"],
  people: ["number"],
};
