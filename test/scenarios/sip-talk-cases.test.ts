// More calls by voice on the compiled binary, several at once: bookings, inbound calls, changes of mind, emergencies.
import { expect } from "bun:test";
import { forRecogniser } from "../../src/speech/asr/utterance.ts";
import { spoken } from "../speech/spoken.ts";
import { putPhonesAway, testWithPhone as test } from "../support/baresip.ts";
import { leaveNothingBehind } from "../support/binary.ts";
import { talkingPatients } from "../support/patient/talking.ts";
import { closeReceivers } from "../support/receiver.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
putPhonesAway();
closeReceivers();
const { clinic, moonshine, run, runTrial } = talkingPatients();

test("two at once: books the first time on offer; an unknown caller books by name", async () => {
  await Promise.all([run("books a new one"), run("calls in, and books by name")]);
}, 300_000);

test("three at once: do not call again, over a lossy network; wrong person; answering machine", async () => {
  await Promise.all([run("do not call me", "loss"), run("the wrong person"), run("a voicemail")]);
}, 300_000);

test("two at once: a change of mind during the goodbye; an emergency that the recogniser mishears as harmless", async () => {
  await Promise.all([run("yes, but not on that day"), cryForHelp()]);
}, 400_000);

async function spottersReady(): Promise<boolean> {
  const metrics = await (await fetch(`${clinic().server.url}/metrics`, { keepalive: false })).text();
  return /^ringward_speech_spotters 1$/m.test(metrics);
}

/** The fixed emergency sentence follows, and staff are notified. */
async function cryForHelp(): Promise<void> {
  const cry = await spoken("i-have-chest-pain");
  expect(moonshine().transcribe(forRecogniser(cry)).text).not.toMatch(/chest/i);
  await until(spottersReady, { withinMs: 300_000, everyMs: 200, what: () => "the phrase spotter does not start" });
  await runTrial(
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
    "quiet",
    async () => cry,
  );
}
