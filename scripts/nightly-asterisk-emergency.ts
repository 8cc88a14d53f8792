// Emergencies through Asterisk, with the patient's phone and the desk's as two of its phones. The desk is asked to take
// the call while the patient stays on the line; if it is busy, unreachable or does not answer, the patient is told so,
// with the emergency number.
import type { Phone } from "../test/support/baresip.ts";
import type { Running } from "../test/support/binary.ts";
import { finished, place, type Call } from "../test/support/calls.ts";
import { findSpeech } from "../test/support/patient/patient.ts";
import { inRoom, roomNamed } from "../test/support/patient/room.ts";
import { sayWithFlite } from "../test/support/patient/voices.ts";
import { sipHospital } from "../test/support/sip-hospital.ts";
import { saidOver, speechLike } from "../test/support/sounds.ts";
import { until } from "../test/support/until.ts";
import { registeredAccount } from "./asterisk-accounts.ts";
import { PEOPLE } from "./asterisk-settings.ts";
import { DESK_WORDS, percent, untilHeard, withDesks } from "./nightly-asterisk-desk.ts";
import { registeredAtAsterisk, untilQuiet, type Check, type World } from "./nightly-asterisk-world.ts";
import { expectThat } from "./nightly-checks.ts";

const ACCOUNT = "2010";
const SECRET = "listening-s3cret";
/** Upper bound on a busy machine: the recogniser's start, and a repeated cry. */
const WITHIN = { withinMs: 150_000, everyMs: 200 };
const PATIENT_WORDS = speechLike(2.5, 51);
/** What the agent must say while no desk answers. */
const EMERGENCY_NUMBER = /call the emergency number now/;

/** The desk picks up and is silent. */
const QUIET_PATIENT = { desk1: { says: new Int16Array(0) } };

interface Listening {
  server: Running;
  agentId: string;
}

/** Asterisk accepts an account only once. */
const known = new WeakSet<World>();

/** Agents of the other checks use only DTMF: this server has a recogniser, a spotter and its own account. */
async function withListening<T>(world: World, run: (listening: Listening) => Promise<T>): Promise<T> {
  if (!known.has(world)) world.asterisk.addAccount(extensionAlone());
  known.add(world);
  const hospital = await sipHospital();
  const { agentId } = await hospital.addLine({
    port: world.asterisk.ports.sip,
    account: { username: ACCOUNT, secret: SECRET },
    register: true,
    transferTo: PEOPLE.desk2,
  });
  const server = await hospital.start({ RINGWARD_SPEECH__RECOGNISERS: "1" });
  try {
    await until(async () => registeredAtAsterisk(world).includes(ACCOUNT) && (await isListening(server)), {
      ...WITHIN,
      what: () => "the recogniser does not start, or the account is not registered",
    });
    return await run({ server, agentId });
  } finally {
    await server.stop();
  }
}

/** The dialplan is already there from the other accounts. */
function extensionAlone() {
  const { pjsip, extensions } = registeredAccount(ACCOUNT, SECRET);
  return { pjsip, extensions: extensions.split("[from-ringward]")[0] ?? "" };
}

async function isListening({ url }: Running): Promise<boolean> {
  const metrics = await (await fetch(`${url}/metrics`, { keepalive: false })).text();
  return /^ringward_speech_recognisers 1$/m.test(metrics) && /^ringward_speech_spotters 1$/m.test(metrics);
}

const agentWords = ({ call_transcript }: Call) =>
  (call_transcript ?? [])
    .filter(({ speaker }) => speaker === "agent")
    .map(({ text }) => text)
    .join(" ");

/** The patient picks up and repeats the sentence whenever the agent is silent, until the desk is called. */
async function cry({ server, agentId }: Listening, patient: Phone, isDeskCalled: () => boolean): Promise<string> {
  const id = await place(server, { agent_id: agentId, user_number: PEOPLE.desk1, user_name: "Asha" });
  await patient.told("CALL_ESTABLISHED", 1, WITHIN.withinMs);
  const words = inRoom(sayWithFlite("I have chest pain, and I cannot breathe.", "rms"), roomNamed("quiet", 1), 120);
  let from = 0;
  let sayings = 0;
  const isCalled = async () => {
    const heard = patient.heard();
    const { voicedMs, silentMs } = findSpeech(heard, from);
    if (voicedMs > 300 && silentMs > 900 && sayings < 4) {
      sayings += 1;
      await patient.say(words);
      from = heard.length + 4 * 8_000;
    }
    return isDeskCalled();
  };
  await until(isCalled, { ...WITHIN, what: () => `the desk was not called after ${sayings} cries` });
  return id;
}

