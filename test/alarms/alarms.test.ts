// Alarms: one message per fault and one for its end, over restarts, flapping and a database that takes no writes.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { createLogger, silentLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import { createAlarms, type Alarms } from "../../src/alarms/alarms.ts";
import { FAULTS } from "../../src/alarms/faults.ts";
import type { AlarmLine } from "../../src/alarms/message.ts";
import { keyOf, type Trouble } from "../../src/alarms/sight.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Mail } from "../../src/mail/smtp.ts";
import { FAULT_NAMES } from "../../src/payloads/alarm.ts";
import { createServices, type Services } from "../../src/compose/services.ts";
import type { Database } from "../../src/db/database.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { mailSettings } from "../support/smtp-server.ts";
import { newDataFolder, openTestDatabase } from "../support/temp.ts";

const TO = "it@hospital.example";
const config = loadConfig({
  environment: { ...mailSettings({ port: 25, caFile: "" }), RINGWARD_MAIL__ALARMS_TO: `${TO},night@hospital.example` },
});

let db: Database;
let clock: ManualClock;
let services: Services;
let there: Map<string, Trouble>;
let canWrite: boolean;
let lines: AlarmLine[];
let direct: Mail[];
beforeEach(async () => {
  clock = createManualClock();
  db = await openTestDatabase(await newDataFolder());
  services = createServices({ config, db, clock, logger: silentLogger, rootKey: new Uint8Array(32).fill(7) });
  [there, canWrite, lines, direct] = [new Map(), true, [], []];
});
afterEach(() => db.close());

const smtp = {
  async send(mail: Mail) {
    direct.push(mail);
  },
  stop() {},
};

const start = (): Alarms =>
  createAlarms({
    ...services,
    config,
    db,
    clock,
    logger: createLogger(clock, "debug", () => {}),
    metrics: createMetrics(),
    smtp,
    async observe() {
      const sight = FAULT_NAMES.map(
        (fault) => [fault, [...there.values()].filter((each) => each.fault === fault)] as const,
      );
      return { sight: new Map(sight), canWrite };
    },
    async syslog(line) {
      lines.push(line);
    },
  });

const DISK: Trouble = {
  fault: "disk",
  subject: "",
  step: 1,
  audience: "all",
  organisationId: null,
  facts: { free_mb: 900 },
};
const trunk = (organisationId: string): Trouble => ({
  fault: "trunk",
  subject: "trk_1",
  step: 1,
  audience: "organisation",
  organisationId,
  facts: { name: "main" },
});

const begin = (trouble: Trouble) => void there.set(keyOf(trouble), trouble);
const end = (trouble: Trouble) => void there.delete(keyOf(trouble));

async function pass(alarms: Alarms, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 15 * SECOND_MS) {
    await clock.advance(15 * SECOND_MS);
    await alarms.look();
  }
}

/** Stored e-mails to one address, oldest first. */
async function mails(): Promise<string[]> {
  const rows = await db.reader.selectFrom("mails").select(["id", "sealed"]).orderBy("id").execute();
  const opened = rows.map(({ id, sealed }) => JSON.parse(services.secrets.open(sealed, `mail/${id}`)) as Mail);
  return opened.filter(({ to }) => to === TO).map(({ subject }) => subject);
}

const stored = () => db.reader.selectFrom("alarms").selectAll().orderBy("id").execute();
const FULL = "[Ringward] Warning: The disk of the data folder is nearly full: 900 MB are left.";
const FREE = "[Ringward] Over: The disk of the data folder is nearly full: 900 MB are left.";

