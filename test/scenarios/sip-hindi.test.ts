// A Hindi call on the compiled binary: the greeting, with the contact's name in it, is made before the phone rings, and a real
// telephone hears it. What the hospital recorded follows; a recogniser for Hindi is not at hand to say how well it is spoken.
import { beforeAll, expect } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { activeLevelDb } from "../../src/audio/speech-level.ts";
import { SOUND_VERSION } from "../../src/speech/tts/ahead/role.ts";
import { soundKey } from "../../src/speech/tts/ahead/sound-store.ts";
import { putPhonesAway, startPhone, testWithPhone as test } from "../support/baresip.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { FINAL, place, readCall } from "../support/calls.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital } from "../support/sip-hospital.ts";
import { speechLike } from "../support/sounds.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
putPhonesAway();

const RECORDED = {
  menu: speechLike(1, 2),
  confirmed: speechLike(0.6, 3),
  change_requested: speechLike(0.6, 4),
  transfer: speechLike(0.4, 5),
  goodbye: speechLike(0.4, 6),
};
const GREETING = "नमस्ते रमेश जी।";

let hospital: SipHospital;
let server: Running;
beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  hospital = await sipHospital();
}, 180_000);

test("a Hindi agent's greeting is heard, and nothing of its contact is kept on disk", async () => {
  const [number, port] = [newPatient(), freeSipPort()];
  const { agentId } = await hospital.addLine({
    port,
    language: "hi-IN",
    greeting: "नमस्ते {{contact_name}} जी।",
    recorded: RECORDED,
  });
  server = await hospital.start();
  // To load the voice and measure it takes some seconds of a core, and this machine may have others to serve.
  await until(() => server.output().includes("Hindi is spoken."), { everyMs: 250, withinMs: 300_000 });
  const phone = await startPhone({ number, port, livesSeconds: 600 });
  const callId = await place(server, { agent_id: agentId, user_number: number, user_name: "रमेश" });
  await until(async () => FINAL.includes((await readCall(server, callId)).status), {
    everyMs: 500,
    withinMs: 500_000,
  });
  const call = await readCall(server, callId);
  expect(call).toMatchObject({ status: "completed" });
  await phone.told("CALL_ESTABLISHED");

  expect(call.call_transcript?.[0]).toMatchObject({ speaker: "agent", text: GREETING });
  const { agent } = await recordingOf(server, call);
  // The greeting is there before the menu: speech of a second and more, as loud as every voice.
  const greeting = agent.subarray(0, 1.3 * 8_000);
  expect(activeLevelDb(greeting)).toBeGreaterThan(-24);
  expect(activeLevelDb(greeting)).toBeLessThan(-16);
  expect(loudSeconds(greeting)).toBeGreaterThan(0.6);

  const kept = readdirSync(join(hospital.dataDir, "sounds"));
  expect(kept.every((name) => /^[0-9a-f]{64}\.pcm(?:\.new)?$/.test(name))).toBeTrue();
  expect(kept).not.toContain(`${soundKey(SOUND_VERSION, "alpha", GREETING)}.pcm`);
}, 900_000);

/** Of 10 ms each, those that are no pause. */
function loudSeconds(samples: Int16Array): number {
  let windows = 0;
  for (let from = 0; from < samples.length; from += 80) {
    const window = samples.subarray(from, from + 80);
    const power = window.reduce((sum, sample) => sum + sample ** 2, 0) / window.length;
    if (Math.sqrt(power) > 300) windows++;
  }
  return windows / 100;
}
