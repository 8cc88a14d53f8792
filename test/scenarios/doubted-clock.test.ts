// The executable while its clock is changed: it dials nothing after a jump, not even after a restart, until a person
// confirms the clock or the right time returns.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { finished, newAgent, numberEnding, place, readCall, startQuick } from "../support/calls.ts";
import { rest } from "../support/pace.ts";
import { changeStored } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";
import { buildOutside, type Outside } from "../torture/outside.ts";

leaveNothingBehind();

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Each new call wakes the dispatcher, which dials due calls within milliseconds. */
const LOOKED_AT_MS = 1_500;

let outside: Outside;
let server: Running;
const dataDir = tempFolder();

beforeAll(async () => {
  const built = buildOutside(tempFolder());
  if ("missing" in built) throw new Error(`The clock cannot be moved here: ${built.missing}.`);
  outside = built;
  server = await start();
});
afterAll(async () => {
  await server.kill();
  outside.close();
});

const start = () => startQuick(outside.env, { dataDir });
const confirm = () => runBinary(["clock", "confirm", "--data", dataDir], { env: outside.env });
const inMinutes = (minutes: number) => new Date(Date.now() + outside.clockMs() + minutes * MINUTE_MS).toISOString();
const holds = (ids: string[]) => Promise.all(ids.map(async (id) => (await readCall(server, id)).hold_reason));
const held = (ids: string[]) => Array.from(ids, () => "clock_not_trusted");
const clockNote = async () => {
  const answer = await fetch(`${server.url}/readyz`);
  return ((await answer.json()) as { notes: { clock?: string } }).notes.clock ?? "";
};

/** Asserts that the calls are held with a reason although the dispatcher was woken. */
async function expectHeld(ids: string[]): Promise<void> {
  await rest(LOOKED_AT_MS);
  expect(await holds(ids)).toEqual(held(ids));
}

test("65 minutes ahead, and after a restart: no call of the next hour is dialled until a person confirms the clock", async () => {
  await finished(server, await place(server));
  const nextHour: string[] = [];
  for (const minutes of [10, 20, 30, 40, 50]) {
    nextHour.push(await place(server, { scheduled_time: inMinutes(minutes) }));
  }

  outside.setClock(65 * MINUTE_MS);
  const atOnce = await place(server);
  await expectHeld([...nextHour, atOnce]);
  expect(await clockNote()).toContain("shows 65 min more than expected. No call goes out");
  const body = { agent_id: server.demo["agent_id"], user_number: numberEnding("0100") };
  expect((await ask(server, "POST", "/v1/calls?dry_run=true", { body })).text).toContain("clock_not_trusted");

  // The machine was not restarted, so the elapsed time is known.
  await server.kill();
  server = await start();
  await place(server);
  await expectHeld([...nextHour, atOnce]);
  expect(await clockNote()).toContain("shows 65 min more than expected");

  expect(await confirm()).toMatchObject({ code: 0, stdout: expect.stringContaining("Confirmed: it is") });
  // A running server checks every 30 s, and whenever there is work.
  const next = await place(server);
  for (const id of [...nextHour, atOnce, next]) expect((await finished(server, id)).status).toBe("completed");
  await until(async () => (await clockNote()) === "");
}, 180_000);

test("a week off: calls, a campaign and an idempotency key wait, and continue as soon as the clock is right", async () => {
  const rightMs = outside.clockMs();
  const rows = Array.from({ length: 8 }, () => ({ user_number: numberEnding("0100") }));
  const body = { name: "Recall", agent_id: server.demo["agent_id"], rows, calls_per_minute: 240 };
  const once = { body, headers: { "idempotency-key": "once" } };
  const { data } = await ask(server, "POST", "/v1/campaigns", once);
  for (const days of [7, -7]) {
    outside.setClock(rightMs + days * DAY_MS);
    const id = await place(server);
    await expectHeld([id]);
    expect(await clockNote()).toContain(`shows 7 days ${days > 0 ? "more" : "less"} than expected`);
    expect((await ask(server, "POST", "/v1/campaigns", once)).data).toEqual(data);
    outside.setClock(rightMs);
    expect((await finished(server, id)).status).toBe("completed");
    await until(async () => (await clockNote()) === "");
  }
  const campaign = async () => (await ask(server, "GET", `/v1/campaigns/${String(data["campaign_id"])}`)).data;
  await until(async () => (await campaign())["state"] === "finished");
  const { data: calls } = await ask(server, "GET", "/v1/calls?limit=100");
  const ofCampaign = (calls as unknown as { campaign_id: string | null }[]).filter((call) => call.campaign_id !== null);
  expect(ofCampaign).toHaveLength(rows.length);
}, 180_000);

