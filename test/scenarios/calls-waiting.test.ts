// Hold reasons of a call: lines, calling hours, do-not-disturb, credits.
import { afterEach, describe, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import {
  callIn,
  command,
  commandJson,
  dialled,
  finished,
  newAgent,
  numberEnding,
  place,
  placeAndFinish,
  readCall,
  startQuick,
  talkative,
  type Call,
} from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const LIVE = ["initiated", "ringing", "in_progress"];
const DAY_MS = 86_400_000;
const INDIA_AHEAD_MS = 5.5 * 3_600_000;

const started: Running[] = [];
afterEach(() => Promise.all(started.splice(0).map((server) => server.kill())));

async function start(speed: number, env: Record<string, string | undefined> = {}): Promise<Running> {
  const server = await startQuick({ RINGWARD_TELEPHONY__SIMULATOR__SPEED: String(speed), ...env });
  started.push(server);
  return server;
}

/** Rules are enforced as far as the command decides, not the test's settings. */
const BY_DEFAULT = { RINGWARD_RULES__ENFORCE: undefined };

/** The same hospital without --demo, so calling hours are enforced. */
async function startInEarnest(): Promise<Running> {
  const env = { RINGWARD_TELEPHONY__SIMULATOR__SPEED: "100" };
  const made = await startQuick(env);
  await made.stop();
  const inEarnest = await startQuick({ ...env, ...BY_DEFAULT }, { dataDir: made.dataDir, demo: false });
  const server = { ...inEarnest, demo: made.demo };
  started.push(server);
  return server;
}

/** Calling hours from 09:00 Indian time the day after tomorrow: closed at any time the test runs. */
function closedHours(): { opensAt: Date; hours: string } {
  const indianToday = Math.floor((Date.now() + INDIA_AHEAD_MS) / DAY_MS) * DAY_MS;
  const weekday = new Date(indianToday + 2 * DAY_MS).getUTCDay();
  return {
    opensAt: new Date(indianToday + 2 * DAY_MS + 9 * 3_600_000 - INDIA_AHEAD_MS),
    hours: JSON.stringify({ start: "09:00", end: "18:00", days: [weekday] }),
  };
}

const countIn = (calls: Call[], states: readonly string[]) =>
  calls.filter(({ status }) => states.includes(status)).length;
const readAll = (server: Running, ids: string[]) => Promise.all(ids.map((id) => readCall(server, id)));

/** The dispatcher polls every 30 s; a shorter delay proves that it was woken. */
const NOT_BY_CHANCE_MS = 15_000;

/** Asserts that `after` was dialled as soon as `before` had ended. */
function expectRightAfter(before: Call, after: Call): void {
  const gapMs = Date.parse(after.call_triggered_at!) - Date.parse(before.completed_at!);
  expect(gapMs).toBeGreaterThanOrEqual(0);
  expect(gapMs).toBeLessThan(NOT_BY_CHANCE_MS);
}

describe("lines", () => {
  test("the base plan allows five concurrent calls; the sixth is queued with a reason, can be cancelled, and is dialled when one ends", async () => {
    const server = await start(3);
    const first = await Promise.all(
      Array.from({ length: 5 }, () => place(server, { user_number: numberEnding("0009") })),
    );
    await until(async () => countIn(await readAll(server, first), LIVE) === 5);
    const sixth = await place(server, { user_number: numberEnding("0001") });
    const seventh = await place(server);
    const waiting = await callIn(server, sixth, ["queued"]);
    // It is dialled when a line is free; that time is unknown.
    expect(waiting).toMatchObject({ hold_reason: "waiting_for_line", call_triggered_at: null, next_attempt_at: null });
    await callIn(server, seventh, ["queued"]);
    expect(await ask(server, "POST", `/v1/calls/${seventh}/cancel`)).toMatchObject({
      status: 200,
      data: { status: "cancelled" },
    });

    const sixthEnded = await finished(server, sixth);
    expect(sixthEnded).toMatchObject({ error: { code: "busy" }, hold_reason: null, next_attempt_at: null });
    const ended = await Promise.all(first.map((id) => finished(server, id)));
    const firstEnd = Math.min(...ended.map(({ completed_at }) => Date.parse(completed_at!)));
    const waitedMs = Date.parse(sixthEnded.call_triggered_at!) - firstEnd;
    expect(waitedMs).toBeGreaterThanOrEqual(0);
    expect(waitedMs).toBeLessThan(NOT_BY_CHANCE_MS);
    expect(await readCall(server, seventh)).toMatchObject({
      status: "cancelled",
      hold_reason: null,
      next_attempt_at: null,
    });
    expect(dialled(server.output())).not.toContain(seventh);
  });

  test("a number with one line carries one call; the next is dialled afterwards", async () => {
    const server = await start(8);
    const { agentId } = await newAgent(server, { lines: 1 });
    const first = await place(server, { agent_id: agentId, user_number: numberEnding("0009") });
    await callIn(server, first, LIVE);
    const second = await place(server, { agent_id: agentId, user_number: numberEnding("0009") });
    const waiting = await callIn(server, second, ["queued"]);
    expect(waiting.hold_reason).toBe("number_lines_busy");
    expect(Date.parse(waiting.next_attempt_at!)).toBeGreaterThan(Date.now() - 1_000);
    const after = await finished(server, second, 15_000);
    expectRightAfter(await readCall(server, first), after);
  });

  test("a second call to the same number waits until the first has ended", async () => {
    const server = await start(8);
    const number = numberEnding("0009");
    const first = await place(server, { user_number: number });
    await callIn(server, first, LIVE);
    const second = await place(server, { user_number: number });
    expect(await callIn(server, second, ["queued"])).toMatchObject({ hold_reason: "number_in_call" });
    const after = await finished(server, second, 15_000);
    expectRightAfter(await readCall(server, first), after);
  });

  test("the appliance's own limit applies across all agents", async () => {
    const server = await start(3, { RINGWARD_CALLS__CONCURRENT_CALLS: "1" });
    const { agentId } = await newAgent(server);
    const first = await place(server, { user_number: numberEnding("0009") });
    await callIn(server, first, LIVE);
    const second = await place(server, { agent_id: agentId });
    expect(await callIn(server, second, ["queued"])).toMatchObject({ hold_reason: "waiting_for_line" });
    const dialledLater = await callIn(server, second, LIVE);
    expectRightAfter(await readCall(server, first), dialledLater);
  });
});

describe("calling hours", () => {
  test("outside them a call is queued with the reason and the time when they open in the callee's time zone", async () => {
    const server = await startInEarnest();
    const { opensAt, hours } = closedHours();
    const { agentId } = await newAgent(server, { more: ["--calling-hours", hours] });
    const id = await place(server, { agent_id: agentId, user_number: "+912255550100" });
    await until(async () => (await readCall(server, id)).hold_reason === "outside_calling_hours");
    expect(await readCall(server, id)).toMatchObject({
      status: "queued",
      next_attempt_at: opensAt.toISOString(),
      call_triggered_at: null,
      error: null,
    });
    expect((await ask(server, "POST", `/v1/calls/${id}/cancel`)).status).toBe(200);
  });

  test("are 09:00 to 20:00 for a new agent, unless its owner sets others", async () => {
    const server = await start(100);
    const [made] = await commandJson<{ calling_hours: unknown }[]>(server, "agents", "list");
    expect(made?.calling_hours).toEqual({ start: "09:00", end: "20:00", days: [0, 1, 2, 3, 4, 5, 6] });
    const { agentId } = await newAgent(server);
    const agents = await commandJson<{ agent_id: string; calling_hours: unknown }[]>(server, "agents", "list");
    expect(agents.find(({ agent_id }) => agent_id === agentId)?.calling_hours).toBeNull();
  });

  test("are not enforced in the demo, which reports what they would hold", async () => {
    const server = await start(100, BY_DEFAULT);
    const { agentId } = await newAgent(server, { more: ["--calling-hours", closedHours().hours] });
    const call = { agent_id: agentId, user_number: talkative() };
    const tried = await ask(server, "POST", "/v1/calls?dry_run=true", { body: call });
    expect(tried.data).toMatchObject({ held_back_by: [] });
    const { would_be_held_by } = tried.data as { would_be_held_by: { reason: string }[] };
    expect(would_be_held_by.map(({ reason }) => reason)).toContain("outside_calling_hours");
    expect((await placeAndFinish(server, call)).status).toBe("completed");
  });
});

describe("a call that policy forbids ends disallowed and is not dialled", () => {
  test("a number on the do-not-disturb list, until it is removed", async () => {
    const server = await start(100);
    const number = talkative();
    await command(server, "dnd", "add", number);
    const refused = await placeAndFinish(server, { user_number: number });
    expect(refused).toMatchObject({
      status: "disallowed",
      error: { code: "do_not_disturb", message: expect.any(String) },
      call_triggered_at: null,
      credits_consumed: null,
      call_recording: null,
      hold_reason: null,
    });
    expect(refused.completed_at).not.toBeNull();
    expect(dialled(server.output())).not.toContain(refused.call_id);
    expect((await ask(server, "POST", `/v1/calls/${refused.call_id}/cancel`)).status).toBe(409);
    expect((await ask(server, "DELETE", `/v1/calls/${refused.call_id}`)).status).toBe(404);

    await command(server, "dnd", "remove", number);
    expect((await placeAndFinish(server, { user_number: number })).status).toBe("completed");
  });

  test("a call without credits, until credits are added; a conversation costs what it reports", async () => {
    const server = await start(100);
    expect(await command(server, "credits", "grant", "--", "-999")).toContain("The balance is 1 now.");
    const last = await placeAndFinish(server, { user_number: numberEnding("0009") });
    expect(last).toMatchObject({ status: "completed", credits_consumed: 1 });
    const refused = await placeAndFinish(server);
    expect(refused).toMatchObject({ status: "disallowed", error: { code: "insufficient_credits" } });
    expect(dialled(server.output())).toEqual([last.call_id]);

    expect(await command(server, "credits", "grant", "3")).toContain("The balance is 3 now.");
    expect((await placeAndFinish(server, { user_number: numberEnding("0001") })).status).toBe("failed");
    expect(await command(server, "credits", "grant", "1")).toContain("The balance is 4 now.");
    await command(server, "credits", "grant", "--", "-4");
    await command(server, "credits", "unlimited", "on");
    expect((await placeAndFinish(server)).status).toBe("completed");
  });
});
