// An appointment call by voice on the compiled binary: the patient has a telephone and a different voice, hears the
// agent, and answers aloud. scripts/talk-trials measures completion rates by kind of call, on a quiet machine.
import { readdirSync } from "node:fs";
import { expect } from "bun:test";
import { putPhonesAway, testWithPhone as test } from "../support/baresip.ts";
import { leaveNothingBehind } from "../support/binary.ts";
import { talkingPatients } from "../support/patient/talking.ts";
import { closeReceivers } from "../support/receiver.ts";

leaveNothingBehind();
putPhonesAway();
closeReceivers();
const { clinic, run } = talkingPatients();

test("yes: the patient confirms their identity and the appointment", async () => {
  const { extracted_details } = await run("yes");
  // A machine too slow for recognition falls back to keys: then this was no call by voice.
  expect(extracted_details).toMatchObject({ answer: "confirmed", keys: "" });
  // ONNX Runtime stores its telemetry below the home folder, which is the data folder here.
  expect(readdirSync(clinic().hospital.dataDir)).not.toContain(".cache");
}, 300_000);