describe("a fault", () => {
  test("is told once, to every address, and once when it is over", async () => {
    const alarms = start();
    begin(DISK);
    await pass(alarms, HOUR_MS);
    expect(await mails()).toEqual([FULL]);
    expect(await db.reader.selectFrom("mails").selectAll().execute()).toHaveLength(2);
    end(DISK);
    await pass(alarms, HOUR_MS);
    expect(await mails()).toEqual([FULL, FREE]);
    expect(lines.map(({ state }) => state)).toEqual(["open", "over"]);
  });

  test("is told again when it becomes worse, and not when it becomes better", async () => {
    const alarms = start();
    begin(DISK);
    await pass(alarms, 5 * MINUTE_MS);
    begin({ ...DISK, step: 2 });
    await pass(alarms, 5 * MINUTE_MS);
    begin(DISK);
    await pass(alarms, 5 * MINUTE_MS);
    end(DISK);
    await pass(alarms, 10 * MINUTE_MS);
    expect((await mails()).map((subject) => subject.split(":")[0])).toEqual([
      "[Ringward] Warning",
      "[Ringward] Alarm",
      "[Ringward] Over",
    ]);
    expect(lines.map(({ severity }) => severity)).toEqual(["warning", "critical", "critical"]);
  });

  test("is told neither twice nor never after a restart", async () => {
    begin(DISK);
    await pass(start(), 5 * MINUTE_MS);
    const again = start();
    await pass(again, 5 * MINUTE_MS);
    expect(await mails()).toEqual([FULL]);
    end(DISK);
    // Over while nothing ran.
    const third = start();
    await pass(third, FAULTS.disk.overMs - 30 * SECOND_MS);
    expect(await mails()).toEqual([FULL]);
    await pass(third, MINUTE_MS);
    expect(await mails()).toEqual([FULL, FREE]);
  });

  test("that flaps is told at most four times an hour, then once with the count", async () => {
    const alarms = start();
    const cycle = async () => {
      begin(DISK);
      await pass(alarms, MINUTE_MS);
      end(DISK);
      await pass(alarms, FAULTS.disk.overMs + 15 * SECOND_MS);
    };
    // Two hours of about nine cycles each.
    for (let i = 0; i < 18; i += 1) await cycle();
    const told = await mails();
    expect(told.length).toBeLessThanOrEqual(8);
    expect(told.length).toBeGreaterThanOrEqual(5);
    await pass(alarms, 2 * HOUR_MS);
    const all = await db.reader.selectFrom("mails").select(["id", "sealed"]).orderBy("id").execute();
    const texts = all.map(({ id, sealed }) => (JSON.parse(services.secrets.open(sealed, `mail/${id}`)) as Mail).text);
    expect(texts.some((text) => /It came and went \d+ times since the last message/.test(text))).toBe(true);
    // Nothing is left untold, and the last word is that it is over.
    expect((await mails()).at(-1)).toBe(FREE);
    expect((await stored()).filter(({ told_at, over_told_at }) => told_at === null || over_told_at === null)).toEqual(
      [],
    );
  });
});

describe("events", () => {
  async function hospital(name: string) {
    const { id } = await services.organisations.create({ name, timeZone: "UTC" }, CLI_ACTOR);
    const url = "https://93.184.216.34/hook";
    await services.endpoints.create(id, { url, eventTypes: ["appliance.alarm", "appliance.alarm_over"] }, CLI_ACTOR);
    return id;
  }
  const events = async () =>
    (await db.reader.selectFrom("events").select(["organisation_id", "type", "data"]).orderBy("id").execute()).map(
      (row) => ({
        ...row,
        data: JSON.parse(row.data) as { subject: string | null; alarm_id: string; over_at: string | null },
      }),
    );

  test("of the appliance go to every organisation that subscribed", async () => {
    const [one, two] = [await hospital("One"), await hospital("Two")];
    const alarms = start();
    begin(DISK);
    await pass(alarms, MINUTE_MS);
    end(DISK);
    await pass(alarms, HOUR_MS);
    const all = await events();
    expect(all.map(({ organisation_id, type }) => [organisation_id, type])).toEqual([
      [one, "appliance.alarm"],
      [two, "appliance.alarm"],
      [one, "appliance.alarm_over"],
      [two, "appliance.alarm_over"],
    ]);
    expect(new Set(all.map(({ data }) => data.alarm_id)).size).toBe(1);
  });

  test("of a trunk go to its organisation alone", async () => {
    const [one] = [await hospital("One"), await hospital("Two")];
    const alarms = start();
    begin(trunk(one));
    await pass(alarms, 5 * MINUTE_MS);
    expect((await events()).map(({ organisation_id }) => organisation_id)).toEqual([one]);
  });

  test("of what only the administrator is told go to none", async () => {
    await hospital("One");
    const alarms = start();
    begin({ ...trunk("x"), fault: "model_server", organisationId: null, audience: "operator" });
    await pass(alarms, 10 * MINUTE_MS);
    expect(await events()).toEqual([]);
    expect(await mails()).toHaveLength(1);
  });
});

