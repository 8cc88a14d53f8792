// One agent, any line: the same scripted callees get the same results on a simulated line and over SIP.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { callEndOf } from "../../src/calls/call/call-end.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { CallAnalyticsSchema } from "../../src/payloads/conversation.ts";
import { clausesOf } from "../../src/speech/tts/clauses.ts";
import { serveSpeech } from "../../src/speech/tts/server.ts";
import type { Carrier, CarrierFactory } from "../../src/telephony/port.ts";
import type { Callee } from "../../src/telephony/simulator/callee.ts";
import { createSimulator } from "../../src/telephony/simulator/simulator.ts";
import { createSipCarrier } from "../../src/telephony/sip/carrier/carrier.ts";
import { simulatedSpeech, simulatedVoice } from "../../src/voice/simulated-speech.ts";
import { createCallAgents } from "../../src/voice/call-agents.ts";
import { startLineWorker } from "../../src/compose/threads/start.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { tempFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { answeredBy, briefOf, createReactions, deskOf, GREETING, SCRIPTS, type Script } from "./agent-scripts.ts";
import { callOrder, createCarrierLog, type CarrierLog } from "./carrier-log.ts";
import { createSentenceBook, startScriptedPhones } from "./scripted-phones.ts";
import { carrierOptions, workerSettings } from "./sip/carrier/bench.ts";
import { afterwards, cleanUpAfterEach } from "./sip/carrier/clean-up.ts";
import { trunkAt } from "./sip/call/agent-under-test.ts";

cleanUpAfterEach();

const NAMES = Object.keys(SCRIPTS);
const numberOf = (name: string) => `+9198100${20_000 + NAMES.indexOf(name)}`;
const BY_NUMBER = new Map(NAMES.map((name) => [numberOf(name), SCRIPTS[name]!]));

interface Outcome {
  reports: string[];
  /** What the calendar was asked. */
  asked: string[];
  said: string[];
  [field: string]: unknown;
}

/** Everything that a carrier's calls came to, by the script's name. Words that were cut off are named, not counted. */
interface Run {
  carrier: Carrier;
  log: CarrierLog;
  outcomes(spoken: Iterable<string>): Record<string, Outcome>;
}

/** Dials for every script at once. */
async function start(
  factory: CarrierFactory,
  prepare: (carrier: Carrier) => Promise<void> = async () => {},
): Promise<Run> {
  const log = createCarrierLog();
  const asked = new Map(NAMES.map((name) => [name, [] as string[]]));
  const desks = new Map(NAMES.map((name) => [name, deskOf(SCRIPTS[name]!, asked.get(name)!)]));
  const carrier = factory({
    ...log,
    asked: (callId, question) => answeredBy(desks.get(callId)!, question),
  });
  afterwards(() => carrier.stop());
  await prepare(carrier);
  const folder = tempFolder();
  for (const name of NAMES) {
    const recordingFile = join(folder, `${NAMES.indexOf(name)}.wav`);
    const brief = briefOf(SCRIPTS[name]!);
    carrier.dial(callOrder({ callId: name, to: numberOf(name), trunkId: "main", recordingFile, brief }));
  }

  function outcome(name: string, spoken: Iterable<string>): Outcome {
    const end = callEndOf(log.endOf(name));
    if (end.kind === "failed") throw new Error(`${name}: ${end.code}, ${end.message}`);
    const times = end.transcript.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(0);
    expect(times.at(-1)).toBeLessThanOrEqual(end.durationSeconds);
    expect([...Value.Errors(CallAnalyticsSchema, end.analytics)]).toEqual([]);
    const wholeOf = (text: string) =>
      text.endsWith(" …")
        ? `${[...spoken].find((line) => line.startsWith(text.slice(0, -2))) ?? text} (cut off)`
        : text;
    return {
      reports: log.of(name),
      asked: asked.get(name)!,
      said: end.transcript.map(({ speaker, text }) => `${speaker}: ${wholeOf(text)}`),
      analytics: end.analytics,
      extractedDetails: end.extractedDetails,
      callbackInMinutes: end.callbackInMinutes ?? null,
      optOut: end.optOut ?? null,
      recorded: end.recorded,
    };
  }
  return {
    carrier,
    log,
    outcomes: (spoken) => Object.fromEntries(NAMES.map((name) => [name, outcome(name, spoken)])),
  };
}

