// What a backup seals: the columns with data of patients, and whose they are. SQL about the row of the table, by the
// table's name. A test compares the columns with the classification of every column.
import type { Tables } from "../tables.ts";

export interface SealedTable {
  /** The first takes the sealed values of all. */
  columns: readonly [string, ...string[]];
  organisation?: string;
  /** The person's number; empty or null: the row names none. */
  number: string;
  /** Evaluated again at a restore, so it names no sealed column. */
  call?: string;
  /** Deleted at a restore if the person is erased; otherwise the row stays blank until the erasure is repeated. */
  goes?: true;
}

const numberOfCall = (id: string) => `(SELECT contact_number FROM calls WHERE id = ${id})`;
const numberOfSubject = (id: string) =>
  `coalesce(${numberOfCall(id)}, (SELECT contact_number FROM appointments WHERE id = ${id}))`;
const organisationOfCall = (id: string) => `(SELECT organisation_id FROM calls WHERE id = ${id})`;

const ofCall = (table: string, ...columns: readonly [string, ...string[]]): SealedTable => ({
  columns,
  organisation: organisationOfCall(`${table}.call_id`),
  number: numberOfCall(`${table}.call_id`),
  call: `${table}.call_id`,
});

const ofEvent = (event: string, column: string) => `(SELECT ${column} FROM events WHERE id = ${event})`;
const numberOfEvent = (event: string) =>
  "(SELECT coalesce(events.contact_number, calls.contact_number, appointments.contact_number) FROM events " +
  "LEFT JOIN calls ON calls.id = events.call_id LEFT JOIN appointments ON appointments.id = events.appointment_id " +
  `WHERE events.id = ${event})`;
const EVENT_OF_ATTEMPT = "(SELECT event_id FROM deliveries WHERE id = delivery_attempts.delivery_id)";
/** A response about a reserved slot names the reservation. */
const SUBJECT_OF_RESPONSE =
  "coalesce((SELECT call_id FROM slot_holds WHERE id = idempotency_keys.subject_id), idempotency_keys.subject_id)";

export const SEALED_TABLES: Readonly<Partial<Record<keyof Tables, SealedTable>>> = {
  calls: {
    columns: [
      "contact_number",
      "contact_name",
      "contact_email",
      "preferred_language",
      "contact_time_zone",
      "contact_region",
      "additional_info",
      "user_identifiers",
      "error_message",
    ],
    number: "calls.contact_number",
    call: "calls.id",
  },
  call_results: ofCall("call_results", "transcript", "analytics", "extracted_details"),
  call_legs: ofCall("call_legs", "leg"),
  call_lines: ofCall("call_lines", "trace", "media"),
  pending_analyses: ofCall("pending_analyses", "rules"),
  call_shares: { ...ofCall("call_shares", "token"), goes: true },
  single_shares: { ...ofCall("single_shares", "token"), goes: true },
  contacts: { columns: ["contact_number", "contact_name"], number: "contacts.contact_number", goes: true },
  contact_identifiers: {
    columns: ["value", "value_key", "number", "name"],
    number: `coalesce(nullif(contact_identifiers.number, ''), ${numberOfSubject("contact_identifiers.subject_id")})`,
    call: "contact_identifiers.subject_id",
    goes: true,
  },
  events: {
    columns: ["data", "contact_number"],
    number:
      `coalesce(events.contact_number, ${numberOfCall("events.call_id")}, ` +
      "(SELECT contact_number FROM appointments WHERE id = events.appointment_id))",
    call: "events.call_id",
  },
  delivery_attempts: {
    columns: ["detail", "response"],
    organisation: ofEvent(EVENT_OF_ATTEMPT, "organisation_id"),
    number: numberOfEvent(EVENT_OF_ATTEMPT),
    call: ofEvent(EVENT_OF_ATTEMPT, "call_id"),
  },
  demo_received: {
    columns: ["headers", "body"],
    number: numberOfEvent("demo_received.event_id"),
    call: ofEvent("demo_received.event_id", "call_id"),
  },
  appointments: {
    columns: [
      "contact_number",
      "contact_name",
      "contact_email",
      "contact_identifiers",
      "notes",
      "wish_text",
      "contact_time_zone",
      "contact_region",
    ],
    number: "appointments.contact_number",
    call: "appointments.call_id",
  },
  waiting_list: {
    columns: [
      "contact_number",
      "contact_name",
      "contact_email",
      "contact_identifiers",
      "notes",
      "contact_time_zone",
      "contact_region",
    ],
    number: "waiting_list.contact_number",
    call: "waiting_list.call_id",
  },
  campaign_rows: {
    columns: [
      "contact_number",
      "contact_name",
      "contact_email",
      "preferred_language",
      "additional_info",
      "contact_time_zone",
      "contact_region",
      "user_identifiers",
    ],
    organisation: "(SELECT organisation_id FROM campaigns WHERE id = campaign_rows.campaign_id)",
    number: "campaign_rows.contact_number",
    call: "campaign_rows.call_id",
  },
  contact_notes: { columns: ["contact_number", "text"], number: "contact_notes.contact_number" },
  worklist_items: {
    columns: ["detail"],
    number: numberOfSubject("worklist_items.subject_id"),
    call: "worklist_items.subject_id",
  },
  retention_holds: {
    columns: ["subject_key", "reason", "release_reason"],
    number:
      "CASE retention_holds.subject WHEN 'person' THEN retention_holds.subject_key " +
      `WHEN 'call' THEN ${numberOfCall("retention_holds.subject_key")} END`,
  },
  hl7_messages: {
    columns: ["sealed_message", "contact_number"],
    number: `coalesce(hl7_messages.contact_number, ${numberOfSubject("hl7_messages.appointment_id")})`,
  },
  idempotency_keys: {
    columns: ["response"],
    number: numberOfSubject(SUBJECT_OF_RESPONSE),
    call: SUBJECT_OF_RESPONSE,
    goes: true,
  },
  consents: { columns: ["contact_number", "reference"], number: "consents.contact_number" },
  consent_changes: {
    columns: ["reference"],
    organisation: "(SELECT organisation_id FROM consents WHERE id = consent_changes.consent_id)",
    number: "(SELECT contact_number FROM consents WHERE id = consent_changes.consent_id)",
  },
  registry_results: { columns: ["number"], number: "registry_results.number", goes: true },
};

/** Personal columns that are not sealed, and why. */
export const UNSEALED_COLUMNS: Readonly<Record<string, string>> = {
  "calls.recording_file": "A random name, by which a backup lists the file; the file is sealed.",
  "call_lines.capture_file": "A random name, by which a backup lists the file; the file is sealed.",
  "do_not_disturb.number": "The wish outlives the erasure of the person, in the database, too.",
  "do_not_disturb_changes.number": "As do_not_disturb.number.",
  "do_not_disturb_changes.reference": "As do_not_disturb.number.",
  "person_keys.contact_number": "No row of this table is in a backup.",
  "person_keys.sealing_key": "No row of this table is in a backup.",
};

/** Values of columns that must be JSON; all other columns that may not be null get a text of their own. */
export const BLANK_JSON: Readonly<Record<string, string>> = {
  "events.data": "{}",
  "call_legs.leg": "{}",
  "call_lines.trace": "[]",
  "pending_analyses.rules": "{}",
  "demo_received.headers": "[]",
};

/** Hold the person's number, or what stands for it while the erasure is repeated. */
export const NUMBER_COLUMNS: readonly string[] = ["contact_number", "number", "subject_key"];
