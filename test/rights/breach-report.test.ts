// Breach report: whose data could be seen by whom between two moments, from the audit trail.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../src/core/actor.ts";
import { MINUTE_MS, toIso } from "../../src/core/clock.ts";
import { BREACH_COLUMNS, LIMITS, type BreachLine } from "../../src/rights/breach-report.ts";
import { breachText } from "../../src/rights/routes.ts";
import { NOT_ABOUT_PATIENTS, recordOf, WIDE_ACTIONS } from "../../src/rights/exposure.ts";
import { CONTACT_NUMBER, createHospital, type Hospital } from "../support/hospital.ts";
import { askAs, createRecords, PERSONAL } from "../support/personal-data.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

type Line = Record<(typeof BREACH_COLUMNS)[number], string>;

/** The report's lines by column, without the head and the limits. */
async function report(from: number, to: number, key?: string): Promise<Line[]> {
  const path = `/v1/breach-report?from=${toIso(from)}&to=${toIso(to)}`;
  const { status, text } = await hospital.request("GET", path, key === undefined ? {} : { key });
  expect(status).toBe(200);
  const lines = text.trimEnd().split("\r\n");
  expect(lines[0]).toBe(BREACH_COLUMNS.join(","));
  const rows = lines.slice(1).map((line) => line.split(","));
  return rows
    .filter(([who]) => who !== "")
    .map((cells) => Object.fromEntries(BREACH_COLUMNS.map((name, i) => [name, cells[i] ?? ""])) as Line);
}

test("names who saw which call of whom, when first and last, and how often", async () => {
  const callId = await hospital.schedule({ user_name: "=Kamala" });
  const from = hospital.clock.now();
  await hospital.view(callId);
  hospital.clock.jump(1_000);
  await hospital.view(callId);
  const to = hospital.clock.now() + 1;
  const reads = (await report(from, to)).filter(({ what }) => what === "call.read");
  expect(reads).toEqual([
    {
      who: "key",
      who_id: expect.stringMatching(/^key_/),
      who_name: expect.any(String),
      what: "call.read",
      record: "call",
      record_id: callId,
      // Harmless in a spreadsheet.
      contact_name: "'=Kamala",
      contact_number: CONTACT_NUMBER,
      first_at: toIso(from),
      last_at: toIso(to - 1),
      times: "2",
      people_shown: "1",
      note: "",
    },
  ]);
  expect((await report(to, to + 1_000)).filter(({ what }) => what === "call.read")).toEqual([]);
});

test("counts lists by how many they showed, and names the range of an export", async () => {
  await hospital.schedule();
  const from = hospital.clock.now();
  await hospital.request("GET", "/v1/calls");
  await hospital.request("GET", "/v1/calls");
  const { manyCalls } = hospital.app.services;
  const question = { created_from: toIso(from), search: "Kamala" };
  for await (const _ of manyCalls.pages(hospital.organisationId, question, { perPage: 10, most: 10 }, CLI_ACTOR));
  const lines = await report(from, from + 1_000);
  expect(lines.find(({ what }) => what === "call.listed")).toMatchObject({ times: "2", people_shown: "2" });
  const exported = lines.find(({ what }) => what === "call.exported");
  expect(exported?.who).toBe("cli");
  expect(JSON.stringify(exported)).toContain(`created_from ${toIso(from)}`);
  expect(JSON.stringify(exported)).not.toContain("Kamala");
});

test("includes reads that were noted together and are not yet in their place", async () => {
  const callId = await hospital.schedule();
  const from = hospital.clock.now();
  const { auditBatches } = hospital.app.services;
  const actor = { kind: "signed_link" as const, id: null };
  const note = { organisationId: hospital.organisationId, actor, action: "recording.read", subjectId: callId };
  await auditBatches.record(Array.from({ length: 20 }, () => ({ note, at: from })));
  expect(await report(from, from + 1)).toContainEqual(
    expect.objectContaining({ who: "signed_link", what: "recording.read", times: "20" }) as Line,
  );
});

test("says nothing about another organisation, leaves out the appliance itself, and needs its scope", async () => {
  const callId = await hospital.schedule();
  const from = hospital.clock.now();
  await hospital.view(callId);
  await hospital.db.write((tx) =>
    hospital.app.services.audit.record(tx, {
      organisationId: hospital.organisationId,
      actor: SYSTEM_ACTOR,
      action: "call.model_used",
      subjectId: callId,
    }),
  );
  expect((await report(from, from + 1_000)).map(({ who }) => who)).not.toContain("system");
  const { key } = await hospital.neighbour();
  expect((await report(from, from + 1_000, key)).filter(({ record_id }) => record_id === callId)).toEqual([]);
  const weak = await hospital.newKey(["calls:read"]);
  const path = `/v1/breach-report?from=${toIso(from)}&to=${toIso(from + 1)}`;
  expect((await hospital.request("GET", path, { key: weak })).status).toBe(403);
});

test("shows an erased call without the person, and ends with what the audit cannot know", async () => {
  const callId = await hospital.schedule();
  const from = hospital.clock.now();
  await hospital.view(callId);
  await hospital.db.write((tx) => tx.deleteFrom("calls").where("id", "=", callId).execute());
  const lines = await report(from, from + 1_000);
  expect(lines.find(({ record_id }) => record_id === callId)).toMatchObject({
    contact_number: "",
    note: "Erased since.",
  });
  const period = `from=${toIso(from)}&to=${toIso(from + 1)}`;
  const { text } = await hospital.request("GET", `/v1/breach-report?${period}`);
  for (const limit of LIMITS) expect(text).toContain(limit.split(",")[0] ?? "");
});

