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

async function run(name: string, room = "quiet") {
  const trial = trials().find((each) => each.name === name) as Trial;
  const { faults, exchanges, call } = await runTrial(clinic, trial, {
    room: roomNamed(room, 1),
    speak: await patientVoice("emma", runtime),
    recognise: async (samples) => moonshine.transcribe(forRecogniser(samples)).text,
  });
  expect({ name, faults, exchanges, said: call.call_transcript }).toMatchObject({ faults: [] });
}

test("yes: they are who is wanted, and they will come", () => run("yes"), 300_000);

test("books the first time on offer", () => run("books a new one"), 300_000);

test("three at once: never again, over a network that loses packets; somebody else; a machine", async () => {
  await Promise.all([run("do not call me", "loss"), run("the wrong person"), run("a voicemail")]);
}, 300_000);
