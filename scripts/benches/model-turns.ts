// Our share of the latency of a turn answered by a language model: from the end of the callee's speech to the first
// audio sent to the line, with an HTTP server that answers immediately and a voice that takes no time.
// `./scripts/bench model-turns -- --turns 200`
import { parseArgs } from "node:util";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createChatClient } from "../../src/speech/servers/chat/chat-client.ts";
import type { Line } from "../../src/telephony/port.ts";
import type { AgentBrief, AgentTools } from "../../src/voice/port.ts";
import { createTalkingAgent } from "../../src/voice/talking/talking.ts";
import { chatReply, serverAddress, startModelServer } from "../../test/support/model-server.ts";
import { until } from "../../test/support/until.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { medianMs, ms, quantile } from "./figures.ts";

const TURNS_PER_CALL = 20;
const MOST_MS = 60;
const ANSWER = "Yes, there is a place to park. It is behind the house.";

type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

const brief: AgentBrief = {
  agentName: "Asha",
  language: "en-IN",
  voice: "warm",
  prompt: "Remind them of the visit. Parking is behind the house. ".repeat(40),
  greeting: "Hello, this is City Hospital.",
  contactName: "Ravi",
  timeZone: "Asia/Kolkata",
  additionalInfo: Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`fact_${i}`, "a value of some length"])),
  transferTo: null,
  direction: "outbound",
  desk: { canBook: true },
};

function startCall(server: ModelServer) {
  const played: { words: string; atMs: number }[] = [];
  const line: Line = {
    play(sound, onEnd) {
      played.push({ words: sound.words, atMs: performance.now() });
      queueMicrotask(() => onEnd({ playedMs: sound.lengthMs, isWhole: true }));
      return () => sound.lengthMs;
    },
    stopPlaying() {},
    pausePlaying() {},
    resumePlaying() {},
    press() {},
    record() {},
    transfer: () => Promise.resolve("refused"),
    consult: async () => "refused" as const,
    hangUp() {},
  };
  const soundOf = (words: string) => ({ samples: null, lengthMs: 1_000, words });
  const tools: AgentTools = {
    recorded: () => null,
    say(text) {
      const left = [text];
      return { next: () => Promise.resolve(left.length > 0 ? soundOf(left.pop() ?? "") : null), cancel() {} };
    },
    ears: { open: () => ({ hear() {}, recognise: () => new Promise(() => {}), close() {} }) },
    desk: {
      canBook: true,
      appointment: () => Promise.resolve({ date: "2030-05-07", startTime: "10:30" }),
      confirm: () => Promise.resolve(true),
      cancel: () => Promise.resolve(true),
      requestChange: () => Promise.resolve(true),
      offer: () => Promise.resolve([]),
      book: () => Promise.resolve(null),
    },
    agree: () => Promise.resolve(),
    chat: createChatClient({ clock: systemClock, address: serverAddress(server), note: () => {} }),
  };
  const agent = createTalkingAgent({
    clock: systemClock,
    logger: silentLogger,
    brief,
    tools,
    start: (work) => void work(),
  });
  agent.answered(line);
  return { agent, played };
}

const hasAsked = (played: readonly { words: string }[], question: string) => () => played.at(-1)?.words === question;
const waiting = { withinMs: 10_000, everyMs: 1 };

async function ownShares(server: ModelServer, turns: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < turns) {
    const { agent, played } = startCall(server);
    await until(hasAsked(played, "Am I speaking with Ravi?"), { ...waiting, what: () => "no question" });
    agent.heardWords("Yes, speaking.");
    await until(hasAsked(played, "Will you come?"), { ...waiting, what: () => "no question" });
    for (let turn = 0; turn < TURNS_PER_CALL && times.length < turns; turn++) {
      const before = played.length;
      const fromMs = performance.now();
      agent.heardWords("Is there a place where I can park my car?");
      const isAnswered = () => played.length > before + 1 && played.at(-1)?.words === "Will you come?";
      await until(isAnswered, { ...waiting, what: () => "no answer" });
      const first = played[before];
      if (!first || !ANSWER.startsWith(first.words)) throw new Error(`The model was not heard, but: ${first?.words}`);
      times.push(first.atMs - fromMs);
    }
    agent.ended("us");
  }
  return times;
}

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const { values } = parseArgs({ args, options: { turns: { type: "string", default: quick ? "40" : "200" } } });
  const server = await startModelServer();
  server.answer = () => chatReply({ text: ANSWER });
  const times = await ownShares(server, Number(values.turns));
  const body = JSON.stringify({ model: "bare", stream: true, messages: [{ role: "user", content: brief.prompt }] });
  const headers = { "content-type": "application/json" };
  const ask = async () => (await fetch(`${server.baseUrl}/chat/completions`, { method: "POST", headers, body })).text();
  const bareMs = await medianMs(Number(values.turns), ask);
  await server.stop();
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  return [
    {
      measure: `our own share of ${times.length} turns that a model leads, p95`,
      here: `${ms(p95)} (p50 ${ms(p50)}, most ${ms(quantile(times, 1))})`,
      against: `${ms(bareMs)} of a bare request to the same server (the ratio is of p50)`,
      ratio: p50 / bareMs,
      goal: `≤ ${MOST_MS} ms`,
      holds: p95 <= MOST_MS,
    },
  ];
}

export const modelTurns: Bench = {
  name: "model-turns",
  about: "our own share of a turn that a language model answers, with a server that answers at once",
  withoutExecutable: true,
  run,
};
