// The dispatcher: lines, fairness, holds, rejections, and clock changes.
import { afterEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import { createTrunkBoard } from "../../../src/telephony/sip/carrier/trunk-board.ts";
import { trunkAt } from "../../telephony/sip/call/agent-under-test.ts";
import { trunkState } from "../../telephony/sip/carrier/fake-worker.ts";
import { isOnPostgres, onlySqlite } from "../../support/engines.ts";
import { createHospital, DIAL_DELAY_MS, type Hospital, type HospitalOptions } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";
import { storedRows } from "../../support/stored-rows.ts";

let hospital: Hospital;
/** A test may stop the app itself to check what it left behind. */
let isStopped = false;
async function stop(): Promise<void> {
  await hospital.app.stop();
  isStopped = true;
}
async function open(options: HospitalOptions = {}): Promise<void> {
  hospital = await createHospital(options);
  await hospital.app.start();
}
afterEach(async () => {
  if (!isStopped) await hospital.close();
  rmSync(hospital.dataDir, { recursive: true, force: true });
  isStopped = false;
});

const number = (i: number) => `+9198100${String(i).padStart(5, "0")}`;
async function scheduleMany(count: number, changes: Record<string, unknown> = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await hospital.schedule({ user_number: number(i), ...changes }));
  return ids;
}
const due = () => hospital.clock.advance(DIAL_DELAY_MS);
const dialled = () => hospital.carrier.dialled.map(({ callId }) => callId);
const holds = async (ids: string[]) => Promise.all(ids.map(async (id) => (await hospital.row(id)).hold_reason));