type EmergencyCall = Call & { emergency_outcome?: string };

async function comesBack(world: World, { server }: Listening, id: string, ...outcomes: string[]): Promise<string> {
  const call = (await finished(server, id)) as EmergencyCall;
  const told = agentWords(call);
  const outcome = call.emergency_outcome ?? "none";
  expectThat(outcomes.includes(outcome), `${outcome}, not ${outcomes.join(" or ")}: ${told}`);
  expectThat(EMERGENCY_NUMBER.test(told), `the patient was told: ${told}`);
  await untilQuiet(world, 5_000);
  return `${outcome}; the patient was told: "${told.slice(told.lastIndexOf("This may be an emergency"))}"`;
}

/** A phone that auto-answers reports only the answer. */
const incoming = (desk: Phone) =>
  desk.events.some(({ type }) => type === "CALL_INCOMING" || type === "CALL_ESTABLISHED");

export const EMERGENCIES: Check[] = [
  {
    group: "emergency",
    name: "the desk answers, and the patient never leaves the line",
    run: (world) =>
      withListening(world, (listening) =>
        withDesks(
          world,
          ["desk1", "desk2"],
          async (patient, desk) => {
            const id = await cry(listening, patient, () => incoming(desk));
            await desk.told("CALL_ESTABLISHED");
            const theirs = await untilHeard("the desk", () => patient.heard(), DESK_WORDS);
            await patient.say(inRoom(saidOver(PATIENT_WORDS), roomNamed("quiet", 1), 60));
            const ours = await untilHeard("the patient", () => desk.heard(), PATIENT_WORDS);
            expectThat(!patient.events.some(({ type }) => type === "CALL_CLOSED"), "the patient was hung up on");
            await desk.hangUp();
            const call = (await finished(listening.server, id)) as EmergencyCall;
            expectThat(call.emergency_outcome === "connected", `${call.emergency_outcome}: ${agentWords(call)}`);
            await untilQuiet(world, 5_000);
            return `connected; the patient heard ${percent(theirs)} of the desk, the desk ${percent(ours)} of the patient`;
          },
          QUIET_PATIENT,
        ),
      ),
  },
  {
    group: "emergency",
    name: "the desk is busy: the patient is told",
    run: (world) =>
      withListening(world, (listening) =>
        withDesks(
          world,
          ["desk1", "desk2"],
          async (patient, desk) => {
            const refuses = desk.told("CALL_INCOMING", 1, WITHIN.withinMs).then(() => desk.hangUp());
            const id = await cry(listening, patient, () => incoming(desk));
            await refuses;
            return comesBack(world, listening, id, "busy");
          },
          { ...QUIET_PATIENT, desk2: { answers: "manual" } },
        ),
      ),
  },
  {
    group: "emergency",
    name: "the desk does not answer: the patient hears it ring, and is told",
    run: (world) =>
      withListening(world, (listening) =>
        withDesks(
          world,
          ["desk1", "desk2"],
          async (patient, desk) => {
            const id = await cry(listening, patient, () => incoming(desk));
            const from = patient.heard().length;
            await desk.told("CALL_CLOSED", 1, 40_000);
            const { start, voicedMs } = findSpeech(patient.heard(), from);
            const silentMs = Math.round((start - from) / 8);
            expectThat(voicedMs > 0 && silentMs < 3_000, `the patient heard nothing for ${silentMs} ms`);
            return comesBack(world, listening, id, "no_answer");
          },
          { ...QUIET_PATIENT, desk2: { answers: "manual" } },
        ),
      ),
  },
  {
    group: "emergency",
    name: "the desk's telephone is not there: the patient is told",
    run: (world) =>
      withListening(world, (listening) =>
        withDesks(
          world,
          ["desk1"],
          async (patient) => {
            const isOver = () => patient.events.some(({ type }) => type === "CALL_CLOSED");
            const id = await cry(listening, patient, isOver);
            // A phone that was switched off rings until its registration expires; after that Asterisk rejects the call.
            return comesBack(world, listening, id, "refused", "no_answer");
          },
          QUIET_PATIENT,
        ),
      ),
  },
];
