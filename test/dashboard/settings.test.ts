// The routes behind the settings: organisation, sharing, do-not-disturb, people, audit, backup and health.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { App } from "../../src/compose/app.ts";
import type { AppError } from "../../src/core/errors.ts";
import { createBackups } from "../../src/dashboard/backups.ts";
import { csvLine } from "../../src/core/csv-line.ts";
import { numberLines } from "../../src/web/pages/settings/number-lines.ts";
import { PASSWORD, signedIn, type Visitor } from "../support/dashboard.ts";
import { isOnPostgres, onlySqlite } from "../support/engines.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";
import { rejectionOf } from "../support/temp.ts";

let hospital: Hospital;
let app: App;
let owner: Visitor;
beforeAll(async () => {
  hospital = await createHospital({
    settings: { RINGWARD_RETENTION__DAYS: "90", RINGWARD_PLANS__BASE__API_KEYS: "7" },
  });
  ({ app } = hospital);
  await app.start();
  owner = await signedIn(app, hospital.organisationId, "owner");
});
afterAll(() => hospital.close());

type Json = Record<string, unknown>;
const read = async (path: string) => (await owner.ask("GET", `/dashboard/api/${path}`)).json as unknown as Json;

describe("settings", () => {
  test("show the plan with its usage, credits with their last entries, sharing and retention", async () => {
    await hospital.dial();
    expect(await read("settings")).toMatchObject({
      organisation: { name: "Test Hospital", time_zone: "Asia/Kolkata", plan: "base" },
      credits: { unlimited: false, balance: 1_000 },
      credit_entries: [{ amount: 1_000, reason: "grant", call_id: null }],
      limits: { api_keys: 7, webhook_endpoints: 1 },
      use: { api_keys: 1, webhook_endpoints: 0, inbound_daily_quota: 0, concurrent_calls: 1 },
      sharing: { enabled: false, expiry: "none" },
      retention_days: 90,
      erasure_leaves: isOnPostgres ? ["wal", "backups", "replicas"] : [],
    });
  });

  test("change the name and the time zone, and reject invalid ones", async () => {
    const change = (body: unknown) => owner.ask("PATCH", "/dashboard/api/settings/organisation", body);
    const refused = await change({ name: "General", time_zone: "Nowhere/Here" });
    expect([refused.status, refused.json.error.details?.[0]?.field]).toEqual([400, "time_zone"]);
    expect((await change({ name: " General ", time_zone: "UTC" })).status).toBe(200);
    expect(await read("session")).toMatchObject({ organisation: { name: "General", time_zone: "UTC" } });
  });

  test("set how calls are recorded, as an audited act of an owner, and unset it", async () => {
    const change = (recording_mode: string | null) =>
      owner.ask("PATCH", "/dashboard/api/settings/organisation", { name: "A", time_zone: "UTC", recording_mode });
    expect(await read("settings")).toMatchObject({
      organisation: { recording_mode: null },
      recordings: { mode: "announce", keep_days: 0 },
    });
    const refused = await change("sometimes");
    expect([refused.status, refused.json.error.details?.[0]?.field]).toEqual([400, "recording_mode"]);
    for (const mode of ["ask", null]) {
      expect((await change(mode)).status).toBe(200);
      expect(await read("settings")).toMatchObject({ organisation: { recording_mode: mode } });
    }
    const acts = await hospital.db.reader
      .selectFrom("audit_entries")
      .select("detail")
      .where("action", "=", "organisation.changed")
      .orderBy("id")
      .execute();
    expect(acts.slice(-2).map(({ detail }) => detail)).toEqual(['{"recording_mode":"ask"}', '{"recording_mode":null}']);
  });

  test("enable and disable sharing, with a valid expiry", async () => {
    const share = (body: unknown) => owner.ask("PUT", "/dashboard/api/settings/sharing", body);
    expect((await share({ enabled: true, expiry: "century" })).status).toBe(400);
    expect((await share({ enabled: true, expiry: "week" })).json as unknown).toEqual({ enabled: true, expiry: "week" });
  });
});

describe("the pronunciation list", () => {
  test("is set, read and cleared, and reports errors by field", async () => {
    const set = (word: string, said: string) => owner.ask("PUT", "/dashboard/api/pronunciations", { word, said });
    expect((await set("Sharma", "SHAR-ma")).text).toBe(JSON.stringify({ word: "Sharma", said: "SHAR-ma" }));
    expect(await read("pronunciations")).toEqual({ data: [{ word: "Sharma", said: "SHAR-ma" }] });
    const refused = await set("Sharma", "sh4rma");
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([400, expect.stringContaining("SHAR-ma")]);
    const remove = () => owner.ask("POST", "/dashboard/api/pronunciations/remove", { word: "sharma" });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect(await read("pronunciations")).toEqual({ data: [] });
  });
});

