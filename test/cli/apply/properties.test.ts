// Property test: after any file is applied its plan is empty, and after any other file the first one can come back.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { runsOf } from "../../support/engines.ts";
import { createApplyWorld, OWNER } from "./world.ts";

const NAMES = ["Ada", "Bee", "Cay"];
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const reference = some(fc.constantFrom(...NAMES, "none"));
const named = <T>(row: fc.Arbitrary<T>) =>
  fc.tuple(row, row, row).map((rows) => rows.map((each, i) => ({ ...each, name: NAMES[i] })));
const time = fc.constantFrom("09:00", "09:30", "10:15");

const agent = fc.record({
  greeting: some(fc.constantFrom("Hello.", "Your visit is on {{visit}}.")),
  branch: reference,
  service: reference,
  retry_outcomes: some(fc.subarray(["no_answer", "busy"])),
  calling_hours: some(fc.constantFrom("none", { start: "10:00", end: "18:00", days: [5, 1] })),
  latest_minutes: some(fc.constantFrom("none", 30)),
  transfer_to: some(fc.constantFrom(" 201 ", "none")),
});
const window = fc.record({
  branch: fc.constantFrom(...NAMES),
  service: reference,
  days: fc.subarray(["monday", "friday"], { minLength: 1 }),
  session: fc.constantFrom("Morning"),
  start_time: some(time),
  ai_slots: fc.integer({ min: 1, max: 3 }),
  max_slots: some(fc.integer({ min: 3, max: 5 })),
  status: some(fc.constantFrom("OPEN", "CLOSED")),
});
const rule = fc.record({
  agent: fc.constantFrom(...NAMES),
  branch: reference,
  days_before: fc.integer({ min: 1, max: 3 }),
  at: some(time),
  enabled: some(fc.boolean()),
});
const hospital = fc.record({
  organisation: fc.record({
    name: fc.constant("St. Mary"),
    callback_number: some(fc.constantFrom("+91 22 1234 5678", "none")),
    recording_mode: some(fc.constantFrom("ask", "none")),
    unlimited_credits: some(fc.boolean()),
  }),
  owner: fc.constant(OWNER),
  rules: some(
    fc.record({ rule_id: fc.constant("in-per-day"), value: fc.integer({ min: 1, max: 3 }) }).map((row) => [row]),
  ),
  do_not_disturb: some(fc.record({ numbers: fc.subarray(["+912212340001", "+912212340002"]) })),
  branches: named(fc.record({ time_zone: some(fc.constantFrom("none", "Asia/Dubai")) })),
  services: named(fc.record({})),
  trunks: named(
    fc.record({
      host: fc.constantFrom("192.0.2.1", "[2001:DB8::1]"),
      username: fc.constant("u"),
      secret: some(fc.constantFrom("one", "two", "none")),
      caller_id: some(fc.constantFrom("none", "2001")),
      codecs: some(fc.constantFrom(["PCMU"], [])),
    }),
  ),
  agents: named(agent),
  phone_numbers: some(
    fc.record({ number: fc.constant("+912212345678"), agent: reference, trunk: reference }).map((row) => [row]),
  ),
  windows: fc.uniqueArray(window, {
    maxLength: 3,
    selector: ({ branch, service }) => `${branch} ${service ?? "none"}`,
  }),
  reminder_rules: fc.uniqueArray(rule, {
    maxLength: 3,
    selector: ({ agent, branch }) => `${agent} ${branch ?? "none"}`,
  }),
  closures: some(fc.record({ from: fc.constantFrom("2026-12-25", "2026-12-26") }).map((row) => [row])),
});

test("a file that was applied has nothing left to change, whatever was there before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hospital, { minLength: 1, maxLength: 3 }), async (files) => {
      const world = await createApplyWorld();
      try {
        for (const file of [...files, files[0]!]) {
          await world.apply(file);
          expect(await world.open(file)).toEqual([]);
        }
      } finally {
        await world.close();
      }
    }),
    { numRuns: runsOf(12) },
  );
}, 180_000);