async function onSimulatedLines() {
  const clock = createManualClock();
  const spoken = new Set<string>();
  const createCallAgent = createCallAgents({
    ...simulatedVoice,
    say(text, manner) {
      spoken.add(text);
      return simulatedVoice.say(text, manner);
    },
  });
  const greeting = await Promise.all(clausesOf(GREETING).map((clause) => simulatedSpeech(clause)));
  const greetingMs = greeting.reduce((total, clause) => total + clause!.lengthMs, 0);
  const calleeOf = (script: Script): Callee => ({
    transferIs: script.transferIs ?? "answered",
    reactTo: createReactions(script),
    atAnswer: script.early
      ? { afterSeconds: script.early.during === "menu" ? 2 + greetingMs / 1_000 : 1, act: script.early.act }
      : null,
  });
  const courseFor = (number: string) => ({
    kind: "talks" as const,
    ringSeconds: 1,
    callee: calleeOf(BY_NUMBER.get(number)!),
  });
  const lines = NAMES.length;
  const run = await start(
    createSimulator({ clock, logger: silentLogger, speed: 1, lines, createCallAgent, courseFor }),
  );
  await clock.advance(300_000);
  return { run, spoken };
}

async function overSip(): Promise<Run> {
  const book = createSentenceBook(GREETING);
  const phones = await startScriptedPhones(BY_NUMBER, book);
  afterwards(() => phones.close());
  const startWorker = () => {
    const worker = startLineWorker();
    const { port1, port2 } = new MessageChannel();
    serveSpeech(port1, book.speak);
    worker.onEnd(() => port1.close());
    worker.post({ type: "speech", port: port2 }, [port2]);
    return worker;
  };
  const settings = workerSettings({ longestCallMs: 170_000, lostAudioMs: 170_000, ringTimeoutMs: 60_000 });
  const run = await start(
    (listener) => {
      const carrier = createSipCarrier(carrierOptions({ startWorker, settings }))(listener);
      carrier.setTrunks([trunkAt(phones.port, { lines: 40 })]);
      return carrier;
    },
    (carrier) => until(() => carrier.trunkLines("main").kind === "open"),
  );
  const missing = () => NAMES.filter((name) => !run.log.has(name, "ended"));
  await until(() => missing().length === 0, {
    withinMs: 150_000,
    everyMs: 100,
    what: () => `still on the line: ${missing().join(", ")}`,
  });
  return run;
}

test("the same agent comes to the same on a simulated line and over SIP, whatever the other side does", async () => {
  const [{ run, spoken }, overLine] = await Promise.all([onSimulatedLines(), overSip()]);
  // The lines that they say are the same, so that what was cut off is known by those of the one.
  const [simulated, real] = [run.outcomes(spoken), overLine.outcomes(spoken)];
  for (const name of NAMES) expect({ [name]: real[name] }).toEqual({ [name]: simulated[name] });
  expect(Object.fromEntries(NAMES.map((name) => [name, simulated[name]!["extractedDetails"]]))).toMatchObject({
    "confirms the appointment": { answer: "confirmed", keypad_answer: "confirmed", keys: "11" },
    "asks for another time and takes the second place": { answer: "rescheduled", appointment_date: "2026-05-07" },
    "asks for another time and finds none that suits": { answer: "change_requested", keys: "120" },
    "chooses a place that is gone, and then another": { answer: "rescheduled", appointment_date: "2026-05-11" },
    books: { answer: "booked", appointment_date: "2026-05-06" },
    "wants to book where nothing is open": { answer: "nothing_open" },
    "has heard the message": { answer: "acknowledged" },
    "presses a wrong key, then the right one": { answer: "confirmed", keys: "171" },
    "wants to be called later": { answer: "call_later", callback_in_minutes: 30, spoke_with_contact: null },
    "does not want to be called again": { answer: "opted_out", spoke_with_contact: true },
    "is put through to a person": { answer: "transferred" },
    "is not put through, and confirms": { answer: "confirmed", keys: "131" },
    "is somebody else": { answer: "not_reached", spoke_with_contact: false },
    "is told openly, and confirms": { answer: "confirmed", keys: "1", spoke_with_contact: null },
    "says nothing": { answer: "none", keys: "" },
    "presses in the greeting, and again when they were asked": { answer: "confirmed", keys: "111" },
    "hangs up in the greeting": { answer: "none" },
    "hangs up in the menu": { answer: "none" },
  });
}, 180_000);