describe("while the database takes no writes", () => {
  test("people are told at once, and not again when it does", async () => {
    const alarms = start();
    canWrite = false;
    begin({ ...DISK, step: 2, facts: { free_mb: 0 } });
    await pass(alarms, HOUR_MS);
    expect(direct.map(({ to }) => to)).toEqual([TO, "night@hospital.example"]);
    expect(direct[0]?.subject).toStartWith("[Ringward] Alarm: The disk of the data folder is full");
    expect(await stored()).toEqual([]);
    canWrite = true;
    await pass(alarms, MINUTE_MS);
    expect(await mails()).toEqual([]);
    expect(await stored()).toMatchObject([{ fault: "disk", told_step: 2, over_at: null }]);
    there.clear();
    await pass(alarms, HOUR_MS);
    expect(await mails()).toEqual(["[Ringward] Over: The disk of the data folder is full: 0 MB are left."]);
    expect(lines.map(({ state }) => state)).toEqual(["open", "over"]);
  });

  test("a fault that was stored before is not told again", async () => {
    const alarms = start();
    begin(DISK);
    await pass(alarms, MINUTE_MS);
    canWrite = false;
    await pass(alarms, 10 * MINUTE_MS);
    expect(direct).toEqual([]);
    begin({ ...DISK, step: 2 });
    await pass(alarms, MINUTE_MS);
    expect(direct).toHaveLength(2);
  });

  test("an end is told when it takes them again", async () => {
    const alarms = start();
    canWrite = false;
    begin({ ...DISK, step: 2 });
    await pass(alarms, 5 * MINUTE_MS);
    there.clear();
    await pass(alarms, HOUR_MS);
    canWrite = true;
    await pass(alarms, MINUTE_MS);
    expect(await mails()).toHaveLength(1);
    expect((await mails())[0]).toContain("Over");
  });
});

describe("the list", () => {
  test("shows an organisation the appliance and its own, and the only one also what the administrator sees", async () => {
    const { id } = await services.organisations.create({ name: "One", timeZone: "UTC" }, CLI_ACTOR);
    const alarms = start();
    begin(DISK);
    begin(trunk(id));
    begin({ ...trunk("x"), fault: "model_server", organisationId: null, audience: "operator" });
    await pass(alarms, 10 * MINUTE_MS);
    const faults = async (of: string) => (await services.alarmList.list(of)).open.map(({ fault }) => fault).toSorted();
    expect(await faults(id)).toEqual(["disk", "model_server", "trunk"]);
    const { id: other } = await services.organisations.create({ name: "Two", timeZone: "UTC" }, CLI_ACTOR);
    expect(await faults(other)).toEqual(["disk"]);
    expect(await faults(id)).toEqual(["disk", "trunk"]);
  });

  test("is bounded: past alarms go after 90 days", async () => {
    const alarms = start();
    begin(DISK);
    await pass(alarms, MINUTE_MS);
    end(DISK);
    await pass(alarms, HOUR_MS);
    clock.pass(91 * DAY_MS);
    begin({ ...DISK, subject: "other" });
    await pass(alarms, MINUTE_MS);
    expect((await stored()).map(({ subject }) => subject)).toEqual(["other"]);
  });

  test("sends a test message to every address, once a minute", async () => {
    const { id } = await services.organisations.create({ name: "One", timeZone: "UTC" }, CLI_ACTOR);
    expect(await services.alarmList.sendTest(id, CLI_ACTOR)).toBe(2);
    expect(services.alarmList.sendTest(id, CLI_ACTOR)).rejects.toThrow("Try again in a minute");
    expect(await mails()).toEqual(["[Ringward] Test message"]);
  });
});
