// An appointment call by voice on the compiled binary: the patient has a telephone and a voice that are not the agent's, hears what
// it says, and answers aloud. Where the machine is too busy to listen in time the agent names the keys, and they press them; a
// voicemail has no keys, so of one that could not be listened to nothing is asked but that it changed nothing.
// How often each kind of call comes to its end by voice is for scripts/talk-trials to say, on a quiet machine.
import { afterAll, beforeAll, expect } from "bun:test";
import { readdirSync } from "node:fs";
import { loadMoonshine, type Moonshine } from "../../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../../src/speech/asr/utterance.ts";
import { loadRuntime, type Runtime } from "../../src/speech/onnx/runtime.ts";
import { putPhonesAway, testWithPhone as test } from "../support/baresip.ts";
import { spoken } from "../speech/spoken.ts";
import { leaveNothingBehind } from "../support/binary.ts";
import { watchCpuWait, type CpuWait } from "../support/cpu-wait.ts";
import { trials } from "../support/patient/cases.ts";
import { openClinic, runTrial, type Clinic } from "../support/patient/clinic.ts";
import { roomNamed } from "../support/patient/room.ts";
import type { Trial } from "../support/patient/trial.ts";
import { patientVoice } from "../support/patient/voices.ts";
import { closeReceivers } from "../support/receiver.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
putPhonesAway();
closeReceivers();

let runtime: Runtime;
let moonshine: Moonshine;
let clinic: Clinic;
let cpuWait: CpuWait;
beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  runtime = await loadRuntime("");
  moonshine = await loadMoonshine(runtime);
  clinic = await openClinic({ RINGWARD_SPEECH__RECOGNISERS: "1" });
  cpuWait = watchCpuWait(clinic.server.process.pid);
}, 180_000);
afterAll(() => clinic.server.stop());

/** A thread of the executable stood in line for longer than it may be silent. */
const STARVED_MS = 3_000;
const isOfWords = (fault: string) => fault.startsWith("the agent never said") || fault.endsWith("words are missing");

async function run(name: string, room = "quiet") {
  const fromMs = performance.now();
  const trial = trials().find((each) => each.name === name) as Trial;
  const { faults, exchanges, call } = await runTrial(clinic, trial, {
    room: roomNamed(room, 1),
    speak: await patientVoice("emma", runtime),
    recognise: async (samples) => moonshine.transcribe(forRecogniser(samples)).text,
  });
  const wasStarved = cpuWait.between(fromMs, performance.now()) > STARVED_MS;
  const counted = name === "a voicemail" && wasStarved ? faults.filter((fault) => !isOfWords(fault)) : faults;
  expect({ name, faults: counted, exchanges, said: call.call_transcript }).toMatchObject({ faults: [] });
}

test("yes: they are who is wanted, and they will come", () => run("yes"), 300_000);

test("books the first time on offer", () => run("books a new one"), 300_000);

test(
  "a caller who is not known says their name, and the appointment carries it",
  () => run("calls in, and books by name"),
  300_000,
);

test("three at once: never again, over a network that loses packets; somebody else; a machine", async () => {
  await Promise.all([run("do not call me", "loss"), run("the wrong person"), run("a voicemail")]);
}, 300_000);

test("second thoughts during the goodbye: not on that day", () => run("yes, but not on that day"), 300_000);

async function spottersReady(): Promise<boolean> {
  const metrics = await (await fetch(`${clinic.server.url}/metrics`, { keepalive: false })).text();
  return /^ringward_speech_spotters 1$/m.test(metrics);
}

test("a cry for help that the recogniser makes something harmless of: the fixed line, and a person", async () => {
  const cry = await spoken("i-have-chest-pain");
  expect(moonshine.transcribe(forRecogniser(cry)).text).not.toMatch(/chest/i);
  await until(spottersReady, { withinMs: 400_000, everyMs: 200, what: () => "the phrase spotter does not start" });
  const { faults, exchanges, call } = await runTrial(
    clinic,
    {
      name: "chest pain",
      about: "appointment",
      replies: [{ to: /speaking with|am i speaking|asha/i, says: "I have chest pain." }],
      expected: {
        answers: ["emergency"],
        disposition: "session_ended",
        calendar: "unchanged",
        says: /This may be an emergency/,
      },
    },
    {
      room: roomNamed("quiet", 1),
      speak: async () => cry,
      recognise: async (samples) => moonshine.transcribe(forRecogniser(samples)).text,
    },
  );
  expect({ faults, exchanges, said: call.call_transcript }).toMatchObject({ faults: [] });
}, 800_000);

// What ONNX Runtime would send is kept below the home folder first, which is the data folder here.
test("nothing of all this was noted for the makers of the runtime", () => {
  expect(readdirSync(clinic.hospital.dataDir)).not.toContain(".cache");
});
