// Consents over the API: recorded, withdrawn, listed, audited, published and erased.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS, toIso } from "../../../src/core/clock.ts";
import { consentFor } from "../../../src/rules/consent/consent-store.ts";
import type { ConsentView, ConsentWithHistory } from "../../../src/rules/consent/model.ts";
import type { ListedGrant } from "../../../src/rules/consent/listed.ts";
import type { Purpose } from "../../../src/payloads/lawful.ts";
import { createHospital, outcome, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

const NUMBER = "+919810012345";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

const post = (body: object, path = "/v1/consents", options = {}) =>
  hospital.request("POST", path, { body: { contact_number: NUMBER, ...body }, ...options });
const WRITTEN = { purpose: "promotional", basis: "written" };

async function granted(body: object = {}): Promise<ConsentView> {
  const answer = await post({ ...WRITTEN, ...body });
  expect(answer.status).toBe(201);
  return answer.json.data as unknown as ConsentView;
}

const withHistory = async (id: string) =>
  (await hospital.request("GET", `/v1/consents/${id}`)).json.data as unknown as ConsentWithHistory;
const inForce = (purpose: Purpose = "promotional") =>
  consentFor(hospital.db.reader, hospital.organisationId, NUMBER, purpose, hospital.clock.now());
const list = async (query: string) =>
  (await hospital.request("GET", `/v1/consents${query}`)).json as unknown as {
    data: ConsentView[];
    next_cursor: string | null;
  };
const published = async () => {
  await settle();
  const rows = await hospital.db.reader.selectFrom("events").selectAll().orderBy("id").execute();
  return rows.map(({ type, data }) => ({ type, ...(JSON.parse(data) as object) }));
};
const blocked = () => hospital.db.reader.selectFrom("do_not_disturb").select(["number", "source", "call_id"]).execute();

test("a consent is recorded with basis, source, time and author, and is in force at once", async () => {
  const agreed = toIso(hospital.clock.now() - 40 * DAY_MS);
  const until = toIso(hospital.clock.now() + DAY_MS);
  const consent = await granted({ granted_at: agreed, until, reference: "Form 7" });
  expect(consent).toMatchObject({
    contact_number: NUMBER,
    ...WRITTEN,
    status: "active",
    source: "api",
    reference: "Form 7",
    call_id: null,
    granted_at: agreed,
    until,
    withdrawn_at: null,
    recorded_by: { kind: "key" },
  });
  expect(await inForce()).toEqual({ id: consent.consent_id });
  await hospital.clock.advance(DAY_MS);
  expect(await inForce()).toBeNull();
  expect((await withHistory(consent.consent_id)).status).toBe("expired");
});

test("a withdrawn consent is no longer in force, and its history shows every change", async () => {
  const { consent_id } = await granted();
  const withdrawn = await hospital.request("POST", `/v1/consents/${consent_id}/withdraw`);
  expect(withdrawn.json.data).toMatchObject({ status: "withdrawn", withdrawn_at: toIso(hospital.clock.now()) });
  expect(await inForce()).toBeNull();
  // Again: nothing changes.
  expect((await hospital.request("POST", `/v1/consents/${consent_id}/withdraw`)).status).toBe(200);
  await hospital.clock.advance(1_000);
  expect((await granted({ basis: "electronic" })).consent_id).toBe(consent_id);
  const { history, status } = await withHistory(consent_id);
  expect(status).toBe("active");
  expect(history.map(({ change, basis, source }) => [change, basis, source])).toEqual([
    ["granted", "electronic", "api"],
    ["withdrawn", null, "api"],
    ["granted", "written", "api"],
  ]);
  expect(await blocked()).toEqual([]);
});

test("an old date does not bring back a consent that was withdrawn later", async () => {
  const { consent_id } = await granted();
  await hospital.request("POST", `/v1/consents/${consent_id}/withdraw`);
  const old = await post({ ...WRITTEN, granted_at: toIso(hospital.clock.now() - DAY_MS) });
  expect(outcome(old)).toBe("409 CONFLICT");
  expect(await inForce()).toBeNull();
});

test("everything is withdrawn together, and the number goes onto the do-not-disturb list with its source", async () => {
  const [one, other] = [await granted(), await granted({ purpose: "service", basis: "treatment" })];
  const answer = await post({ reference: "Letter" }, "/v1/consents/withdraw");
  const data = answer.json.data as unknown as { withdrawn: string[]; do_not_disturb: boolean };
  expect(data.withdrawn.toSorted()).toEqual([one.consent_id, other.consent_id].toSorted());
  expect(data.do_not_disturb).toBeTrue();
  expect(await blocked()).toEqual([{ number: NUMBER, source: "api", call_id: null }]);
  expect([await inForce(), await inForce("service")]).toEqual([null, null]);
  // A new consent does not take the number off the list.
  await granted();
  expect(await blocked()).toHaveLength(1);
});

test("a number on the do-not-disturb list loses its consents, however it came there", async () => {
  const { doNotDisturb } = hospital.app.services;
  await granted();
  await doNotDisturb.add(hospital.organisationId, NUMBER, CLI_ACTOR);
  expect(await inForce()).toBeNull();
  await doNotDisturb.remove(hospital.organisationId, NUMBER, CLI_ACTOR);
  expect(await inForce()).toBeNull();
  await granted();
  await doNotDisturb.addMany(hospital.organisationId, [NUMBER, "+919810012346"], CLI_ACTOR);
  expect(await inForce()).toBeNull();
  expect((await blocked()).map(({ source }) => source)).toEqual(["list", "list"]);
});

test("each change of the do-not-disturb list is kept, with its source and author", async () => {
  const { doNotDisturb, erasure } = hospital.app.services;
  const changes = async () =>
    (await doNotDisturb.changesOf(hospital.organisationId, NUMBER)).map(({ change, source, reference, actor_kind }) => [
      change,
      source,
      reference,
      actor_kind,
    ]);
  await post({ reference: "Letter" }, "/v1/consents/withdraw");
  // Listed already: no change.
  await doNotDisturb.add(hospital.organisationId, NUMBER, CLI_ACTOR);
  await doNotDisturb.remove(hospital.organisationId, NUMBER, CLI_ACTOR);
  await doNotDisturb.addMany(hospital.organisationId, [NUMBER, "+919810012346"], CLI_ACTOR);
  const before = [
    ["added", "list", null, "cli"],
    ["removed", "cli", null, "cli"],
    ["added", "api", "Letter", "key"],
  ];
  expect(await changes()).toEqual(before);
  // The entry outlives the person's data, and so does what put it there.
  await erasure.eraseContact(hospital.organisationId, NUMBER, CLI_ACTOR);
  expect(await changes()).toEqual(before.slice(0, 1));
  await doNotDisturb.remove(hospital.organisationId, NUMBER, CLI_ACTOR);
  await erasure.eraseContact(hospital.organisationId, NUMBER, CLI_ACTOR);
  expect(await changes()).toEqual([]);
  expect(await doNotDisturb.changesOf(hospital.organisationId, "+919810012346")).toHaveLength(1);
});

test("a person who has never agreed can refuse a purpose", async () => {
  const answer = await post({ purpose: "service" }, "/v1/consents/withdraw");
  const [id] = (answer.json.data as unknown as { withdrawn: string[] }).withdrawn;
  const consent = await withHistory(id!);
  expect(consent).toMatchObject({ status: "withdrawn", basis: null, granted_at: null });
  expect(consent.history.map(({ change }) => change)).toEqual(["withdrawn"]);
  expect(await blocked()).toEqual([]);
});

test.each<[string, object, string]>([
  ["a number with spaces", { contact_number: "+91 98100 12345" }, "422 INVALID_PHONE_NUMBER"],
  ["a number without a country code", { contact_number: "9810012345" }, "422 INVALID_PHONE_NUMBER"],
  ["a number of another country", { contact_number: "+4930123456" }, "422 UNSUPPORTED_COUNTRY"],
  ["an unknown purpose", { purpose: "billing" }, "400 VALIDATION_ERROR"],
  ["an unknown basis", { basis: "hope" }, "400 VALIDATION_ERROR"],
  ["treatment as the basis of promotion", { basis: "treatment" }, "400 VALIDATION_ERROR"],
  ["a consent from the future", { granted_at: "2099-01-01T00:00:00Z" }, "400 VALIDATION_ERROR"],
  ["an end in the past", { until: "2020-01-01T00:00:00Z" }, "400 VALIDATION_ERROR"],
  ["a date without a time", { granted_at: "2026-01-01" }, "400 VALIDATION_ERROR"],
  ["a long reference", { reference: "x".repeat(201) }, "400 VALIDATION_ERROR"],
])("%s is rejected", async (_, change, expected) => {
  expect(outcome(await post({ ...WRITTEN, ...change }))).toBe(expected);
  expect((await list("")).data).toEqual([]);
});

test("a consent given by a clock a few minutes ahead of ours holds from now on", async () => {
  const consent = await granted({ granted_at: toIso(hospital.clock.now() + 60_000) });
  expect(consent.granted_at).toBe(toIso(hospital.clock.now()));
  expect(await inForce()).not.toBeNull();
});

test("the list is filtered and paged, and exported as CSV", async () => {
  const numbers = Array.from({ length: 5 }, (_, i) => `+91981001234${i}`);
  for (const contact_number of numbers) {
    await granted({ contact_number, reference: "=1+1" });
    await hospital.clock.advance(1_000);
  }
  await post({ contact_number: numbers[0] }, "/v1/consents/withdraw");
  expect((await list(`?contact_number=${encodeURIComponent(numbers[1]!)}`)).data).toHaveLength(1);
  expect((await list("?status=withdrawn")).data.map(({ contact_number }) => contact_number)).toEqual([numbers[0]!]);
  expect((await list("?status=active&purpose=promotional")).data).toHaveLength(4);
  expect((await list("?purpose=service")).data).toEqual([]);
  const first = await list("?limit=3");
  const second = await list(`?limit=3&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data].map(({ contact_number }) => contact_number)).toEqual(numbers.toReversed());
  const file = await hospital.request("GET", "/v1/consents", { headers: { accept: "text/csv" } });
  expect(file.headers.get("content-type")).toStartWith("text/csv");
  expect(file.text.trim().split("\r\n")).toHaveLength(6);
  expect(file.text).toContain("'=1+1");
});

test("the export shows the newest withdrawal beside the grant: when, whence, by whom", async () => {
  const { consents } = hospital.app.services;
  const withdraw = { contact_number: NUMBER, purpose: "promotional", reference: "Letter" } as const;
  const { consent_id, recorded_by } = await granted({ reference: "Form 7" });
  await post({ purpose: "promotional", reference: "First letter" }, "/v1/consents/withdraw");
  await hospital.clock.advance(1_000);
  await granted({ reference: "Form 7" });
  await hospital.clock.advance(1_000);
  await consents.withdrawFor(hospital.organisationId, withdraw, CLI_ACTOR);
  const at = toIso(hospital.clock.now());
  await granted({ contact_number: "+919810012346" });
  const { text } = await hospital.request("GET", "/v1/consents", { headers: { accept: "text/csv" } });
  const [heading = [], ...lines] = text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  const rows = lines.map((cells) => Object.fromEntries(heading.map((name, i) => [name, cells[i]])));
  expect(rows.find((row) => row["consent_id"] === consent_id)).toMatchObject({
    status: "withdrawn",
    source: "api",
    reference: "Form 7",
    recorded_by: recorded_by.id,
    withdrawn_at: at,
    withdrawn_source: "cli",
    withdrawn_reference: "Letter",
    withdrawn_call_id: "",
    withdrawn_by: "cli",
  });
  expect(rows.find((row) => row["status"] === "active")).toMatchObject({ withdrawn_source: "", withdrawn_by: "" });
});

test("another organisation sees and changes nothing", async () => {
  const { key } = await hospital.neighbour();
  const { consent_id } = await granted();
  const other = { key };
  expect(outcome(await hospital.request("GET", `/v1/consents/${consent_id}`, other))).toBe("404 NOT_FOUND");
  expect(outcome(await hospital.request("POST", `/v1/consents/${consent_id}/withdraw`, other))).toBe("404 NOT_FOUND");
  expect((await hospital.request("GET", "/v1/consents", other)).json.data).toEqual([] as never);
  expect((await post({}, "/v1/consents/withdraw", other)).status).toBe(200);
  expect(await inForce()).toEqual({ id: consent_id });
});

test("a key needs the scopes of consents", async () => {
  const key = await hospital.newKey(["consents:read"]);
  expect(outcome(await post(WRITTEN, "/v1/consents", { key }))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await post({}, "/v1/consents/withdraw", { key }))).toBe("403 INSUFFICIENT_SCOPE");
  expect((await hospital.request("GET", "/v1/consents", { key })).status).toBe(200);
  const without = { key: await hospital.newKey(["calls:create", "calls:read"]) };
  expect(outcome(await hospital.request("GET", "/v1/consents", without))).toBe("403 INSUFFICIENT_SCOPE");
});

test("changes and reads are audited, and changes are published in order", async () => {
  await hospital.subscribe();
  const { consent_id } = await granted({ reference: "Form 7" });
  await withHistory(consent_id);
  await list("");
  await hospital.request("GET", "/v1/consents", { headers: { accept: "text/csv" } });
  await post({}, "/v1/consents/withdraw");
  await hospital.app.services.auditBatches.inPlace();
  const actions = (await hospital.actionsOnRecord()).filter((action) => /^(consent|do_not_disturb)/.test(action));
  expect(actions).toEqual([
    "consent.granted",
    "consent.read",
    "consent.listed",
    "consent.exported",
    "consent.withdrawn",
    "do_not_disturb.added",
  ]);
  const about = { consent_id, contact_number: NUMBER, purpose: "promotional", source: "api", call_id: null };
  expect(await published()).toMatchObject([
    { type: "consent.granted", ...about, basis: "written", reference: "Form 7", everything: false },
    { type: "consent.withdrawn", ...about, basis: null, reference: null, everything: true },
  ]);
});

test("a wish for no calls is published once, even without a consent", async () => {
  await hospital.subscribe();
  await post({}, "/v1/consents/withdraw");
  await post({}, "/v1/consents/withdraw");
  expect(await published()).toMatchObject([
    { type: "consent.withdrawn", consent_id: null, purpose: null, contact_number: NUMBER, everything: true },
  ]);
});

test("an endpoint that chose other events gets none of these", async () => {
  const endpoint = await hospital.subscribe();
  await hospital.db.write((tx) =>
    tx.updateTable("webhook_endpoints").set({ event_types: "call.completed" }).where("id", "=", endpoint).execute(),
  );
  await granted();
  expect(await published()).toEqual([]);
});

test("erasing a person leaves no trace of their consents, in events and stored answers either", async () => {
  await hospital.subscribe();
  await post({ ...WRITTEN, reference: "Unmistakable" }, "/v1/consents", { headers: { "idempotency-key": "one" } });
  await hospital.app.services.erasure.eraseContact(hospital.organisationId, NUMBER, CLI_ACTOR);
  const { reader } = hospital.db;
  expect(await reader.selectFrom("consents").selectAll().execute()).toEqual([]);
  expect(await reader.selectFrom("consent_changes").selectAll().execute()).toEqual([]);
  expect(await published()).toEqual([]);
  const answers = await reader.selectFrom("idempotency_keys").select("response").execute();
  expect(answers.map(({ response }) => response)).toEqual([""]);
});

describe("an imported list", () => {
  const rowsOf = (count: number, change: Partial<ListedGrant> = {}): ListedGrant[] =>
    Array.from({ length: count }, (_, i) => ({
      row: i + 2,
      number: `+9198${String(10_000_000 + i)}`,
      purpose: "promotional",
      basis: "written",
      grantedOn: "2026-01-05",
      untilDay: null,
      reference: null,
      ...change,
    }));
  const importRows = (rows: readonly ListedGrant[]) =>
    hospital.app.services.consents.import(hospital.organisationId, rows, CLI_ACTOR);
  const count = async (table: "consents" | "consent_changes") =>
    (await hospital.db.reader.selectFrom(table).select("id").execute()).length;

  test("is stored once, even if it is imported twice at the same moment", async () => {
    const rows = rowsOf(300);
    const reports = await Promise.all([importRows(rows), importRows(rows)]);
    expect(reports.reduce((sum, { granted: made }) => sum + made, 0)).toBe(300);
    expect(reports.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(300);
    expect([await count("consents"), await count("consent_changes")]).toEqual([300, 300]);
    expect((await list("?limit=1")).data[0]).toMatchObject({ source: "list" });
  });

  test("names the rows that are refused, and stores the others", async () => {
    const [first, second, third, fourth] = rowsOf(4);
    await importRows([fourth!]);
    await post({ contact_number: fourth!.number }, "/v1/consents/withdraw");
    const report = await importRows([
      { ...first!, number: "98100" },
      { ...second!, untilDay: "2026-02-01" },
      third!,
      fourth!,
      { ...third!, row: 9 },
      { ...third!, row: 10, grantedOn: "2026-02-30" },
    ]);
    expect(report).toMatchObject({ granted: 1, unchanged: 1 });
    expect(report.refused.map(({ row }) => row)).toEqual([2, 3, 10, 5]);
    expect(report.refused.at(-1)?.message).toContain("withdrawn after this date");
  });

  test("without dates, repeats change nothing", async () => {
    const rows = rowsOf(3, { grantedOn: null });
    expect(await importRows(rows)).toMatchObject({ granted: 3 });
    await hospital.clock.advance(DAY_MS);
    expect(await importRows(rows)).toMatchObject({ granted: 0, unchanged: 3 });
  });

  test("brings back no withdrawn consent without the moment of a new one", async () => {
    const now = hospital.clock.now();
    const rows = rowsOf(4, { grantedOn: null });
    await importRows(rows);
    for (const { number } of rows) await post({ contact_number: number }, "/v1/consents/withdraw");
    await hospital.clock.advance(60_000);
    const [none, today, same, later] = rows;
    const report = await importRows([
      none!,
      { ...today!, grantedOn: toIso(now).slice(0, 10) },
      { ...same!, grantedOn: toIso(now) },
      { ...later!, grantedOn: toIso(now + 30_000) },
    ]);
    expect(report).toMatchObject({ granted: 1, unchanged: 0 });
    expect(report.refused.map(({ row }) => row)).toEqual([2, 3, 4]);
    expect(report.refused[0]?.message).toContain("has no date");
    expect((await list("?status=active")).data.map(({ contact_number }) => contact_number)).toEqual([later!.number]);
  });
});
