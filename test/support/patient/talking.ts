// For scenarios in which a patient talks with the compiled binary: a clinic, a voice that is not the agent's, and ears.
import { afterAll, beforeAll, expect } from "bun:test";
import { loadMoonshine, type Moonshine } from "../../../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../../../src/speech/asr/utterance.ts";
import { loadRuntime, type Runtime } from "../../../src/speech/onnx/runtime.ts";
import type { Call } from "../calls.ts";
import { trials } from "./cases.ts";
import { openClinic, runTrial, type Clinic } from "./clinic.ts";
import type { PatientOptions } from "./patient.ts";
import { roomNamed } from "./room.ts";
import type { Trial } from "./trial.ts";
import { patientVoice } from "./voices.ts";

export interface Talking {
  clinic(): Clinic;
  moonshine(): Moonshine;
  /** The trial of this name, to its right end. */
  run(name: string, room?: string): Promise<Call>;
  /** One of the test's own, in the voice that is given. */
  runTrial(trial: Trial, room?: string, speak?: PatientOptions["speak"]): Promise<Call>;
}

/** For the top of a test file. */
export function talkingPatients(): Talking {
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

  const talking: Talking = {
    clinic: () => clinic,
    moonshine: () => moonshine,
    run: (name, room) => talking.runTrial(trials().find((each) => each.name === name) as Trial, room),
    async runTrial(trial, room = "quiet", speak) {
      const { faults, exchanges, call } = await runTrial(clinic, trial, {
        room: roomNamed(room, 1),
        speak: speak ?? (await patientVoice("emma", runtime)),
        recognise: async (samples) => moonshine.transcribe(forRecogniser(samples)).text,
      });
      const { name } = trial;
      expect({ name, faults, exchanges, said: call.call_transcript }).toMatchObject({ faults: [] });
      return call;
    },
  };
  return talking;
}
