// Calls with the hospital's own servers: recogniser, voice and audit notes.
import { afterEach, expect, test } from "bun:test";
import { pcmWav } from "../../src/audio/pcm-wav.ts";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { OwnRecogniser } from "../../src/speech/ears/port.ts";
import type { ModelServers, SentNote } from "../../src/speech/servers/port.ts";
import type { Line, Sound, CallAgent } from "../../src/telephony/port.ts";
import type { AgentBrief, TalkResult } from "../../src/voice/port.ts";
import { createCallAgents } from "../../src/voice/call-agents.ts";
import { jsonReply, serverAddress, startModelServer, type ModelServer } from "../support/model-server.ts";
import { until } from "../support/until.ts";

const servers: ModelServer[] = [];
const agents: CallAgent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.ended("us");
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const TONE = Int16Array.from({ length: 4_000 }, (_, i) => Math.round(3_000 * Math.sin(i / 3)));

async function started(): Promise<ModelServer> {
  const server = await startModelServer();
  server.answer = ({ path }) =>
    path.endsWith("/speech") ? { pieces: [pcmWav(TONE, 8_000)] } : jsonReply({ text: "जी हाँ" });
  servers.push(server);
  return server;
}

function call(brief: Partial<AgentBrief>, isHeard = true) {
  const own: (OwnRecogniser | null)[] = [];
  const builtIn: string[] = [];
  const played: Sound[] = [];
  const switched: boolean[] = [];
  const createCallAgent = createCallAgents(
    {
      speak: async (text) => (builtIn.push(text), null),
      say: (text) => (builtIn.push(text), { next: async () => null, cancel() {} }),
    },
    (recogniser) => {
      own.push(recogniser);
      return { open: () => ({ hear() {}, recognise: async () => null, close() {} }) };
    },
    isHeard,
  );
  const agent = createCallAgent({
    callId: "call_1",
    clock: systemClock,
    logger: silentLogger,
    brief: {
      agentName: "Asha",
      language: "hi-IN",
      voice: "default",
      prompt: "",
      promptTemplate: "",
      greeting: "नमस्ते।",
      contactName: null,
      additionalInfo: {},
      timeZone: "Asia/Kolkata",
      transferTo: null,
      direction: "outbound",
      desk: null,
      ...brief,
    } satisfies AgentBrief,
    clip: () => null,
    ask: async () => null,
    start: (work) => void work(),
  });
  agents.push(agent);
  const line: Line = {
    play(sound: Sound) {
      played.push(sound);
      return () => 0;
    },
    stopPlaying() {},
    pausePlaying() {},
    resumePlaying() {},
    record: (isOn: boolean) => void switched.push(isOn),
    hangUp() {},
    transfer: async () => "failed",
  } as unknown as Line;
  return { agent, line, own, builtIn, played, switched, result: () => agent.ended("us") as TalkResult };
}

const models = (server: ModelServer, more: Partial<ModelServers> = {}): ModelServers => ({
  language: null,
  recognition: serverAddress(server, { id: "ears" }),
  voice: serverAddress(server, { id: "voice" }),
  ...more,
});

test("a Hindi call uses them, and requests are recorded", async () => {
  const server = await started();
  const { agent, line, own, played, builtIn, result } = call({ models: models(server) });
  agent.answered(line);
  await until(() => played.length > 0);
  expect(played[0]?.words).toBe("नमस्ते।");
  expect(builtIn).toEqual([]);
  expect(await own[0]?.recognise(TONE, () => Promise.reject(new Error("ours was asked")))).toMatchObject({
    text: "जी हाँ",
  });
  const sent = result().sent ?? [];
  const by = (role: SentNote["role"]) => sent.find((note) => note.role === role);
  expect(by("recognition")).toMatchObject({ server: "ears", host: "127.0.0.1", requests: 1, failures: 0 });
  expect(by("voice")?.requests).toBeGreaterThan(0);
  expect(JSON.stringify(sent)).not.toMatch(/secret|नमस्ते|जी/);
});

test("with a recogniser only, a Hindi call uses the built-in voice", async () => {
  const server = await started();
  const { agent, line, own, builtIn } = call({ models: models(server, { voice: null }) });
  agent.answered(line);
  await until(() => builtIn.includes("नमस्ते।"));
  expect(own).toEqual([expect.objectContaining({ recognise: expect.any(Function) })]);
  expect(agent.heardFrame).toBeFunction();
});

test("without a recogniser for its language a call uses keys, whichever voice speaks", async () => {
  const server = await started();
  const { agent, line, own, played } = call({ models: models(server, { recognition: null }) });
  agent.answered(line);
  await until(() => played.length > 0);
  expect(own).toEqual([]);
  // The audio of such a call is not decoded; SIP hold works as usual.
  expect(agent.heardFrame).toBeUndefined();
  expect(agent.held).toBeFunction();
});

test("on simulated lines no speech server is contacted", async () => {
  const server = await started();
  const { own, result } = call({ language: "en-IN", models: models(server) }, false);
  expect(own).toEqual([null]);
  expect(result().sent ?? []).toEqual([]);
  expect(server.requests).toEqual([]);
});

test("without servers the agent is unchanged", () => {
  const { own, result } = call({ language: "en-IN" });
  expect(own).toEqual([null]);
  expect("sent" in result()).toBe(false);
});

test("a call without a recording mode is not recorded", () => {
  const { agent, line, switched } = call({});
  agent.answered(line);
  expect(switched).toEqual([]);
});
