// Calls wait for their trunk instead of failing on it, and never exceed its lines.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { releaseHeldByTrunks } from "../../src/calls/queue/queue-store.ts";
import { MINUTE_MS } from "../../src/core/clock.ts";
import type { TrunkLines } from "../../src/telephony/port.ts";
import { createHospital, DIAL_DELAY_MS, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
let trunkLines: Record<string, TrunkLines>;
beforeEach(async () => {
  hospital = await createHospital();
  trunkLines = {};
  hospital.carrier.trunkLines = (trunkId) => trunkLines[trunkId ?? "none"] ?? { kind: "open", lines: 100 };
  await hospital.app.start();
});
afterEach(() => hospital.close());

const number = (i: number) => `+9198100${String(i).padStart(5, "0")}`;
const dialled = () => hospital.carrier.dialled.map(({ callId }) => callId);
const due = () => hospital.clock.advance(DIAL_DELAY_MS);
const closed = (
  reason: Extract<TrunkLines, { kind: "closed" }>["reason"],
  until: number | null = null,
): TrunkLines => ({
  kind: "closed",
  reason,
  until,
});

describe("a trunk that cannot take calls", () => {
  test("holds them with the carrier's own reason, and reports when they are checked again", async () => {
    trunkLines["none"] = closed("number_has_no_trunk");
    const id = await hospital.schedule();
    await due();
    expect(dialled()).toEqual([]);
    expect(await hospital.view(id)).toMatchObject({
      status: "queued",
      hold_reason: "number_has_no_trunk",
      next_attempt_at: new Date(hospital.clock.now() + MINUTE_MS).toISOString(),
    });
  });

  test.each([
    [closed("number_has_no_trunk"), "number_has_no_trunk"],
    [closed("trunk_unavailable"), "trunk_unavailable"],
    [{ kind: "open", lines: 0 } as const, "trunk_lines_busy"],
  ])("is told by a dry run before anybody waits for it", async (lines, reason) => {
    const body = { agent_id: hospital.agentId, user_number: number(1) };
    const dryRun = async () => (await hospital.request("POST", "/v1/calls?dry_run=true", { body })).json.data;
    expect(await dryRun()).toMatchObject({ held_back_by: [] });
    trunkLines["none"] = lines;
    expect(await dryRun()).toMatchObject({ held_back_by: [{ reason }] });
  });

  test("that is suspended until a known time has them dialled at that time", async () => {
    trunkLines["none"] = closed("trunk_unavailable", hospital.clock.now() + DIAL_DELAY_MS + 7_000);
    const id = await hospital.schedule();
    await due();
    delete trunkLines["none"];
    await hospital.clock.advance(6_999);
    expect(dialled()).toEqual([]);
    await hospital.clock.advance(1);
    expect(dialled()).toEqual([id]);
  });

  test("and is back releases them immediately, without waiting for the next check", async () => {
    trunkLines["none"] = closed("trunk_unavailable");
    const ids = [
      await hospital.schedule({ user_number: number(1) }),
      await hospital.schedule({ user_number: number(2) }),
    ];
    await due();
    delete trunkLines["none"];
    await hospital.db.write((tx) => releaseHeldByTrunks(tx, hospital.clock.now()));
    await hospital.clock.advance(30_000);
    expect(dialled().toSorted()).toEqual(ids.toSorted());
  });
});

describe("lines of a trunk", () => {
  test("are counted within one round, before the carrier has the calls", async () => {
    trunkLines["none"] = { kind: "open", lines: 2 };
    for (let i = 0; i < 5; i++) await hospital.schedule({ user_number: number(i) });
    await due();
    expect(dialled()).toHaveLength(2);
    const waiting = (await hospital.db.reader.selectFrom("calls").select("hold_reason").execute()).filter(
      ({ hold_reason }) => hold_reason !== null,
    );
    expect(waiting.map(({ hold_reason }) => hold_reason)).toEqual(Array(3).fill("trunk_lines_busy"));
  });

  test("that become free go to the longest-waiting call", async () => {
    trunkLines["none"] = { kind: "open", lines: 1 };
    const first = await hospital.schedule({ user_number: number(1) });
    const second = await hospital.schedule({ user_number: number(2) });
    await due();
    trunkLines["none"] = { kind: "open", lines: 0 };
    await hospital.clock.advance(5_000);
    expect(dialled()).toEqual([first]);
    trunkLines["none"] = { kind: "open", lines: 1 };
    hospital.carrier.talk(first);
    await hospital.clock.advance(1);
    expect(dialled()).toEqual([first, second]);
  });
});

test("an agent with numbers on two trunks uses the one that can take the call", async () => {
  const { trunks, agents } = hospital.app.services;
  const organisation = hospital.organisationId;
  const away = await trunks.create(organisation, { name: "away", host: "192.0.2.1" }, CLI_ACTOR);
  const here = await trunks.create(organisation, { name: "here", host: "192.0.2.2" }, CLI_ACTOR);
  await agents.setTrunk(organisation, "+15555551000", away.trunk_id, CLI_ACTOR);
  await agents.addNumber(
    organisation,
    { number: "+15555552000", agentId: hospital.agentId, trunkId: here.trunk_id },
    CLI_ACTOR,
  );
  trunkLines[away.trunk_id] = closed("trunk_unavailable");
  await hospital.schedule();
  await due();
  expect(hospital.carrier.dialled).toMatchObject([{ from: "+15555552000", trunkId: here.trunk_id }]);
});
