// A simulated call that is erased while its recording is being made leaves no file behind.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { callMedia } from "../../src/calls/life/call-media.ts";
import { createSimulatedRecordings } from "../../src/calls/life/simulated-recording.ts";
import { createIds } from "../../src/core/ids.ts";
import { createRecordings } from "../../src/media/recordings.ts";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";
import { createManualClock, settle } from "../support/manual-clock.ts";

let hospital: Hospital;
let callId: string;
const NAME = "a.simulated.wav";

beforeEach(async () => {
  hospital = await createHospital();
  await hospital.app.start();
  callId = await hospital.dial();
  hospital.carrier.talk(callId);
  await settle();
  await hospital.db.write((tx) =>
    tx.updateTable("calls").set({ recording_file: NAME, duration_seconds: 2 }).where("id", "=", callId).execute(),
  );
});
afterEach(() => hospital.close());

async function pathWhile(meanwhile: () => Promise<void>): Promise<string | null> {
  const recordings = createRecordings(hospital.dataDir, createIds(hospital.clock));
  const speak = async () => {
    await meanwhile();
    return new Int16Array(8_000).fill(1_000);
  };
  const simulated = createSimulatedRecordings({ clock: createManualClock(), recordings, speak });
  const media = await callMedia(hospital.db.reader, callId, recordings, simulated);
  return (await media!.recordingPath())?.path ?? null;
}
const files = () => readdirSync(join(hospital.dataDir, "recordings"));

test("who listens to a simulated call is led to its recording", async () => {
  expect(await pathWhile(async () => {})).toBe(join(hospital.dataDir, "recordings", NAME));
  expect(files()).toEqual([NAME]);
});

test("one that is erased meanwhile is not there any more, and leaves no file", async () => {
  const path = await pathWhile(async () => {
    await hospital.request("DELETE", `/v1/calls/${callId}`);
  });
  expect([path, files()]).toEqual([null, []]);
  expect(outcome(await hospital.request("GET", `/v1/calls/${callId}`))).toBe("404 NOT_FOUND");
});
