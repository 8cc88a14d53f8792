// Every kind of fault: one message when it begins and one when it is over, over restarts and while it flaps; and no
// name of a trunk, endpoint or organisation adds a line to a message.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createAlarms, type Alarms } from "../../src/alarms/alarms.ts";
import { FAULTS } from "../../src/alarms/faults.ts";
import { lineOf, mailOf, type AlarmLine } from "../../src/alarms/message.ts";
import type { Trouble } from "../../src/alarms/sight.ts";
import { ALARM_LANGUAGES } from "../../src/alarms/words.ts";
import { createServices, type Services } from "../../src/compose/services.ts";
import { loadConfig } from "../../src/config/load.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import type { Database } from "../../src/db/database.ts";
import { FAULT_NAMES, type FaultName } from "../../src/payloads/alarm.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { mailSettings } from "../support/smtp-server.ts";
import { newDataFolder, openTestDatabase } from "../support/temp.ts";

const config = loadConfig({
  environment: { ...mailSettings({ port: 25, caFile: "" }), RINGWARD_MAIL__ALARMS_TO: "it@hospital.example" },
});
const FACTS = { name: "main", free_mb: 900, hours: 40, day: "2026-12-01" };

let db: Database;
let clock: ManualClock;
let services: Services;
let present: Trouble | null;
let lines: AlarmLine[];
beforeEach(async () => {
  clock = createManualClock();
  db = await openTestDatabase(await newDataFolder());
  services = createServices({ config, db, clock, logger: silentLogger, rootKey: new Uint8Array(32).fill(7) });
  [present, lines] = [null, []];
});
afterEach(() => db.close());

/** A server that was just started. */
const start = (): Alarms =>
  createAlarms({
    ...services,
    config,
    db,
    clock,
    logger: silentLogger,
    metrics: createMetrics(),
    smtp: null,
    async observe() {
      const sight = FAULT_NAMES.map((name) => [name, present?.fault === name ? [present] : []] as const);
      return { sight: new Map(sight), canWrite: true };
    },
    async syslog(line) {
      lines.push(line);
    },
  });

async function pass(alarms: Alarms, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 15 * SECOND_MS) {
    await clock.advance(15 * SECOND_MS);
    await alarms.look();
  }
}

const mails = async () => (await db.reader.selectFrom("mails").select("id").execute()).length;
const told = () => lines.map(({ fault, state }) => `${fault} ${state}`);
const troubleOf = (fault: FaultName): Trouble => {
  const audience = FAULTS[fault].audience === "organisation" ? "operator" : FAULTS[fault].audience;
  return { fault, subject: "", step: 1, audience, organisationId: null, facts: FACTS };
};

describe.each([...FAULT_NAMES])("%s", (fault) => {
  const { holdMs, overMs } = FAULTS[fault];

  test("is told once, and its end once, with a restart in each part", async () => {
    present = troubleOf(fault);
    await pass(start(), holdMs + MINUTE_MS);
    expect([told(), await mails()]).toEqual([[`${fault} open`], 1]);
    await pass(start(), holdMs + MINUTE_MS);
    expect([told(), await mails()]).toEqual([[`${fault} open`], 1]);
    present = null;
    await pass(start(), overMs + MINUTE_MS);
    const both = [`${fault} open`, `${fault} over`];
    expect([told(), await mails()]).toEqual([both, 2]);
    await pass(start(), holdMs + overMs);
    expect([told(), await mails()]).toEqual([both, 2]);
  });

  test("is not told when it is gone before its time", async () => {
    const alarms = start();
    present = troubleOf(fault);
    await pass(alarms, Math.max(0, holdMs - 15 * SECOND_MS));
    present = null;
    await pass(alarms, overMs + MINUTE_MS);
    expect([told(), await mails()]).toEqual([[], 0]);
  });

  test("that flaps for an hour, with restarts, is told a few times, and its end last", async () => {
    const until = clock.elapsedMs() + HOUR_MS;
    for (let cycle = 0; clock.elapsedMs() < until; cycle++) {
      const alarms = start();
      present = troubleOf(fault);
      await pass(alarms, holdMs + 30 * SECOND_MS);
      present = null;
      await pass(cycle % 3 === 0 ? start() : alarms, overMs + 30 * SECOND_MS);
    }
    // The limit of messages per hour is over.
    const alarms = start();
    await clock.advance(2 * HOUR_MS);
    await pass(alarms, 2 * overMs + MINUTE_MS);
    expect(lines.length).toBeLessThanOrEqual(6);
    expect(await mails()).toBe(lines.length);
    expect(lines.at(-1)).toMatchObject({ fault, state: "over" });
  }, 60_000);
});

const SEPARATOR = String.fromCodePoint(0x2028);
test.each(["main\r\nBcc: other@hospital.example", "main\nX: y", "main\r.\r", `main${SEPARATOR}y`, "main\u0000y"])(
  "the name %j adds no line to a message",
  (name) => {
    for (const fault of FAULT_NAMES) {
      const alarm = { ...troubleOf(fault), facts: { ...FACTS, name }, told_step: 0, opened_at: 0, over_at: null };
      const plain = { ...alarm, facts: FACTS };
      for (const language of ALARM_LANGUAGES) {
        const { subject, text } = mailOf({ alarm, state: "open", flaps: 0 }, language, "https://h.example/dashboard");
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        const expected = mailOf({ alarm: plain, state: "open", flaps: 0 }, language, "https://h.example/dashboard");
        expect(text.split(/[\r\n\u2028\u2029]/)).toHaveLength(expected.text.split("\n").length);
      }
      expect(lineOf({ alarm, state: "open" }).text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    }
  },
);