test("over a long audit trail comes in small pieces, gives way to other work, and counts every read once", async () => {
  const { db, organisationId, app, clock } = hospital;
  const from = clock.now();
  const [RECORDS, READS] = [1_500, 4];
  const recordId = (i: number) => `call_old${String(i).padStart(5, "0")}`;
  const entry = (i: number, read: number) => ({
    id: `aud_${i}_${read}`,
    organisation_id: organisationId,
    at: from + read,
    actor_kind: "person",
    actor_id: `psn_${read % 2}`,
    action: "call.read",
    subject_id: recordId(i),
    detail: "{}",
    request_id: null,
  });
  const entries = Array.from({ length: RECORDS * READS }, (_, i) => entry(i % RECORDS, Math.floor(i / RECORDS)));
  for (let at = 0; at < entries.length; at += 500)
    await db.write((tx) =>
      tx
        .insertInto("audit_entries")
        .values(entries.slice(at, at + 500))
        .execute(),
    );
  const period = { from: toIso(from), to: toIso(from + 1_000) };
  const chunks: string[] = [];
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  for await (const text of breachText(await app.services.breachReport.open(organisationId, period, CLI_ACTOR)))
    chunks.push(text);
  isOver = true;
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(40 * 1024);
  expect(turns).toBeGreaterThan(chunks.length / 2);
  const lines = chunks.join("").split("\r\n");
  const reads = lines.filter((line) => line.includes("call.read")).map((line) => line.split(","));
  const wanted = Array.from({ length: RECORDS }, (_, i) => [0, 1].map((who) => `${recordId(i)} psn_${who} 2`)).flat();
  expect(reads.map((cells) => `${cells[5]} ${cells[1]} ${cells[10]}`).toSorted()).toEqual(wanted.toSorted());
}, 180_000);

test.each([
  ["2026-11-15T00:00:00Z", "2026-11-14T00:00:00Z"],
  ["2026-11-15T00:00:00Z", "2028-11-14T00:00:00Z"],
  ["yesterday", "2026-11-14T00:00:00Z"],
])("from %s to %s is refused", async (from, to) => {
  expect((await hospital.request("GET", `/v1/breach-report?from=${from}&to=${to}`)).status).toBe(400);
});

test("every personal read of every route is in the report, with its person", async () => {
  const records = await createRecords();
  const { clinic } = records;
  const from = clinic.clock.now();
  for (const [route, { ask }] of Object.entries(PERSONAL)) {
    // A link that was read a moment ago is not audited again.
    clinic.clock.pass(10 * MINUTE_MS);
    await askAs(records, route.split(" ")[0] ?? "", ask(records));
  }
  await askAs(records, "GET", { path: `/v1/campaigns/${records.campaignId}/results` });
  await askAs(records, "POST", { path: "/v1/people/file", body: { contact_number: CONTACT_NUMBER } });
  const period = { from: toIso(from), to: toIso(clinic.clock.now() + 1) };
  const rows: BreachLine[] = [];
  for await (const slice of await clinic.app.services.breachReport.open(clinic.organisationId, period, CLI_ACTOR))
    rows.push(...slice);
  const lines = rows.map((cells) => Object.fromEntries(BREACH_COLUMNS.map((name, i) => [name, cells[i] ?? null])));
  const shown = new Set(lines.map(({ what }) => what));
  const actions = Object.values(PERSONAL).map(({ action }) => action);
  expect(actions.filter((action) => !shown.has(action) && !NOT_ABOUT_PATIENTS.includes(action))).toEqual([]);
  const ofPeople = lines.filter(({ record, record_id: id }) => record !== null && !/^(?:cmp|agt)_/.test(String(id)));
  const isRecord = ({ what }: (typeof lines)[number]) => typeof what === "string" && WIDE_ACTIONS[what] === undefined;
  const nameless = ofPeople
    .filter(isRecord)
    .filter(({ contact_name, contact_number }) => !contact_name && !contact_number);
  expect(nameless).toEqual([]);
  // A campaign's pages count its people; its export is one line.
  expect(lines.find(({ what }) => what === "campaign.read")).toMatchObject({ record: "list", people_shown: 2 });
  expect(lines.filter(({ what }) => what === "campaign.exported")).toHaveLength(1);
  const files = lines.filter(({ what, note }) => what === "contact.read" && String(note).includes("whole file"));
  expect(files).toMatchObject([{ contact_number: CONTACT_NUMBER, times: 1 }]);
  await clinic.close();
});

test("every audited read in the source is decided: a record, a list, an export, or not about patients", () => {
  const src = join(import.meta.dir, "../../src");
  const actions = new Set<string>();
  for (const file of new Bun.Glob("**/*.ts").scanSync(src)) {
    const text = readFileSync(join(src, file), "utf8");
    for (const [, action = ""] of text.matchAll(/"([a-z_]+\.(?:read|listed|exported|downloaded|list_checked))"/g))
      actions.add(action);
  }
  /** Their entries have the record as subject. */
  const ofRecords = [
    "call",
    "appointment",
    "recording",
    "transcript",
    "contact",
    "delivery",
    "received",
    "campaign",
    "consent",
  ];
  const undecided = [...actions].filter((action) => {
    const [thing = "", act] = action.split(".");
    const isOfRecord = act === "read" && ofRecords.includes(thing);
    return !isOfRecord && WIDE_ACTIONS[action] === undefined && !NOT_ABOUT_PATIENTS.includes(action);
  });
  expect(undecided).toEqual([]);
  expect([recordOf("call_1"), recordOf("agt_1"), recordOf("a".repeat(32))]).toEqual(["call", null, "person"]);
});