describe("the do-not-disturb list", () => {
  const add = async (...numbers: string[]) =>
    (await owner.ask("POST", "/dashboard/api/do-not-disturb", { numbers })).json as unknown;

  test("accepts numbers in local notation, and reports rejected lines individually", async () => {
    expect(await add("+91 98100-12345", "nonsense", "+91 (98100) 12345", "+44 20 7946 0000")).toEqual({
      added: 1,
      already: 1,
      refused: [
        { line: 2, message: expect.stringContaining("E.164") },
        { line: 4, message: expect.stringContaining("+91") },
      ],
    });
    expect(await add("+919810012345")).toEqual({ added: 0, already: 1, refused: [] });
    // One audit entry per action, however many numbers.
    expect((await hospital.actionsOnRecord()).filter((action) => action === "do_not_disturb.imported")).toHaveLength(2);
  });

  test("is searched by digits, paged, counted and exported", async () => {
    await add(...Array.from({ length: 120 }, (_, i) => `+1555555${2000 + i}`));
    const first = await read("do-not-disturb");
    const second = await read(`do-not-disturb?cursor=${encodeURIComponent(String(first["next_cursor"]))}`);
    const third = await read(`do-not-disturb?cursor=${encodeURIComponent(String(second["next_cursor"]))}`);
    const numbers = [first, second, third].flatMap(({ data }) =>
      (data as { number: string }[]).map(({ number }) => number),
    );
    expect(numbers).toHaveLength(121);
    expect(new Set(numbers).size).toBe(121);
    expect([first["total"], third["next_cursor"]]).toEqual([121, null]);
    expect(await read("do-not-disturb?search=098100%2012345")).toMatchObject({
      data: [{ number: "+919810012345" }],
      total: 121,
    });
    const { headers, text } = await owner.ask("GET", "/dashboard/api/do-not-disturb/export");
    expect(headers.get("content-disposition")).toBe('attachment; filename="do-not-disturb.csv"');
    expect(text.split("\r\n").slice(0, 2)).toEqual([
      "number,added_at,source,call_id",
      expect.stringMatching(/^\+15555552000,2026-.*,list,$/),
    ]);
    // An export can be imported again.
    expect(numberLines(text).map((line) => line.text)).toEqual(numbers);
  });

  test("removes a number", async () => {
    const remove = () => owner.ask("DELETE", `/dashboard/api/do-not-disturb/${encodeURIComponent("+919810012345")}`);
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
  });

  test("is read from a file with a heading, quotes, other columns and empty lines, each line with its number", () => {
    const file = '\uFEFFnumber,name\r\n"+91 98100 12345","Rao, K."\r\n\r\n+15555550100;x\n  +15555550101\t"y"';
    expect(numberLines(file)).toEqual([
      { line: 2, text: "+91 98100 12345" },
      { line: 4, text: "+15555550100" },
      { line: 5, text: "+15555550101" },
    ]);
    expect(numberLines("+15555550100")).toEqual([{ line: 1, text: "+15555550100" }]);
  });
});

test("people are added, and changes are audited without the password", async () => {
  const email = "nurse@hospital.example";
  const added = await owner.ask("POST", "/dashboard/api/people", {
    email,
    name: "Nurse",
    role: "staff",
    password: PASSWORD,
  });
  expect(added.status).toBe(200);
  await owner.ask("PATCH", `/dashboard/api/people/${email}`, { role: "viewer", password: "another long password" });
  const [entry] = (await read("audit?action=person.changed"))["data"] as Json[];
  expect(entry).toMatchObject({ actor_id: owner.personId, detail: { role: "viewer", password_changed: true } });
  expect((await owner.ask("GET", "/dashboard/api/audit/export")).text).not.toContain("another long password");
});

describe("the audit log", () => {
  test("is filtered by action and paged to its end", async () => {
    for (let i = 0; i < 60; i++) await app.services.credits.grant(hospital.organisationId, 1, CLI_ACTOR);
    const first = await read("audit?action=credits");
    const second = await read(`audit?action=credits&cursor=${String(first["next_cursor"])}`);
    const rows = [...(first["data"] as Json[]), ...(second["data"] as Json[])];
    expect(new Set(rows.map(({ id }) => id)).size).toBe(61);
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(["credits.granted"]));
    expect(second["next_cursor"]).toBeNull();
  });

  test("is exported as CSV, with its filter", async () => {
    const { headers, text } = await owner.ask("GET", "/dashboard/api/audit/export?action=credits");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(62);
    expect(lines[1]).toContain('credits.granted,,,"{""amount"":1}"');
  });

  test("is exported completely, beyond the size of a page", async () => {
    await hospital.db.write(async (tx) => {
      for (let i = 0; i < 1_200; i++) {
        await app.services.audit.record(tx, {
          organisationId: hospital.organisationId,
          actor: CLI_ACTOR,
          action: "test.many",
        });
      }
    });
    const { text } = await owner.ask("GET", "/dashboard/api/audit/export?action=test.many");
    expect(text.trimEnd().split("\r\n")).toHaveLength(1_201);
  });
});

