// The recording mode of a call, as the line and the agent get it.
import { afterEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

async function open(settings: Record<string, string> = {}, recordingMode: string | null = null): Promise<void> {
  hospital = await createHospital({ settings, agent: { recording_mode: recordingMode } });
  await hospital.app.start();
}

async function dialled() {
  const id = await hospital.dial();
  const { recordingFile, brief } = hospital.carrier.dialled.at(-1)!;
  return { id, recordingFile, mode: brief.recording };
}

test.each([
  ["the appliance", () => open({ RINGWARD_RECORDINGS__MODE: "off" }, "announce")],
  ["the agent", () => open({}, "off")],
  [
    "the organisation",
    async () => {
      await open({}, "announce");
      const { organisations } = hospital.app.services;
      await organisations.change(hospital.organisationId, { recordingMode: "off" }, CLI_ACTOR);
    },
  ],
] as const)("a call that %s excludes from recording has no file to write to, and no link", async (_, prepare) => {
  await prepare();
  const { id, recordingFile, mode } = await dialled();
  expect({ recordingFile, mode }).toEqual({ recordingFile: "", mode: "off" });
  hospital.carrier.talk(id, { recorded: false });
  await settle();
  expect((await hospital.view(id)).call_recording).toBeNull();
});

test("a call has a file to record to otherwise, and the agent announces it or asks", async () => {
  await open({}, "ask");
  const { recordingFile, mode } = await dialled();
  expect(recordingFile).toEndWith(".wav");
  expect(mode).toBe("ask");
});