describe("time", () => {
  onlySqlite("hours of the clock are minutes on PostgreSQL")(
    "a call goes out at its time and not a millisecond before",
    async () => {
      await open();
      const id = await hospital.schedule({
        scheduled_time: new Date(hospital.clock.now() + 7 * HOUR_MS + 1).toISOString(),
      });
      await hospital.clock.advance(7 * HOUR_MS);
      expect(dialled()).toEqual([]);
      await hospital.clock.advance(1);
      expect(dialled()).toEqual([id]);
      expect((await hospital.row(id)).triggered_at).toBe(hospital.clock.now());
    },
  );

  test("a call that falls due while another is being dialled is dialled right after it", async () => {
    await open();
    const at = (ms: number) => new Date(hospital.clock.now() + ms).toISOString();
    const first = await hospital.schedule({ scheduled_time: at(5_000) });
    const second = await hospital.schedule({ user_number: number(1), scheduled_time: at(5_006) });
    hospital.carrier.onDial = () => hospital.clock.jump(10);
    await hospital.clock.advance(5_000);
    expect(dialled()).toEqual([first, second]);
  });

  test("an earlier call created later is not delayed by a later one", async () => {
    await open();
    const later = await hospital.schedule({ scheduled_time: new Date(hospital.clock.now() + 25_000).toISOString() });
    await hospital.clock.advance(1_000);
    const sooner = await hospital.schedule({ user_number: number(1) });
    await due();
    expect(dialled()).toEqual([sooner]);
    await hospital.clock.advance(10_000);
    expect(dialled()).toEqual([sooner, later]);
  });

  test("calls due at the same moment are all dialled", async () => {
    await open({ settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" }, numberLines: 1_000 });
    const ids = await scheduleMany(isOnPostgres ? 40 : 130);
    await due();
    expect(dialled().toSorted()).toEqual(ids.toSorted());
  });

  test("a clock set forward by a few minutes dials what became due, within 30 s", async () => {
    await open();
    const id = await hospital.schedule({
      scheduled_time: new Date(hospital.clock.now() + 4 * MINUTE_MS).toISOString(),
    });
    await hospital.clock.advance(MINUTE_MS);
    hospital.clock.jump(4 * MINUTE_MS);
    await hospital.clock.advance(30_000);
    expect(dialled()).toEqual([id]);
  });

  test("a clock set back dials nothing early and nothing twice", async () => {
    await open();
    const first = await hospital.dial();
    const second = await hospital.schedule({ user_number: number(2) });
    hospital.clock.jump(-2 * HOUR_MS);
    await hospital.clock.advance(10 * MINUTE_MS);
    expect(dialled()).toEqual([first]);
    hospital.clock.jump(2 * HOUR_MS);
    await hospital.clock.advance(30_000);
    expect(dialled()).toEqual([first, second]);
    await hospital.clock.advance(10 * MINUTE_MS);
    expect(dialled()).toEqual([first, second]);
  });

  test("a clock set back does not keep a held call waiting until it has caught up", async () => {
    await open();
    const first = await hospital.dial();
    const second = await hospital.schedule();
    await due();
    expect(await holds([second])).toEqual(["number_in_call"]);
    hospital.clock.jump(-4 * MINUTE_MS);
    hospital.carrier.talk(first);
    await hospital.clock.advance(30_000);
    expect(dialled()).toEqual([first, second]);
  });
});

describe("initiated is on disk before the carrier gets the call", () => {
  test("as seen by another connection", async () => {
    await open();
    const seen: unknown[] = [];
    hospital.carrier.onDial = ({ callId }) => {
      seen.push(...storedRows(hospital.dataDir, `SELECT state, event_sequence FROM calls WHERE id = '${callId}'`));
    };
    await hospital.dial();
    expect(seen).toEqual([{ state: "initiated", event_sequence: 1 }]);
  });
});

describe("limits", () => {
  test("of the plan: the rest waits, and is dialled as lines become free", async () => {
    await open({ settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "2" } });
    const ids = await scheduleMany(5);
    await due();
    expect(dialled()).toEqual(ids.slice(0, 2));
    expect(await hospital.view(ids[2]!)).toMatchObject({ status: "queued", hold_reason: "waiting_for_line" });
    hospital.carrier.talk(ids[0]!);
    await hospital.clock.advance(1);
    expect(dialled()).toEqual(ids.slice(0, 3));
    for (const id of ids) {
      if (hospital.carrier.live.has(id)) hospital.carrier.fail(id);
      await hospital.clock.advance(1);
    }
    expect(dialled()).toEqual(ids);
  });

  test("of the number: the rest waits with the reason", async () => {
    await open({ numberLines: 1 });
    const ids = await scheduleMany(3);
    await due();
    expect(dialled()).toEqual([ids[0]!]);
    expect((await holds(ids)).slice(1)).toEqual(["number_lines_busy", "number_lines_busy"]);
    const { next_attempt_at } = await hospital.view(ids[1]!);
    expect(Date.parse(next_attempt_at!)).toBeGreaterThan(hospital.clock.now());
    hospital.carrier.talk(ids[0]!);
    await hospital.clock.advance(5_000);
    expect(dialled()).toHaveLength(2);
  });

  test("of the number: a second number of the agent takes the overflow", async () => {
    await open({ numberLines: 1 });
    const { agents } = hospital.app.services;
    await agents.addNumber(
      hospital.organisationId,
      { number: "+15555559999", agentId: hospital.agentId, concurrentCalls: 1 },
      CLI_ACTOR,
    );
    await scheduleMany(3);
    await due();
    expect(hospital.carrier.dialled.map(({ from }) => from)).toEqual(["+15555551000", "+15555559999"]);
  });

  test("of the appliance", async () => {
    await open({ settings: { RINGWARD_CALLS__CONCURRENT_CALLS: "1" } });
    const ids = await scheduleMany(3);
    await due();
    expect(dialled()).toEqual([ids[0]!]);
    hospital.carrier.talk(ids[0]!);
    await hospital.clock.advance(1);
    expect(dialled()).toEqual(ids.slice(0, 2));
  });

  test("of the carrier's lines", async () => {
    await open({ carrierLines: 3 });
    await scheduleMany(5);
    await due();
    expect(dialled()).toHaveLength(3);
  });

  test("of the trunk's calls per second: the rest waits and goes out at that pace", async () => {
    await open({ settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" } });
    const { carrier, clock } = hospital;
    const board = createTrunkBoard(clock.elapsedMs);
    board.set([trunkAt(5060, { lines: 100, callsPerSecond: 1 })]);
    board.seen([trunkState()]);
    const status = { worker: "running", message: null, restarts: 0 } as const;
    carrier.trunkLines = () => board.trunkLines("main", { status, lagP99Ms: 0, liveCalls: carrier.live.size });
    carrier.onDial = () => board.dialled("main");
    const ids = await scheduleMany(12);
    await due();
    const counts = [dialled().length];
    expect(await holds(ids)).toContain("trunk_lines_busy");
    for (let second = 0; second < 9; second++) {
      await clock.advance(1_000);
      counts.push(dialled().length);
    }
    expect(counts).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test("one live call per contact: the second waits for the first, without delaying others", async () => {
    await open();
    const first = await hospital.schedule();
    const second = await hospital.schedule();
    const other = await hospital.schedule({ user_number: number(7) });
    await due();
    expect(dialled()).toEqual([first, other]);
    expect(await hospital.view(second)).toMatchObject({ status: "queued", hold_reason: "number_in_call" });
    hospital.carrier.talk(first);
    await hospital.clock.advance(5_000);
    expect(dialled()).toEqual([first, other, second]);
    expect((await hospital.row(second)).hold_reason).toBeNull();
  });

  test("another organisation's call to the same person has no effect", async () => {
    await open();
    const { key, agentId } = await hospital.neighbour();
    await hospital.schedule();
    await hospital.post({ agent_id: agentId }, { key });
    await due();
    expect(dialled()).toHaveLength(2);
  });

  test("sixty waiting calls do not delay the one behind them", async () => {
    await open();
    for (let i = 0; i < 60; i++) await hospital.schedule();
    const other = await hospital.schedule({ user_number: number(7) });
    await due();
    expect(dialled()).toHaveLength(2);
    expect(dialled()).toContain(other);
  });
});

describe("fairness", () => {
  test("two organisations share the lines, however many calls one of them has", async () => {
    await open({ carrierLines: 4, settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "100" } });
    const { organisationId, key, agentId } = await hospital.neighbour();
    await scheduleMany(40);
    for (let i = 0; i < 3; i++) await hospital.post({ agent_id: agentId, user_number: number(900 + i) }, { key });
    await due();
    const ownerOf = async (id: string) => (await hospital.row(id)).organisation_id;
    const owners = await Promise.all(dialled().map(ownerOf));
    expect(owners.filter((owner) => owner === organisationId)).toHaveLength(2);
    // Lines become free one at a time: both organisations alternate until the small one has no more calls.
    for (let i = 0; i < 4; i++) {
      hospital.carrier.fail([...hospital.carrier.live][0]!);
      await hospital.clock.advance(1);
    }
    const all = await Promise.all(dialled().map(ownerOf));
    expect(all.filter((owner) => owner === organisationId)).toHaveLength(3);
  });

  test("with one line, no organisation is always last", async () => {
    await open({ carrierLines: 1 });
    const others = [await hospital.neighbour(), await hospital.neighbour()];
    await scheduleMany(6);
    for (const { key, agentId } of others) {
      for (let i = 0; i < 6; i++) await hospital.post({ agent_id: agentId, user_number: number(500 + i) }, { key });
    }
    await due();
    for (let i = 0; i < 8; i++) {
      hospital.carrier.fail([...hospital.carrier.live][0]!);
      await hospital.clock.advance(1);
    }
    const owners = await Promise.all(dialled().map(async (id) => (await hospital.row(id)).organisation_id));
    const counts = Map.groupBy(owners, (owner) => owner);
    expect([...counts.values()].map((calls) => calls.length)).toEqual([3, 3, 3]);
  });
});

describe("calling hours", () => {
  const office = { calling_hours: { start: "12:00", end: "13:00", days: [0, 1, 2, 3, 4, 5, 6] } };

  test("hold a call until they open in the callee's time zone, and say so", async () => {
    await open({ isEnforced: true, agent: office });
    const id = await hospital.schedule();
    await due();
    expect(await hospital.view(id)).toMatchObject({
      status: "queued",
      hold_reason: "outside_calling_hours",
      next_attempt_at: "2026-11-15T06:30:00.000Z",
    });
    await hospital.clock.advance(Date.parse("2026-11-15T06:30:00Z") - hospital.clock.now() - 1);
    expect(dialled()).toEqual([]);
    await hospital.clock.advance(1);
    expect(dialled()).toEqual([id]);
  });

  test("use the callee's time zone, not the hospital's", async () => {
    await open({ isEnforced: true, agent: office });
    const id = await hospital.schedule({ user_number: "+12125550123" });
    await due();
    expect((await hospital.view(id)).next_attempt_at).toBe("2026-11-15T17:00:00.000Z");
  });

  test("that close while a call waits for a line hold it until the next day", async () => {
    await open({ isEnforced: true, agent: office, numberLines: 1 });
    await hospital.clock.advance(Date.parse("2026-11-15T07:29:00Z") - hospital.clock.now());
    const first = await hospital.schedule();
    const second = await hospital.schedule({ user_number: number(2) });
    await hospital.clock.advance(2 * MINUTE_MS);
    hospital.carrier.talk(first);
    await hospital.clock.advance(MINUTE_MS);
    expect(dialled()).toEqual([first]);
    expect(await hospital.view(second)).toMatchObject({
      hold_reason: "outside_calling_hours",
      next_attempt_at: "2026-11-16T06:30:00.000Z",
    });
  });

  test("a held call can be cancelled", async () => {
    await open({ isEnforced: true, agent: office });
    const id = await hospital.schedule();
    await due();
    expect((await hospital.request("POST", `/v1/calls/${id}/cancel`)).status).toBe(200);
    await hospital.clock.leap(2 * HOUR_MS);
    expect(dialled()).toEqual([]);
  });
});

describe("policy", () => {
  test("too few credits: disallowed, with its event, and never dialled", async () => {
    await open();
    await hospital.subscribe();
    await hospital.db.write((tx) => tx.updateTable("organisations").set({ credit_balance: 0 }).execute());
    const id = await hospital.schedule();
    await due();
    expect(dialled()).toEqual([]);
    expect(await hospital.view(id)).toMatchObject({
      status: "disallowed",
      error: { code: "insufficient_credits" },
      call_triggered_at: null,
      next_attempt_at: null,
      hold_reason: null,
    });
    const events = await hospital.eventsOf(id);
    expect(events.map(({ type, parsed }) => [type, parsed.sequence, parsed.status])).toEqual([
      ["call.disallowed", 1, "disallowed"],
    ]);
    expect(events[0]?.parsed.error).toStartWith("insufficient_credits: ");
  });

  test("do-not-disturb: disallowed at dial time, also if the number was listed after creation", async () => {
    await open();
    await hospital.subscribe();
    const id = await hospital.schedule();
    await hospital.app.services.doNotDisturb.add(hospital.organisationId, "+919810012345", CLI_ACTOR);
    await due();
    expect(await hospital.view(id)).toMatchObject({ status: "disallowed", error: { code: "do_not_disturb" } });
    expect((await hospital.eventsOf(id)).map(({ type }) => type)).toEqual(["call.disallowed"]);
    await hospital.app.services.doNotDisturb.remove(hospital.organisationId, "+919810012345", CLI_ACTOR);
    const again = await hospital.schedule();
    await due();
    expect(dialled()).toEqual([again]);
  });

  test("an expensive number stored before such numbers were rejected: disallowed, and never a transfer target", async () => {
    await open();
    const id = await hospital.schedule();
    await hospital.db.write(async (tx) => {
      await tx.updateTable("calls").set({ contact_number: "+19005550100" }).where("id", "=", id).execute();
      await tx.updateTable("agents").set({ transfer_to: "+881612345678" }).execute();
    });
    const ordinary = await hospital.schedule({ user_number: number(1) });
    await due();
    expect(dialled()).toEqual([ordinary]);
    expect(hospital.carrier.dialled[0]?.brief.transferTo).toBeNull();
    const { status, error } = await hospital.view(id);
    expect([status, error?.code]).toEqual(["disallowed", "invalid_number"]);
    expect(error?.message).toContain("premium-rate");
  });

  test("do-not-disturb of one organisation does not affect another", async () => {
    await open();
    const { organisationId } = await hospital.neighbour();
    await hospital.app.services.doNotDisturb.add(organisationId, "+919810012345", CLI_ACTOR);
    await hospital.dial();
  });

  test("the agent gets its own organisation's pronunciations only", async () => {
    await open();
    const { pronunciations } = hospital.app.services;
    const { organisationId } = await hospital.neighbour();
    await pronunciations.put(organisationId, { word: "Iyer", said: "EYE-yer" }, CLI_ACTOR);
    await pronunciations.put(hospital.organisationId, { word: "Sharma", said: "SHAR-ma" }, CLI_ACTOR);
    await hospital.dial();
    expect(hospital.carrier.dialled[0]?.brief.pronunciations).toEqual([{ word: "Sharma", said: "SHAR-ma" }]);
  });

  test("unlimited credits never reject", async () => {
    await open();
    await hospital.db.write((tx) => tx.updateTable("organisations").set({ credit_balance: -50 }).execute());
    await hospital.app.services.credits.setUnlimited(hospital.organisationId, true, CLI_ACTOR);
    await hospital.dial();
  });

  test("an agent without a number holds its calls until it has one again", async () => {
    await open();
    const { agents } = hospital.app.services;
    const id = await hospital.schedule();
    await agents.assignNumber(hospital.organisationId, "+15555551000", null, CLI_ACTOR);
    await due();
    expect((await hospital.view(id)).hold_reason).toBe("agent_has_no_number");
    await agents.assignNumber(hospital.organisationId, "+15555551000", hospital.agentId, CLI_ACTOR);
    await hospital.clock.advance(5_000);
    expect(dialled()).toEqual([id]);
  });
});

describe("stopping", () => {
  test("leaves no partial claims: calls the carrier did not get still wait, the others are initiated", async () => {
    hospital = await createHospital({
      settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" },
      numberLines: 1_000,
    });
    const ids = await scheduleMany(isOnPostgres ? 40 : 150);
    hospital.clock.jump(DIAL_DELAY_MS);
    await hospital.app.start();
    void hospital.clock.advance(0);
    // In the middle of the first round.
    await new Promise((resolve) => setImmediate(resolve));
    const heard = new Set(hospital.carrier.dialled.map(({ callId }) => callId));
    hospital.carrier.onDial = ({ callId }) => heard.add(callId);
    await stop();
    const rows = storedRows<{ id: string; state: string; error_code: string | null }>(
      hospital.dataDir,
      "SELECT id, state, error_code FROM calls",
    );
    expect(rows).toHaveLength(ids.length);
    for (const { id, state, error_code } of rows) {
      if (heard.has(id)) expect([state, error_code]).toEqual(["failed", "interrupted"]);
      else expect(["scheduled", "queued"]).toContain(state);
    }
  });

  test("dials nothing afterwards", async () => {
    hospital = await createHospital();
    await hospital.app.start();
    await hospital.schedule();
    await stop();
    await hospital.clock.advance(HOUR_MS);
    await settle();
    expect(hospital.carrier.dialled).toEqual([]);
  });
});
