// A hospital's own model servers, configured by an administrator, and a real call that uses one until it fails.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { appliance } from "../support/appliance.ts";
import { putPhonesAway, startPhone, testWithPhone } from "../support/baresip.ts";
import { leaveNothingBehind, runBinary, tempFolder } from "../support/binary.ts";
import { FINAL, finished, place, readCall } from "../support/calls.ts";
import { heardShare } from "../support/correlate.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { chatReply, errorReply, startModelServer, wholeChatReply, type ModelServer } from "../support/model-server.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { newPatient, sipHospital } from "../support/sip-hospital.ts";
import { pcmWav, speechLike } from "../support/sounds.ts";
import { storedRows } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
putPhonesAway();

const KEY = "sk-tr0ub4dor-and-3";
const ALLOW = { RINGWARD_MODELS__ALLOW: "127.0.0.1" };
const servers: ModelServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function started(...args: Parameters<typeof startModelServer>): Promise<ModelServer> {
  const server = await startModelServer(...args);
  servers.push(server);
  return server;
}

function fileHolding(text: string): string {
  const file = join(tempFolder(), "file");
  writeFileSync(file, text);
  return file;
}

describe("from the command line", () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await appliance();
  }, 180_000);
  const run = (args: string[], env: Record<string, string> = ALLOW) => runBinary([...args, "--data", dataDir], { env });

  test("a server is added, tested and removed, and its key is never shown", async () => {
    const authority = createPrivateCa();
    const server = await started(authority.issue(["127.0.0.1"]));
    server.answer = ({ json }) => {
      if (json.tools) return chatReply({ toolCalls: [{ name: "offer_slots", arguments: '{"day":"Friday"}' }] });
      if (json.response_format) return errorReply(400, `no schema for you; ${KEY}`);
      return chatReply({ text: "one, two, three" });
    };
    const added = ["servers", "add", "--name", "gpu", "--role", "language", "--url", server.baseUrl, "--model", "m"];
    const secrets = ["--key-file", fileHolding(KEY), "--ca-file", fileHolding(authority.caPem)];
    const refused = await run([...added, ...secrets], {});
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("models.allow");
    expect((await run([...added, ...secrets])).code).toBe(0);

    const tried = await run(["models", "test"]);
    expect(tried.code).toBe(0);
    expect(tried.stdout).toMatch(/^gpu \(language\)/);
    expect(tried.stdout).toMatch(/It streams: the answer came in 4 pieces\./);
    expect(tried.stdout).toMatch(/ok +It uses tools/);
    expect(tried.stdout).toMatch(/- +It takes no JSON schema, so summaries of calls are made by rules/);
    expect(server.requests.every(({ headers }) => headers["authorization"] === `Bearer ${KEY}`)).toBe(true);

    const listed = await run(["servers", "list"]);
    expect(listed.stdout).toMatch(/gpu +language +https:\/\/127\.0\.0\.1:\d+\/v1 +m +all +yes +dashboard/);
    expect((await run(["doctor"])).stdout).toMatch(/ok +models +1 model server\./);
    expect((await run(["doctor"], {})).stdout).toMatch(/warn +models +gpu: 127\.0\.0\.1 is not allowed/);
    expect([tried, listed].some(({ stdout, stderr }) => (stdout + stderr).includes(KEY))).toBe(false);

    server.answer = () => errorReply(503);
    const failed = await run(["models", "test", "--server", "gpu", "--json"]);
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject([{ name: "gpu", isUsable: false }]);
    expect((await run(["servers", "remove", "gpu"])).code).toBe(0);
    expect((await run(["models", "test"])).stdout).toContain("what is built in serves every call");
  }, 180_000);

  test("proxies of the environment are ignored", async () => {
    const server = await started();
    const proxy = await started();
    server.answer = () => wholeChatReply({ text: "Hello." });
    const at = { RINGWARD_MODELS__SERVERS__GPU__BASE_URL: server.baseUrl, RINGWARD_MODELS__SERVERS__GPU__MODEL: "m" };
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const env = { ...at, HTTP_PROXY: proxyUrl, http_proxy: proxyUrl, ALL_PROXY: proxyUrl };
    expect((await run(["models", "test"], env)).stdout).toContain("It talks");
    expect([server.requests.length, proxy.connections()]).toEqual([3, 0]);
  }, 180_000);
});

testWithPhone(
  "a Hindi call is spoken by the hospital's own voice, and goes on by keys when that is gone",
  async () => {
    const voice = await started();
    const words = speechLike(0.8, 11);
    voice.answer = () => ({ headers: { "content-type": "audio/wav" }, pieces: [pcmWav(words)] });
    const hospital = await sipHospital();
    const port = freeSipPort();
    const line = await hospital.addLine({ port });
    const env = {
      ...ALLOW,
      RINGWARD_MODELS__SERVERS__AWAAZ__ROLE: "voice",
      RINGWARD_MODELS__SERVERS__AWAAZ__BASE_URL: voice.baseUrl,
      RINGWARD_MODELS__SERVERS__AWAAZ__MODEL: "indic",
      RINGWARD_MODELS__SERVERS__AWAAZ__LANGUAGES: "hi",
      RINGWARD_MODELS__SERVERS__AWAAZ__KEY: KEY,
    };
    const server = await hospital.start(env);
    const number = newPatient();
    const phone = await startPhone({ number, port, says: speechLike(1, 12) });
    const about = { agent_id: line.agentId, user_number: number, user_preferred_language: "hi" };
    const callId = await place(server, about);
    await phone.told("CALL_ESTABLISHED");
    await until(() => heardShare(phone.heard(), words) > 0, { everyMs: 250 });
    expect(voice.requests.every(({ path }) => path === "/v1/audio/speech")).toBe(true);
    expect(voice.requests.map(({ json }) => json.input).join(" ")).toMatch(/दबाइए/);

    await voice.stop();
    const isOver = async () => {
      await phone.press("1").catch(() => {});
      return FINAL.includes((await readCall(server, callId)).status);
    };
    await until(isOver, { everyMs: 1_000, withinMs: 90_000 });
    const call = await finished(server, callId);
    expect(call.status).toBe("completed");
    expect(call.extracted_details).toMatchObject({ answer: "acknowledged" });
    await server.stop();

    const trail = "SELECT detail FROM audit_entries WHERE action = 'call.model_used'";
    const used = storedRows<{ detail: string }>(hospital.dataDir, trail);
    const [entry] = used.map(({ detail }) => JSON.parse(detail) as Record<string, unknown>);
    expect(entry).toMatchObject({ server: "settings:awaaz", host: "127.0.0.1", role: "voice" });
    expect(server.output()).not.toMatch(new RegExp(`${KEY}|दबाइए`));
    await phone.stop();
  },
  240_000,
);