/** Milliseconds until it is this hour in India. */
function untilIndian(hour: number): number {
  const indianMs = (Date.now() + 5.5 * 60 * MINUTE_MS) % DAY_MS;
  return hour * 60 * MINUTE_MS - indianMs;
}

test("with the rules: a jump from night to day lets no call out, and after the confirmation the rules hold", async () => {
  const ours = { dataDir: tempFolder() };
  const env = { ...outside.env, RINGWARD_RULES__ENFORCE: "true" };
  outside.setClock(untilIndian(23.6));
  let night = await startQuick(env, ours);
  try {
    const reason = async (id: string) => (await readCall(night, id)).hold_reason;
    // An agent without calling hours of its own.
    const { agentId: agent_id } = await newAgent(night);
    const indian = { agent_id, user_number: "+919810020100" };
    // Before and after the jump it is night in Cairo.
    const cairo = { agent_id, user_number: "+919810030100", user_time_zone: "Africa/Cairo" };
    const [first, abroad] = [await place(night, indian), await place(night, cairo)];
    await until(async () => (await reason(first)) === "outside_legal_hours");

    outside.setClock(untilIndian(23.6) + 9.5 * 60 * MINUTE_MS);
    await place(night, indian);
    await until(async () => (await reason(first)) === "clock_not_trusted");
    await night.kill();
    night = await startQuick(env, ours);
    await place(night, indian);
    await rest(LOOKED_AT_MS);
    expect([await reason(first), (await readCall(night, first)).call_triggered_at]).toEqual([
      "clock_not_trusted",
      null,
    ]);

    const confirmed = await runBinary(["clock", "confirm", "--data", ours.dataDir], { env });
    expect(confirmed.code).toBe(0);
    await place(night, { agent_id, user_number: "+919810040100" });
    expect((await finished(night, first)).status).toBe("completed");
    expect([await reason(abroad), (await readCall(night, abroad)).call_triggered_at]).toEqual([
      "outside_legal_hours",
      null,
    ]);
  } finally {
    await night.kill();
  }
}, 180_000);

/** The machine was restarted too, so the time that has passed is not known. */
function forgetTheBoot(folder: string): void {
  const other = `UPDATE heartbeats SET at = (at + 1) % 4294967296 WHERE name = 'clock kept boot'`;
  expect(changeStored(folder, other)).toBe(1);
}

test.each([
  ["Ringward", false],
  ["the machine", true],
] as const)(
  "with the rules: %s starts with a clock before the last one, and dials nothing until a person confirms it",
  async (_, isBooted) => {
    const ours = { dataDir: tempFolder() };
    const env = { ...outside.env, RINGWARD_RULES__ENFORCE: "true" };
    outside.setClock(untilIndian(22));
    let server = await startQuick(env, ours);
    try {
      const stateOf = async (id: string) => {
        const { hold_reason, call_triggered_at } = await readCall(server, id);
        return [hold_reason, call_triggered_at];
      };
      const { agentId: agent_id } = await newAgent(server);
      const indian = (number: string) => ({ agent_id, user_number: number });
      // Half past eight, in the morning and in the evening: outside the hours at both times.
      const pitcairn = { ...indian("+919810060100"), user_time_zone: "Pacific/Pitcairn" };
      const atNight = await place(server, indian("+919810050100"));
      const abroad = await place(server, pitcairn);
      for (const id of [atNight, abroad]) await until(async () => (await stateOf(id))[0] === "outside_legal_hours");
      await server.kill();

      if (isBooted) forgetTheBoot(ours.dataDir);
      // Ten o'clock of the same day: the rules would let the first call out.
      outside.setClock(untilIndian(22) - 12 * 60 * MINUTE_MS);
      server = await startQuick(env, ours);
      const byDay = await place(server, indian("+919810070100"));
      await rest(LOOKED_AT_MS);
      expect(await stateOf(byDay)).toEqual(["clock_not_trusted", null]);
      // They are looked at again in the morning, and are not dialled before.
      for (const id of [atNight, abroad]) expect((await stateOf(id))[1]).toBeNull();
      const answer = (await (await fetch(`${server.url}/readyz`)).json()) as { notes: { clock?: string } };
      expect(answer.notes.clock).toContain("12 hours less than expected. No call goes out");

      const confirmed = await runBinary(["clock", "confirm", "--data", ours.dataDir], { env });
      expect(confirmed.code).toBe(0);
      await place(server, indian("+919810080100"));
      for (const id of [atNight, byDay]) expect((await finished(server, id)).status).toBe("completed");
      await until(async () => (await stateOf(abroad))[0] === "outside_legal_hours");
      expect(await stateOf(abroad)).toEqual(["outside_legal_hours", null]);
    } finally {
      await server.kill();
    }
  },
  180_000,
);
