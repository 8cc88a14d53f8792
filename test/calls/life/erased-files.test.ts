// Rows first, then files: a failed erasure keeps every file, and a successful one removes them, if necessary after a
// crash.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import { createHospital, outcome, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";
import { until } from "../../support/until.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({ logged: true });
  await hospital.app.start();
});
afterEach(() => hospital.close());

const NUMBER = "+919876512345";

/** A call with recording and packet capture. */
async function recordedCall() {
  const id = await hospital.dial({ user_number: NUMBER });
  hospital.carrier.talk(id, { recorded: true });
  await settle();
  const { captures } = hospital.app.services;
  const capture = captures.newName();
  writeFileSync(captures.pathOf(capture), "packets");
  await hospital.db.write((tx) =>
    tx
      .insertInto("call_lines")
      .values({ call_id: id, trunk_id: "trk_1", trace: "[]", media: null, capture_file: capture })
      .execute(),
  );
  const { recordingFile } = hospital.carrier.dialled.at(-1)!;
  const files = [recordingFile, captures.pathOf(capture)];
  expect(files.map((file) => existsSync(file))).toEqual([true, true]);
  return { id, isThere: () => files.map((file) => existsSync(file)) };
}

const planned = () => hospital.db.reader.selectFrom("file_removals").selectAll().execute();
const erase = (id: string) => hospital.request("DELETE", `/v1/calls/${id}`);

/** The three ways to erase data. */
const ways: [string, (id: string) => Promise<unknown>][] = [
  [
    "DELETE",
    async (id) => {
      const answer = await erase(id);
      if (answer.status !== 200) throw new AppError("UNAVAILABLE", answer.text);
    },
  ],
  [
    "the erasure of a person",
    () => hospital.app.services.erasure.eraseContact(hospital.organisationId, NUMBER, CLI_ACTOR),
  ],
  ["retention", () => hospital.app.services.erasure.enforceRetention(1, CLI_ACTOR, hospital.clock.now() + 2 * DAY_MS)],
];

test.each(ways)("%s that the database rejects keeps the call and its files", async (_way, way) => {
  const { id, isThere } = await recordedCall();
  const { write } = hospital.db;
  hospital.db.write = () => Promise.reject(new AppError("UNAVAILABLE", "database or disk is full"));
  await expect(way(id)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  hospital.db.write = write;
  expect(isThere()).toEqual([true, true]);
  expect((await hospital.request("GET", `/v1/calls/${id}`)).status).toBe(200);
  await way(id);
  expect(isThere()).toEqual([false, false]);
  expect(await planned()).toEqual([]);
});

test.each(ways)("%s whose files cannot be removed succeeds, and they are removed later", async (_way, way) => {
  const { id, isThere } = await recordedCall();
  const { recordings } = hospital.app.services;
  const { remove } = recordings;
  recordings.remove = () => {
    throw new Error("EROFS: read-only file system");
  };
  await way(id);
  expect((await hospital.request("GET", `/v1/calls/${id}`)).status).toBe(404);
  expect(isThere()[0]).toBeTrue();
  expect(await planned()).toHaveLength(2);
  recordings.remove = remove;
  await hospital.clock.advance(MINUTE_MS);
  await until(() => !isThere().includes(true));
  await until(async () => (await planned()).length === 0);
});

test("files left by a crash between commit and removal are removed at the next start", async () => {
  const { id, isThere } = await recordedCall();
  const { recordings, captures, erasure } = hospital.app.services;
  const [removeRecording, removeCapture] = [recordings.remove, captures.remove];
  // Simulates a crash right after the commit.
  recordings.remove = captures.remove = () => {
    throw new Error("killed");
  };
  expect(outcome(await erase(id))).toBe("200 ok");
  [recordings.remove, captures.remove] = [removeRecording, removeCapture];
  expect(isThere()).toEqual([true, true]);
  await erasure.resume();
  expect(isThere()).toEqual([false, false]);
  expect(await planned()).toEqual([]);
});
