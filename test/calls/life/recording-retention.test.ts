// Recordings have a retention of their own: the call stays, and says when its recording was removed.
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

async function open(keepDays: number): Promise<void> {
  hospital = await createHospital({ logged: true, settings: { RINGWARD_RECORDINGS__KEEP_DAYS: String(keepDays) } });
  await hospital.app.start();
}

/** Files of a call that has ended, and how to end it. */
async function recordedCall(end: "completed" | "failed" = "completed") {
  const id = await hospital.dial();
  const recordingFile = hospital.carrier.dialled.at(-1)!.recordingFile;
  const { captures } = hospital.app.services;
  if (end === "completed") hospital.carrier.talk(id, { recorded: true });
  else hospital.carrier.fail(id, "interrupted");
  await settle();
  writeFileSync(recordingFile, "audio");
  const capture = captures.newName();
  writeFileSync(captures.pathOf(capture), "packets");
  await hospital.db.write(async (tx) => {
    const line = { call_id: id, trunk_id: "trk_1", trace: "[]", media: null, capture_file: capture };
    await tx.insertInto("call_lines").values(line).execute();
    const name = recordingFile.split("/").at(-1)!;
    await tx.updateTable("calls").set({ recording_file: name }).where("id", "=", id).execute();
  });
  const files = [recordingFile, captures.pathOf(capture)];
  return { id, isThere: () => files.map((file) => existsSync(file)) };
}

const run = (atMs: number) => hospital.app.services.retention.run(atMs);
const planned = () => hospital.db.reader.selectFrom("file_removals").selectAll().execute();

describe.each(["completed", "failed"] as const)("the recording of a call that %s", (end) => {
  test("is removed with its capture after keep_days, not before; the call keeps its result and names the time", async () => {
    await open(30);
    const { id, isThere } = await recordedCall(end);
    const before = await hospital.view(id);
    await run(hospital.clock.now() + 30 * DAY_MS - 1);
    expect(isThere()).toEqual([true, true]);
    const expiredAt = hospital.clock.now() + 30 * DAY_MS;
    await run(expiredAt);
    expect(isThere()).toEqual([false, false]);
    expect(await planned()).toEqual([]);
    expect(await hospital.view(id)).toEqual({
      ...before,
      call_recording: null,
      recording_expired_at: new Date(expiredAt).toISOString(),
      updated_at: new Date(expiredAt).toISOString(),
    });
    expect(before.call_recording).not.toBeNull();
    await run(expiredAt + DAY_MS);
    expect((await hospital.view(id)).recording_expired_at).toBe(new Date(expiredAt).toISOString());
  });
});

test("without keep_days a recording stays as long as its call", async () => {
  await open(0);
  const { isThere } = await recordedCall();
  await run(hospital.clock.now() + 10_000 * DAY_MS);
  expect(isThere()).toEqual([true, true]);
});

test("a removal that the database rejects keeps row and files, and the next run removes them", async () => {
  await open(1);
  const { id, isThere } = await recordedCall();
  const { write } = hospital.db;
  hospital.db.write = () => Promise.reject(new AppError("UNAVAILABLE", "database or disk is full"));
  const later = hospital.clock.now() + 2 * DAY_MS;
  await expect(run(later)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  hospital.db.write = write;
  expect(isThere()).toEqual([true, true]);
  expect((await hospital.view(id)).recording_expired_at).toBeNull();
  await run(later);
  expect(isThere()).toEqual([false, false]);
});

test("every old recording is removed, however many there are", async () => {
  await open(1);
  const { id: first } = await recordedCall();
  await hospital.db.write(async (tx) => {
    const { id, ...row } = await tx.selectFrom("calls").selectAll().where("id", "=", first).executeTakeFirstOrThrow();
    for (let i = 0; i < 450; i++)
      await tx
        .insertInto("calls")
        .values({ ...row, id: `${id}${i}` })
        .execute();
  });
  await run(hospital.clock.now() + 2 * DAY_MS);
  const left = await hospital.db.reader
    .selectFrom("calls")
    .select("id")
    .where("recording_file", "is not", null)
    .execute();
  expect(left).toEqual([]);
});

test("a recording under a hold stays, and goes when the hold is released", async () => {
  await open(1);
  const held = await recordedCall();
  const other = await recordedCall();
  const { holds } = hospital.app.services;
  const hold = { subject: "call", call_id: held.id, reason: "A complaint is being examined." } as const;
  const made = await holds.add(hospital.organisationId, hold, CLI_ACTOR);
  const later = hospital.clock.now() + 2 * DAY_MS;
  await run(later);
  expect([held.isThere(), other.isThere()]).toEqual([
    [true, true],
    [false, false],
  ]);
  await holds.release(hospital.organisationId, made.hold_id, "The complaint was settled.", CLI_ACTOR);
  await run(later);
  expect(held.isThere()).toEqual([false, false]);
});
