import { afterEach, expect, test } from "bun:test";
import { pcmWav } from "../../../src/audio/pcm-wav.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import type { ServerRole } from "../../../src/speech/servers/port.ts";
import { faultWords } from "../../../src/speech/servers/trial/fault-words.ts";
import { tryServer } from "../../../src/speech/servers/trial/server-trial.ts";
import {
  chatReply,
  errorReply,
  jsonReply,
  serverAddress,
  startModelServer,
  wholeChatReply,
  type ModelServer,
  type Reply,
  type SeenRequest,
} from "../../support/model-server.ts";

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

async function tried(role: ServerRole, answer: (request: SeenRequest) => Reply) {
  const server = await startModelServer();
  servers.push(server);
  server.answer = answer;
  return tryServer({ clock: createManualClock(), role, address: serverAddress(server) });
}

const verdicts = ({ findings }: Awaited<ReturnType<typeof tried>>) => findings.map(({ verdict }) => verdict);

test("a server with all features passes", async () => {
  const trial = await tried("language", ({ json }) => {
    if (json.tools) return chatReply({ toolCalls: [{ name: "offer_slots", arguments: '{"day":"Friday"}' }] });
    if (json.response_format) return chatReply({ text: '{"coming":true,"reason":"they said so"}' });
    return chatReply({ text: "one, two, three" });
  });
  expect([trial.isUsable, verdicts(trial)]).toEqual([true, ["works", "works", "works", "works"]]);
  expect(trial.findings.map(({ words }) => words).join(" ")).toMatch(
    /It talks: first words after \d+ ms.*It streams: the answer came in 4 pieces.*It uses tools.*It keeps to a JSON schema/,
  );
});

test("a server with text only is usable, and missing features are listed", async () => {
  const trial = await tried("language", ({ json }) => {
    if (json.tools) return errorReply(400, "tools need --enable-auto-tool-choice, and sk-very-secret");
    return wholeChatReply({ text: "one, two, three" });
  });
  expect([trial.isUsable, verdicts(trial)]).toEqual([true, ["works", "missing", "missing", "missing"]]);
  const words = trial.findings.map((finding) => finding.words).join("\n");
  expect(words).toContain("does not stream");
  expect(words).toContain("It uses no tools");
  expect(words).toContain("does not keep to a JSON schema");
  expect(words).not.toContain("secret");
});

test("a server that does not answer is not tried further", async () => {
  let asked = 0;
  const trial = await tried("language", () => (asked++, errorReply(401)));
  expect([trial.isUsable, asked]).toEqual([false, 1]);
  expect(trial.findings[0]?.words).toBe("It does not talk: it refuses the key (status 401).");
});

test("a recogniser and a voice are timed", async () => {
  const ears = await tried("recognition", () => jsonReply({ text: "" }));
  expect(ears.findings[0]?.words).toMatch(/^It listens: a second of sound took \d+ ms\.$/);
  const sound = pcmWav(
    Int16Array.from({ length: 8_000 }, (_, i) => (i % 50) * 200),
    8_000,
  );
  const voice = await tried("voice", () => ({ pieces: [sound] }));
  expect(voice.findings[0]?.words).toMatch(/^It speaks: 1\.0 s of speech took \d+ ms\.$/);
  const mute = await tried("voice", () => errorReply(404));
  expect([mute.isUsable, mute.findings[0]?.words]).toEqual([
    false,
    "It does not speak: it does not know the address or the model (status 404).",
  ]);
});

test("every fault has an explanation without server content", () => {
  expect(faultWords(new Error("sk-very-secret"))).not.toContain("secret");
});
