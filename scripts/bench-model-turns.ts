// Our own share of a turn that a language model answers: from the end of the callee's words to the first sound that goes to the
// line, with a server over HTTP that answers at once and a voice that takes no time. Says so where p95 is over 60 ms.
// `scripts/bench-model-turns [--turns 200]`
import { parseArgs } from "node:util";
import { systemClock } from "../src/core/clock.ts";
import { silentLogger } from "../src/core/logger.ts";
import { createChatClient } from "../src/speech/servers/chat/chat-client.ts";
import type { Line } from "../src/telephony/port.ts";
import type { AgentBrief, AgentTools } from "../src/voice/port.ts";
import { createTalkingAgent } from "../src/voice/talking/talking.ts";
import { chatReply, serverAddress, startModelServer } from "../test/support/model-server.ts";
import { until } from "../test/support/until.ts";

const { values } = parseArgs({ options: { turns: { type: "string", default: "200" } } });
const TURNS = Number(values.turns);
const TURNS_PER_CALL = 20;
const MOST_MS = 60;
const ANSWER = "Yes, there is a place to park. It is behind the house.";

const server = await startModelServer();
server.answer = () => chatReply({ text: ANSWER });

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

function startCall() {
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
    transfer: () => Promise.resolve("refused"),
    hangUp() {},
  };
  const soundOf = (words: string) => ({ samples: null, lengthMs: 1_000, words });
  const tools: AgentTools = {
    recorded: () => null,
    speak: (text) => Promise.resolve(soundOf(text)),
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

const times: number[] = [];
while (times.length < TURNS) {
  const { agent, played } = startCall();
  await until(hasAsked(played, "Am I speaking with Ravi?"), { ...waiting, what: () => "no question" });
  agent.heardWords("Yes, speaking.");
  await until(hasAsked(played, "Will you come?"), { ...waiting, what: () => "no question" });
  for (let turn = 0; turn < TURNS_PER_CALL && times.length < TURNS; turn++) {
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
await server.stop();

const sorted = times.toSorted((a, b) => a - b);
const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const p95 = at(0.95);
console.log(
  `own share of ${times.length} turns: p50 ${at(0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, most ${at(1).toFixed(1)} ms`,
);
process.exit(p95 <= MOST_MS ? 0 : 1);
