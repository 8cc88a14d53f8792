// An appointment call by voice on the compiled binary: the patient has a telephone and a voice that are not the
// agent's, hears what it says, and answers aloud. How often each kind of call comes to its end by voice is for
// scripts/talk-trials to say, on a quiet machine.
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

test("yes: they are who is wanted, and they will come", async () => {
  const { extracted_details } = await run("yes");
  // A machine that is too slow to listen would have them press keys: then this was no call by voice.
  expect(extracted_details).toMatchObject({ answer: "confirmed", keys: "" });
  // What ONNX Runtime would send to its makers is kept below the home folder first, which is the data folder here.
  expect(readdirSync(clinic().hospital.dataDir)).not.toContain(".cache");
}, 300_000);
