// Recovery after a crash: calls held by a carrier have ended, and nothing is dialled twice.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import type { Call } from "../../../src/calls/call/records.ts";
import type { Row } from "../../../src/db/tables.ts";
import { keepLeg, legsKeptSince } from "../../../src/calls/life/leg-store.ts";
import { LIVE_STATES } from "../../../src/calls/call/state.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import { proofOf } from "../../../src/rules/proof/proof-store.ts";
import { mulawWavHeader } from "../../../src/audio/wav.ts";
import { parseWav } from "../../telephony/wav.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({ agent: { retry_attempts: 1, retry_minutes: 10, retry_outcomes: ["interrupted"] } });
  await hospital.subscribe();
});
afterEach(() => hospital.close());

/** The state a crash leaves: the row says that a carrier holds the call, and none does. */
async function leftBehind(state: Call["state"], change: Partial<Row<"calls">> = {}): Promise<string> {
  const id = await hospital.schedule({ user_number: `+9198100${String(++numbers).padStart(5, "0")}` });
  const now = hospital.clock.now();
  const { recordings } = hospital.app.services;
  const recording_file = recordings.newName();
  await Bun.write(recordings.pathOf(recording_file), "RIFF cut off");
  await hospital.db.write((tx) =>
    tx
      .updateTable("calls")
      .set({ state, triggered_at: now, event_sequence: 1, recording_file, ...change })
      .where("id", "=", id)
      .execute(),
  );
  return id;
}
let numbers = 0;

test.each([...LIVE_STATES])("a call left %s becomes failed, interrupted, with its event", async (state) => {
  const id = await leftBehind(state);
  await hospital.clock.advance(HOUR_MS);
  await hospital.app.start();
  expect(await hospital.view(id)).toMatchObject({
    status: "failed",
    error: { code: "interrupted", message: expect.stringContaining("stopped") },
    completed_at: new Date(hospital.clock.now()).toISOString(),
    credits_consumed: null,
    call_recording: null,
  });
  const events = await hospital.eventsOf(id);
  expect(events.map(({ type, parsed }) => [type, parsed.sequence])).toEqual([["call.failed", 2]]);
  expect(events[0]?.parsed.error).toStartWith("interrupted: ");
});

test("it is not dialled again; its retry is another call", async () => {
  const id = await leftBehind("ringing");
  await hospital.app.start();
  const { scheduled_call_id } = await hospital.view(id);
  await hospital.clock.advance(10 * MINUTE_MS);
  expect(hospital.carrier.dialled.map(({ callId }) => callId)).toEqual([scheduled_call_id!]);
  expect((await hospital.eventsOf(id)).at(-1)?.parsed.scheduled_call_id).toBe(scheduled_call_id);
});

test("if the agent does not retry interruptions, nothing follows", async () => {
  await hospital.db.write((tx) => tx.updateTable("agents").set({ retry_outcomes: "busy" }).execute());
  const id = await leftBehind("in_progress");
  await hospital.app.start();
  expect((await hospital.view(id)).scheduled_call_id).toBeNull();
});

test("the recording before the crash is playable, and gives the duration of the talk", async () => {
  const id = await leftBehind("in_progress", { answered_at: hospital.clock.now() });
  const path = hospital.app.services.recordings.pathOf((await hospital.row(id)).recording_file!);
  const head = mulawWavHeader({ channels: 2, frames: 0 });
  await Bun.write(path, Buffer.concat([head, Buffer.alloc(2 * 8_000 * 3, 0xff)]));
  await hospital.app.start();
  const call = await hospital.view(id);
  expect(call).toMatchObject({ status: "failed", call_duration_seconds: 3, error: { code: "interrupted" } });
  const link = new URL(call.call_recording!);
  const heard = await hospital.request("GET", link.pathname + link.search, { key: null });
  expect(heard.status).toBe(200);
  expect(parseWav(readFileSync(path)).durationSeconds).toBe(3);
});

test.each([
  ["an answered call is not known", true, null],
  ["a call that nobody answered is nothing", false, []],
] as const)("what was said on %s, in its proof", async (_, isAnswered, notices) => {
  const id = await leftBehind("ringing", isAnswered ? { state: "in_progress", answered_at: hospital.clock.now() } : {});
  await hospital.app.start();
  await hospital.clock.advance(2_000);
  await settle();
  const line = await proofOf(hospital.db.reader, hospital.organisationId, id);
  expect(JSON.parse(line ?? "")).toMatchObject({ record: { notices, recording: null } });
});

test("a partial recording without audio is removed", async () => {
  const id = await leftBehind("in_progress");
  const path = hospital.app.services.recordings.pathOf((await hospital.row(id)).recording_file!);
  await hospital.app.start();
  expect(existsSync(path)).toBeFalse();
  expect((await hospital.row(id)).recording_file).toBeNull();
});

test("calls that had not started, or had ended, are unchanged", async () => {
  const ids = [
    await hospital.schedule({ scheduled_time: new Date(hospital.clock.now() + HOUR_MS).toISOString() }),
    await leftBehind("completed"),
    await leftBehind("failed"),
    await leftBehind("cancelled"),
    await leftBehind("disallowed"),
  ];
  const before = await Promise.all(ids.map((id) => hospital.row(id)));
  await hospital.app.start();
  await settle();
  expect(await Promise.all(ids.map((id) => hospital.row(id)))).toEqual(before);
});

test("a call that became due during downtime is dialled immediately", async () => {
  const id = await hospital.schedule();
  await hospital.clock.advance(HOUR_MS);
  await hospital.app.start();
  await hospital.clock.advance(0);
  expect(hospital.carrier.dialled.map(({ callId }) => callId)).toEqual([id]);
});

test("a queued call stays queued, and is then dialled", async () => {
  const id = await leftBehind("queued", {
    triggered_at: null,
    event_sequence: 0,
    hold_reason: "waiting_for_line",
    recording_file: null,
  });
  await hospital.clock.advance(HOUR_MS);
  await hospital.app.start();
  await hospital.clock.advance(0);
  expect(hospital.carrier.dialled.map(({ callId }) => callId)).toEqual([id]);
});

test("all interrupted calls are settled before a new one starts", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 40; i++) ids.push(await leftBehind(LIVE_STATES[i % 3]!));
  await hospital.app.start();
  const states = await Promise.all(ids.map(async (id) => (await hospital.row(id)).state));
  expect(new Set(states)).toEqual(new Set(["failed"]));
  expect(hospital.carrier.dialled).toEqual([]);
});

test("the carrier's state of a call is stored while the call lives, as last reported, and removed at its end", async () => {
  await hospital.app.start();
  const legs = () => legsKeptSince(hospital.db.reader, 0);
  const id = await hospital.dial();
  hospital.carrier.keepLeg(id, "first");
  hospital.carrier.answer(id);
  hospital.carrier.keepLeg(id, "second");
  await settle();
  expect(await legs()).toEqual(["second"]);
  expect(await legsKeptSince(hospital.db.reader, hospital.clock.now() + 1)).toEqual([]);
  hospital.carrier.complete(id);
  hospital.carrier.keepLeg(id, "too late");
  await settle();
  expect(await legs()).toEqual([]);
});

test("after a crash it is removed too, once the call has ended as interrupted", async () => {
  const id = await leftBehind("in_progress");
  await hospital.db.write((tx) => keepLeg(tx, { call_id: id, leg: "left", kept_at: hospital.clock.now() }));
  await hospital.app.start();
  expect(await legsKeptSince(hospital.db.reader, 0)).toEqual([]);
});