test("a cell of a CSV cannot become a formula, and a number stays a number", () => {
  expect(csvLine(["=1+1", "@x", "-1", "+919810012345", 'a "b", c', null, 3])).toBe(
    `'=1+1,'@x,'-1,+919810012345,"a ""b"", c",,3\r\n`,
  );
});

describe("a backup", () => {
  const onSqlite = onlySqlite("a backup is one of SQLite's file");
  const backups = (copy: (target: string) => Promise<void>) =>
    createBackups({
      db: hospital.db,
      clock: hospital.clock,
      audit: app.services.audit,
      dataDir: hospital.dataDir,
      copy,
    });
  const file = () => join(hospital.dataDir, "dashboard-backup.tar");

  test("of an appliance on PostgreSQL is made there, as the message says", async () => {
    const { db, clock, dataDir, organisationId } = hospital;
    const elsewhere = createBackups({
      db: { ...db, reader: db.reader, maintenance: { ...db.maintenance, file: null, where: "db at host" } },
      clock,
      audit: app.services.audit,
      dataDir,
      copy: () => Promise.reject(new Error("Nothing is copied.")),
    });
    expect(elsewhere.status().state).toBe("elsewhere");
    const refusal = await rejectionOf<AppError>(elsewhere.begin(organisationId, CLI_ACTOR));
    expect(refusal).toMatchObject({ code: "CONFLICT", message: expect.stringMatching(/at host.*pg_dump/) });
  });

  onSqlite("runs once at a time, tells how far it is, can be taken along, and is gone after an hour", async () => {
    const copying = Promise.withResolvers<void>();
    let copies = 0;
    const made = backups(async (target) => {
      copies++;
      mkdirSync(`${target}.partial`);
      writeFileSync(join(`${target}.partial`, "archive"), "half");
      await copying.promise;
      writeFileSync(target, "the whole");
    });
    expect(made.status().state).toBe("none");
    await made.begin(hospital.organisationId, CLI_ACTOR);
    await made.begin(hospital.organisationId, CLI_ACTOR);
    expect(copies).toBe(1);
    expect(made.status()).toMatchObject({ state: "running", bytes: 4 });
    expect(made.status().total_bytes).toBeGreaterThan(4_096);
    copying.resolve();
    await settle();
    expect(made.status()).toMatchObject({ state: "done", bytes: 9 });
    const download = await made.file(hospital.organisationId, CLI_ACTOR);
    expect(await download.text()).toBe("the whole");
    expect(download.headers.get("content-disposition")).toMatch(
      /^attachment; filename="ringward-backup-2026-\d\d-\d\d\.tar"$/,
    );
    expect((await hospital.actionsOnRecord()).slice(-2)).toEqual(["backup.started", "backup.downloaded"]);
    await hospital.clock.advance(3_600_000);
    expect([made.status().state, existsSync(file())]).toEqual(["none", false]);
  });

  onSqlite("that fails says why, to owners alone, and the next one may succeed", async () => {
    let isBroken = true;
    const made = backups(async (target) => {
      if (isBroken) throw new Error("The disk is full.");
      writeFileSync(target, "x");
    });
    await made.begin(hospital.organisationId, CLI_ACTOR);
    await settle();
    expect(made.status()).toMatchObject({ state: "failed", message: "The disk is full." });
    isBroken = false;
    await made.begin(hospital.organisationId, CLI_ACTOR);
    await settle();
    expect(made.status().state).toBe("done");
    await made.stop();
    expect(existsSync(file())).toBeFalse();
    const viewer = await signedIn(app, hospital.organisationId, "viewer");
    expect((await viewer.ask("GET", "/dashboard/api/health")).json as unknown).toMatchObject({
      checks: { write: "ok" },
      backup: null,
    });
  });

  onSqlite("of an earlier start does not lie about, nor what a restore that was cut off unpacked", () => {
    const unpacked = join(hospital.dataDir, "restore.partial");
    writeFileSync(file(), "old");
    mkdirSync(unpacked);
    writeFileSync(join(unpacked, "ringward.db"), "half");
    expect(backups(async () => {}).status().state).toBe("none");
    expect([file(), unpacked].map((path) => existsSync(path))).toEqual([false, false]);
  });
});
