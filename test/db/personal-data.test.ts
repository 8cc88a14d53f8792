// No personal data is forgotten: every column is declared as personal or not, a room erases every personal one, and
// after an erasure none contains a word of the person.
import { afterEach, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../src/core/actor.ts";
import { keepLeg } from "../../src/calls/life/leg-store.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import type { Connection } from "../../src/db/sqlite/connection.ts";
import { campaignMeaning, personMeaning } from "../../src/campaigns/records.ts";
import { migrate } from "../../src/db/sqlite/migrate.ts";
import { ERASERS } from "../../src/compose/erasers.ts";
import { LEFT_OUT, partsOf, SECTIONS, slicesOf } from "../../src/rights/person-file-store.ts";
import { FILE_NAMES, readable } from "../../src/rights/person-file-text.ts";
import { CONTACT_NUMBER } from "../support/hospital.ts";
import { campaignRow, listedRow } from "../support/campaign-rows.ts";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { refusedMessage } from "../support/hl7-rows.ts";
import { lineRow } from "../support/line-data.ts";
import { settle } from "../support/manual-clock.ts";
import { COLUMNS, KEPT, PATIENT_COLUMNS, wordsOf } from "../support/personal-columns.ts";
import { fileOf } from "../support/temp.ts";

const MARK = "unmistakable";

/** Tables of the person's file. */
const FILED: ReadonlySet<string> = new Set(
  SECTIONS.flatMap(({ table, parts }) => [table, ...parts.map((part) => part.table)]),
);

let clinic: Clinic | undefined;
afterEach(async () => {
  await clinic?.close();
  clinic = undefined;
});

function schema(): Record<string, string[]> {
  const connection = new Sqlite(":memory:");
  try {
    migrate(connection);
    const tables = connection
      // Without the trigram index, which stores no text of its own.
      .prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .pluck()
      .all() as string[];
    const columnsOf = (table: string) => connection.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(table);
    return Object.fromEntries(tables.map((table) => [table, (columnsOf(table) as string[]).toSorted()]));
  } finally {
    connection.close();
  }
}

test("every column of the schema is declared as personal or not, once", () => {
  const declared = Object.entries(COLUMNS).map(([table, { patient, kept, staff, nobody }]) => [
    table,
    [patient, kept, staff, nobody].flatMap(wordsOf).toSorted(),
  ]);
  expect(Object.fromEntries(declared)).toEqual(schema());
});

test("every table with personal data has one room that erases it, and no eraser is unused", () => {
  const erased = ERASERS.flatMap(({ tables }) => [...tables]);
  expect(erased.toSorted() as string[]).toEqual([...PATIENT_COLUMNS.keys()].toSorted());
});

test("personal data that stays has a reason", () => {
  const kept = Object.entries(COLUMNS).filter(([, columns]) => columns.kept !== undefined);
  expect(kept.map(([table]) => table)).toEqual(Object.keys(KEPT));
});

/** Rows of other kinds in the same table, without personal data. */
const ONLY: Readonly<Record<string, string>> = { events: "WHERE call_id IS NOT NULL OR appointment_id IS NOT NULL" };

/** Maintained by triggers: they contain the mark once their source does. */
const MADE_OF_OTHERS = ["contacts"];

/** One person has one number everywhere. */
const markOf = (table: string, column: string): string =>
  column === "contact_number" || column === "subject_key" ? "number" : `${table}.${column}`;

const valueOf = (column: string, mark: string): string =>
  column.endsWith("_identifiers") ? `[{"system":"mrn","value":"${MARK} ${mark}"}]` : `"${MARK} ${mark}"`;

/** Writes the mark into every personal column. Returns the tables without a row. */
function mark(connection: Connection): string[] {
  const own = [...PATIENT_COLUMNS].filter(([table]) => !MADE_OF_OTHERS.includes(table));
  return own.flatMap(([table, columns]) => {
    const changes = columns.map((column) => `${column} = '${valueOf(column, markOf(table, column))}'`).join(", ");
    return connection.prepare(`UPDATE ${table} SET ${changes} ${ONLY[table] ?? ""}`).run().changes > 0 ? [] : [table];
  });
}

/** The personal columns that still contain it. */
function marked(connection: Connection): string[] {
  return [...PATIENT_COLUMNS].flatMap(([table, columns]) =>
    columns
      .filter((column) => connection.prepare(`SELECT 1 FROM ${table} WHERE ${column} LIKE '%${MARK}%'`).get())
      .map((column) => `${table}.${column}`),
  );
}

function inFile<T>({ db }: Clinic, work: (connection: Connection) => T): T {
  const connection = new Sqlite(fileOf(db));
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** A call with everything that it can leave behind, and an appointment; made in the call if `isMadeInCall`. */
async function createTraces(isMadeInCall: boolean): Promise<string> {
  clinic = await createClinic();
  const { app, db, carrier, clock, organisationId } = clinic;
  await app.start();
  await app.services.shares.configure(organisationId, { enabled: true }, CLI_ACTOR);
  const answer = await clinic.post(
    { user_name: "Kamala", user_identifiers: [{ system: "mrn", value: "4711" }] },
    { headers: { "idempotency-key": "visit" } },
  );
  const callId = answer.json.data["call_id"]!;
  await clock.advance(15_000);
  carrier.talk(callId);
  await settle();
  await app.services.shares.tokenFor(organisationId, callId);
  const { appointment_id } = await clinic.book(on(await clinic.createWindow(), MONDAY), {
    contact_name: "Kamala",
    contact_identifiers: [{ system: "mrn", value: "4711" }],
  });
  const author = await app.services.people.create(
    organisationId,
    { email: "nurse@example.test", name: "Nurse", role: "staff", password: "correct horse battery" },
    CLI_ACTOR,
  );
  // A finished waiting-list entry; in the call if it was requested there.
  const { waitingList } = app.services;
  const wish = { branch_id: BRANCH, contact_name: "Kamala", contact_number: "+919810012345" };
  const { waiting_id } = await waitingList.add(organisationId, wish, "dashboard", CLI_ACTOR);
  await waitingList.remove(organisationId, waiting_id, CLI_ACTOR);
  const { source_id } = await app.services.sources.create(organisationId, { name: "HIS", kind: "api" }, CLI_ACTOR);
  await db.write(async (tx) => {
    // The state after a crash: otherwise it is gone at the call's end.
    await keepLeg(tx, { call_id: callId, leg: "{}", kept_at: clock.now() });
    await tx.insertInto("call_lines").values(lineRow(callId)).execute();
    // The state between the end of a call and its analysis.
    await tx
      .insertInto("pending_analyses")
      .values({ call_id: callId, deadline_at: clock.now() + 1_000, rules: "{}" })
      .execute();
    const item = { id: "wrk_1", organisation_id: organisationId, kind: "person_wanted", subject_id: callId };
    await tx
      .insertInto("worklist_items")
      .values({ ...item, detail: "person_wanted", created_at: clock.now(), done_at: null, done_by: null })
      .execute();
    await tx
      .insertInto("contact_notes")
      .values({
        id: "note_1",
        organisation_id: organisationId,
        contact_number: CONTACT_NUMBER,
        text: "Hard of hearing.",
        person_id: author.person_id,
        created_at: clock.now(),
      })
      .execute();
    await tx
      .insertInto("campaigns")
      .values(campaignMeaning.write(campaignRow({ organisation_id: organisationId, agent_id: clinic!.agentId })))
      .execute();
    await tx
      .insertInto("campaign_rows")
      .values(personMeaning.write(listedRow({ call_id: callId })))
      .execute();
    await tx
      .insertInto("retention_holds")
      .values({
        id: "rth_1",
        organisation_id: organisationId,
        subject: "person",
        subject_key: CONTACT_NUMBER,
        reason: "A case about Kamala.",
        created_at: clock.now(),
        actor_kind: "cli",
        actor_id: null,
        until_at: null,
        released_at: clock.now(),
        released_by_kind: "cli",
        released_by_id: null,
        release_reason: "The case about Kamala ended.",
      })
      .execute();
    await tx
      .insertInto("hl7_messages")
      .values(refusedMessage(organisationId, source_id, clock.now()))
      .execute();
    await tx
      .insertInto("person_keys")
      .values({ id: "1", organisation_id: organisationId, contact_number: CONTACT_NUMBER, sealing_key: "key" })
      .execute();
    await tx
      .insertInto("single_shares")
      .values({ call_id: callId, organisation_id: organisationId, token: "key", created_at: 1, expires_at: 2 })
      .execute();
    if (isMadeInCall) {
      await tx.updateTable("waiting_list").set({ call_id: callId }).where("id", "=", waiting_id).execute();
      await tx.updateTable("appointments").set({ call_id: callId }).where("id", "=", appointment_id).execute();
    }
    const deliveries = await tx
      .selectFrom("deliveries")
      .innerJoin("events", "events.id", "deliveries.event_id")
      .select(["deliveries.id", "event_id"])
      .where((eb) => eb.or([eb("events.call_id", "=", callId), eb("events.appointment_id", "=", appointment_id)]))
      .execute();
    for (const { id, event_id } of deliveries) {
      const received = { organisation_id: organisationId, event_id, received_at: 1, verdict: "verified" } as const;
      await tx
        .insertInto("demo_received")
        .values({ ...received, headers: "[]", body: "{}" })
        .execute();
      const attempt = { at: 1, duration_ms: 5, status: 500, outcome: "refused", detail: "", response: "" } as const;
      await tx
        .insertInto("delivery_attempts")
        .values({ ...attempt, delivery_id: id })
        .execute();
    }
  });
  expect(inFile(clinic, mark)).toEqual([]);
  expect(inFile(clinic, marked)).toHaveLength([...PATIENT_COLUMNS.values()].flat().length);
  return callId;
}

test("an erased call leaves nothing in any personal column of any table", async () => {
  const callId = await createTraces(true);
  expect((await clinic!.request("DELETE", `/v1/calls/${callId}`)).status).toBe(200);
  expect(inFile(clinic!, marked)).toEqual([]);
});

test("data past its retention leaves nothing either, including an appointment made without a call", async () => {
  await createTraces(false);
  const { erasure } = clinic!.app.services;
  await erasure.enforceRetention(1, SYSTEM_ACTOR, clinic!.clock.now() + 30 * DAY_MS);
  expect(inFile(clinic!, marked)).toEqual([]);
});

test("everything about a person is in their file, or is left out for a reason", async () => {
  const missing = Object.entries(COLUMNS)
    .filter(([, { patient, kept }]) => patient !== undefined || kept !== undefined)
    .map(([table]) => table as keyof typeof COLUMNS)
    .filter((table) => !FILED.has(table) && LEFT_OUT[table] === undefined);
  expect(missing).toEqual([]);
  expect(Object.keys(LEFT_OUT).filter((table) => FILED.has(table) || !PATIENT_COLUMNS.has(table))).toEqual([]);
});

test("every personal column of a person is a value in the file", async () => {
  await createTraces(true);
  const { organisationId, db } = clinic!;
  const number = `"${MARK} number"`;
  const keys = { organisationId, number, contactId: "none" };
  const found: string[] = [];
  for (const section of SECTIONS) {
    for await (const rows of slicesOf(db.heavy, section, keys, 1)) {
      found.push(JSON.stringify(rows.map(readable)));
      const ids = rows.map((row) => String(row[section.id]));
      for (const part of section.parts) found.push(JSON.stringify((await partsOf(db.heavy, part, ids)).map(readable)));
    }
  }
  const text = found.join();
  const wanted = [...PATIENT_COLUMNS].flatMap(([table, columns]) =>
    LEFT_OUT[table as keyof typeof COLUMNS] === undefined
      ? columns.filter((column) => !FILE_NAMES.includes(column)).map((column) => `${MARK} ${markOf(table, column)}`)
      : [],
  );
  expect(wanted.filter((mark) => !text.includes(mark))).toEqual([]);
});
