// An appointment call by voice on the compiled binary while the hospital's own recogniser and voice fail in every way:
// the built-in models take over, and the appointment is right.
import { afterAll, beforeAll, expect } from "bun:test";
import { loadMoonshine, type Moonshine } from "../../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../../src/speech/asr/utterance.ts";
import { loadRuntime, type Runtime } from "../../src/speech/onnx/runtime.ts";
import { putPhonesAway, testWithPhone as test } from "../support/baresip.ts";
import { leaveNothingBehind } from "../support/binary.ts";
import { errorReply, startModelServer, type ModelServer, type Reply } from "../support/model-server.ts";
import { trials } from "../support/patient/cases.ts";
import { openClinic, runTrial, type Clinic } from "../support/patient/clinic.ts";
import { roomNamed } from "../support/patient/room.ts";
import type { Trial } from "../support/patient/trial.ts";
import { patientVoice } from "../support/patient/voices.ts";
import { closeReceivers } from "../support/receiver.ts";

leaveNothingBehind();
putPhonesAway();
closeReceivers();

/** In turn, whichever server is asked. */
const FAULTS: readonly (() => Reply | Promise<Reply>)[] = [
  () => errorReply(500),
  () => new Promise(() => {}),
  () => ({ pieces: ["<html>garbage</html>"] }),
  () => ({ pieces: ["RIFF"], ending: "never" }),
  () => errorReply(429),
  () => ({ pieces: ["{"], ending: "cut" }),
];

let runtime: Runtime;
let moonshine: Moonshine;
let clinic: Clinic;
let faulty: ModelServer;
beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  runtime = await loadRuntime("");
  moonshine = await loadMoonshine(runtime);
  faulty = await startModelServer();
  faulty.answer = (_, nth) => (FAULTS[nth % FAULTS.length] ?? (() => errorReply(500)))();
  const server = (name: string, role: string) => ({
    [`RINGWARD_MODELS__SERVERS__${name}__ROLE`]: role,
    [`RINGWARD_MODELS__SERVERS__${name}__BASE_URL`]: faulty.baseUrl,
    [`RINGWARD_MODELS__SERVERS__${name}__MODEL`]: "m",
  });
  clinic = await openClinic({
    RINGWARD_SPEECH__RECOGNISERS: "1",
    ...server("EARS", "recognition"),
    ...server("VOICE", "voice"),
  });
}, 180_000);
afterAll(() => Promise.all([clinic.server.stop(), faulty.stop()]));

test("the patient confirms their identity and the appointment", async () => {
  const trial = trials().find((each) => each.name === "yes") as Trial;
  const replies = [{ to: /press one|press 1/i, presses: "1" }, ...trial.replies];
  const { faults, exchanges, isWrongBooking } = await runTrial(
    clinic,
    { ...trial, replies },
    {
      room: roomNamed("quiet", 1),
      speak: await patientVoice("emma", runtime),
      recognise: async (samples) => moonshine.transcribe(forRecogniser(samples)).text,
    },
  );
  expect({ faults, exchanges, isWrongBooking }).toEqual({
    faults: [],
    exchanges: expect.anything(),
    isWrongBooking: false,
  });
  expect(faulty.requests.length).toBeGreaterThan(1);
}, 300_000);
