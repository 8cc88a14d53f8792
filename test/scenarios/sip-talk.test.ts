// An appointment call by voice on the compiled binary: the patient has a telephone and a voice that are not the agent's, hears what
// it says, and answers aloud. Where the machine is too busy to listen in time the agent names the keys, and they press them.
// How often each kind of call comes to its end by voice is for scripts/talk-trials to say, on a quiet machine.
import { afterAll, beforeAll, expect } from "bun:test";
import { loadMoonshine, type Moonshine } from "../../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../../src/speech/asr/utterance.ts";
import { loadRuntime, type Runtime } from "../../src/speech/onnx/runtime.ts";
import { putPhonesAway, testWithPhone as test } from "../support/baresip.ts";
import { leaveNothingBehind } from "../support/binary.ts";
import { trials, type Trial } from "../support/patient/cases.ts";
import { openClinic, runTrial, type Clinic } from "../support/patient/clinic.ts";
import type { Reply } from "../support/patient/patient.ts";
import { roomNamed } from "../support/patient/room.ts";
import { patientVoice } from "../support/patient/voices.ts";
import { closeReceivers } from "../support/receiver.ts";

leaveNothingBehind();
putPhonesAway();
closeReceivers();

let runtime: Runtime;
let moonshine: Moonshine;
let clinic: Clinic;
beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  runtime = await loadRuntime("");
  moonshine = await loadMoonshine(runtime);
  clinic = await openClinic({ RINGWARD_SPEECH__RECOGNISERS: "1" });
}, 180_000);
afterAll(() => clinic.server.stop());

/** What patients do when they are told that they cannot be heard. */
const pressesWhenAsked: readonly Reply[] = [{ to: /press one|press 1/i, presses: "1" }];

async function run(name: string) {
  const trial = trials().find((each) => each.name === name) as Trial;
  const replies = [...pressesWhenAsked, ...trial.replies];
  return runTrial(
    clinic,
    { ...trial, replies },
    {
      room: roomNamed("quiet", 1),
      speak: await patientVoice("emma", runtime),
      recognise: async (samples) => moonshine.transcribe(forRecogniser(samples)).text,
    },
  );
}

test("yes: they are who is wanted, and they will come", async () => {
  const { faults, exchanges, call } = await run("yes");
  expect({ faults, exchanges }).toEqual({ faults: [], exchanges: expect.anything() });
  expect(call.call_transcript?.some(({ speaker }) => speaker === "user")).toBeTrue();
}, 300_000);

test("books the first time on offer", async () => {
  const { faults, exchanges } = await run("books a new one");
  expect({ faults, exchanges }).toEqual({ faults: [], exchanges: expect.anything() });
}, 300_000);
