// Which audit entries show personal data, and how much of it.

/**
 * `record`: one record with a person's data. `list`: a page of a list or a search, of which only the number of people
 * is recorded. `export`: a file. `everything`: the whole database.
 */
export type Exposure = "record" | "list" | "export" | "everything";

/** Kinds of records that are about a person, by the prefix of their id. */
export const RECORDS: Readonly<Record<string, string>> = {
  call: "call",
  apt: "appointment",
  wtl: "waiting-list entry",
  cmp: "campaign list",
  note: "note",
  dlv: "webhook delivery",
  evt: "event",
  rmd: "reminder",
  cns: "consent",
  rth: "retention hold",
  gone: "erased person",
};

/** A contact id: 32 hexadecimal digits. */
const CONTACT = /^[0-9a-f]{32}$/;

export function recordOf(subjectId: string): string | null {
  if (CONTACT.test(subjectId)) return "person";
  return RECORDS[subjectId.split("_")[0] ?? ""] ?? null;
}

/** Actions that show more than one record, by what they show. Other actions show the record that is their subject. */
export const WIDE_ACTIONS: Readonly<Record<string, Exclude<Exposure, "record">>> = {
  "call.listed": "list",
  "call.exported": "export",
  "contact.listed": "list",
  "appointment.listed": "list",
  "waiting.listed": "list",
  "reminder.listed": "list",
  "worklist.read": "list",
  "do_not_disturb.read": "list",
  "do_not_disturb.exported": "export",
  "consent.listed": "list",
  "registry.read": "list",
  "registry.exported": "export",
  "consent.exported": "export",
  "retention_hold.listed": "list",
  "campaign.list_checked": "list",
  "campaign.exported": "export",
  "campaign.read": "list",
  // Whether the numbers that were sent along may be called.
  "campaign.dry_run": "list",
  "call.dry_run": "list",
  "calendar_feed.read": "list",
  // Who was seen by whom, with name and number.
  "audit.breach_report": "export",
  "backup.downloaded": "everything",
};

/** Reads and exports of other things: accounts of staff, and the audit trail, which holds no personal data. */
export const NOT_ABOUT_PATIENTS: readonly string[] = [
  "person.listed",
  "person.created",
  "audit.exported",
  "audit.listed",
];
