// Model servers from creation to use on a call: storage, views and permissions.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { NewServer } from "../../src/agents/model-servers/checked-server.ts";
import { BUILT_IN } from "../../src/agents/model-servers/model-server-service.ts";
import { createServerAddresses, modelAllowList } from "../../src/agents/model-servers/server-addresses.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { AppError } from "../../src/core/errors.ts";
import { covers, serversFor } from "../../src/speech/servers/choices.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { rejectionOf } from "../support/temp.ts";
import { applianceWithTrunks, type ApplianceWithTrunks } from "../trunks/appliance-with-trunks.ts";

const KEY = "sk-tr0ub4dor-and-3";
const ENVIRONMENT = {
  RINGWARD_MODELS__ALLOW: "10.0.0.0/8,127.0.0.1,8.8.8.8",
  RINGWARD_MODELS__SERVERS__SHARED__ROLE: "voice",
  RINGWARD_MODELS__SERVERS__SHARED__BASE_URL: "http://192.168.7.7:8880/v1",
  RINGWARD_MODELS__SERVERS__SHARED__MODEL: "kokoro",
  RINGWARD_MODELS__SERVERS__SHARED__KEY: "sk-of-settings",
  RINGWARD_MODELS__SERVERS__THEIRS__ROLE: "recognition",
  RINGWARD_MODELS__SERVERS__THEIRS__COMMAND: "whisper-cli,--token=secret",
  RINGWARD_MODELS__SERVERS__THEIRS__ORGANISATION: "Theirs",
};

let it: ApplianceWithTrunks;
beforeEach(async () => {
  it = await applianceWithTrunks({ environment: ENVIRONMENT });
  await it.modelServers.refresh();
});
afterEach(() => it.close());

const create = (changes: Partial<NewServer> = {}, organisationId = it.ours) =>
  it.modelServers.create(
    organisationId,
    { name: "Main", role: "language", base_url: "http://10.20.0.5:8000/v1/", model: "sarvam", key: KEY, ...changes },
    CLI_ACTOR,
  );
const fault = (promise: Promise<unknown>) => rejectionOf<AppError>(promise);
const anAgent = async () => (await it.agents.create(it.ours, { name: "Asha" }, CLI_ACTOR)).agent_id;
const forCall = async (agentId: string) => {
  await it.modelServers.refresh();
  return it.modelServers.forCall(it.db.reader, it.ours, agentId);
};

describe("a model server", () => {
  test("is returned as given, without its key", async () => {
    const made = await create({ languages: ["hi", "en"], voice: "asha", first_ms: 900, total_ms: 5_000 });
    expect(made).toEqual({
      server_id: made.server_id,
      name: "Main",
      role: "language",
      source: "dashboard",
      base_url: "http://10.20.0.5:8000/v1",
      program: null,
      has_key: true,
      model: "sarvam",
      voice: "asha",
      languages: ["hi", "en"],
      ca_pem: null,
      first_ms: 900,
      total_ms: 5_000,
      is_default: true,
    });
    expect(await it.modelServers.byName(it.ours, "Main")).toEqual(made);
    const stored = await it.db.reader.selectFrom("model_servers").selectAll().execute();
    expect(JSON.stringify([stored, it.logLines, await it.audited("model_server.created")])).not.toContain(KEY);
  });

  test("of the configuration is listed too, without its key or a program's arguments", async () => {
    const ours = await it.modelServers.list(it.ours);
    expect(ours.map(({ server_id, source, has_key }) => [server_id, source, has_key])).toEqual([
      ["settings:shared", "settings", true],
    ]);
    const theirs = await it.modelServers.list(it.theirs);
    expect(theirs.map(({ program }) => program)).toEqual([null, "whisper-cli"]);
    expect(JSON.stringify([ours, theirs])).not.toContain("secret");
    expect((await fault(it.modelServers.remove(it.ours, "settings:shared", CLI_ACTOR))).code).toBe("CONFLICT");
  });

  test("is invisible to other organisations", async () => {
    const { server_id } = await create();
    expect((await fault(it.modelServers.update(it.theirs, server_id, { model: "x" }, CLI_ACTOR))).code).toBe(
      "NOT_FOUND",
    );
    expect((await fault(it.modelServers.remove(it.theirs, server_id, CLI_ACTOR))).code).toBe("NOT_FOUND");
    expect((await fault(it.modelServers.forTrial(it.theirs, server_id, CLI_ACTOR))).code).toBe("NOT_FOUND");
    expect((await it.modelServers.list(it.theirs)).map(({ name }) => name)).not.toContain("Main");
  });

  test("with a new address needs its key again", async () => {
    const { server_id } = await create();
    const move = { base_url: "http://10.20.0.6:8000/v1" };
    const refused = await fault(it.modelServers.update(it.ours, server_id, move, CLI_ACTOR));
    expect(refused.details[0]?.field).toBe("key");
    const moved = await it.modelServers.update(it.ours, server_id, { ...move, key: null }, CLI_ACTOR);
    expect([moved.base_url, moved.has_key]).toEqual(["http://10.20.0.6:8000/v1", false]);
  });

  test.each([
    ["name", { name: " " }],
    ["role", { role: "eyes" }],
    ["base_url", { base_url: "ftp://10.0.0.1/v1" }],
    ["base_url", { base_url: "http://user:pw@10.0.0.1/v1" }],
    ["base_url", { base_url: "http://169.254.169.254/v1" }],
    ["base_url", { base_url: "http://192.168.1.1/v1" }],
    ["base_url", { base_url: "http://8.8.8.8/v1" }],
    ["model", { model: "" }],
    ["key", { key: "a\r\nb" }],
    ["ca_pem", { ca_pem: "no PEM" }],
    ["languages", { languages: ["Hindi!"] }],
    ["total_ms", { first_ms: 3_000, total_ms: 2_000 }],
  ])("with a wrong %s is refused (%j)", async (field, change) => {
    const { code, details, message } = await fault(create(change));
    expect([code, details[0]?.field]).toEqual(["VALIDATION_ERROR", field]);
    expect(message).not.toContain("pw");
  });

  test("on the internet is reachable over https if allowed", async () => {
    expect((await create({ base_url: "https://8.8.8.8/v1" })).base_url).toBe("https://8.8.8.8/v1");
    expect((await fault(create({ name: "b", base_url: "https://9.9.9.9/v1" }))).message).toContain("models.allow");
  });
});

describe("a call", () => {
  test("gets the organisation's defaults before shared ones, with keys and addresses", async () => {
    const { caPem } = createPrivateCa();
    await create({ ca_pem: caPem });
    await create({ name: "Own voice", role: "voice", languages: ["hi"] });
    await create({ name: "Spare", is_default: false });
    const choices = await forCall(await anAgent());
    expect(choices.language).toEqual([
      expect.objectContaining({ name: "Main", key: KEY, addresses: ["10.20.0.5"], caPem, voice: null }),
    ]);
    expect(choices.voice.map(({ name }) => name)).toEqual(["Own voice", "shared"]);
    expect(serversFor(choices, "hi-IN").voice?.name).toBe("Own voice");
    expect(serversFor(choices, "en-IN").voice).toMatchObject({ name: "shared", key: "sk-of-settings" });
    expect(structuredClone(choices)).toEqual(choices);
  });

  test("gets its agent's choice, and none for the built-in choice", async () => {
    await create();
    const { server_id } = await create({ name: "Spare", is_default: false });
    const agentId = await anAgent();
    const wish = { language: server_id, voice: BUILT_IN };
    expect(await it.modelServers.choose(it.ours, agentId, wish, CLI_ACTOR)).toEqual({ ...wish, recognition: null });
    const choices = await forCall(agentId);
    expect([choices.language.map(({ name }) => name), choices.voice]).toEqual([["Spare"], []]);
    await it.modelServers.remove(it.ours, server_id, CLI_ACTOR);
    expect((await forCall(agentId)).language.map(({ name }) => name)).toEqual(["Main"]);
    await it.modelServers.choose(it.ours, agentId, { voice: null }, CLI_ACTOR);
    expect((await forCall(agentId)).voice.map(({ name }) => name)).toEqual(["shared"]);
  });

  test("cannot choose another organisation's server, nor one of another role", async () => {
    const agentId = await anAgent();
    const { server_id: foreign } = await create({}, it.theirs);
    const choose = (wish: Record<string, string>) => it.modelServers.choose(it.ours, agentId, wish, CLI_ACTOR);
    expect((await fault(choose({ language: foreign }))).code).toBe("VALIDATION_ERROR");
    expect((await fault(choose({ language: "settings:shared" }))).code).toBe("VALIDATION_ERROR");
    expect((await fault(it.modelServers.choices(it.theirs, agentId))).code).toBe("NOT_FOUND");
  });
});

describe("addresses", () => {
  const book = (found: () => string[]) =>
    createServerAddresses({
      clock: createManualClock(),
      allow: modelAllowList(["gpu.example", "10.0.0.0/8"]),
      resolve: async () => found(),
    });

  test("are resolved in advance, and one refused address refuses the host", async () => {
    let found = ["10.1.1.1"];
    const addresses = book(() => found);
    const url = "http://other.example/v1";
    expect(addresses.known(url)).toEqual([]);
    expect(await addresses.find(url)).toEqual({ addresses: ["10.1.1.1"] });
    expect(addresses.known(url)).toEqual(["10.1.1.1"]);
    found = ["10.1.1.1", "93.184.216.34"];
    expect(await addresses.find(url)).toEqual({ reason: expect.stringContaining("models.allow") });
    expect(addresses.known(url)).toEqual([]);
  });

  test("come from the cache if the look-up fails", async () => {
    let isDown = false;
    const addresses = book(() => {
      if (isDown) throw new Error("EAI_AGAIN");
      return ["192.168.1.9"];
    });
    const url = "http://gpu.example/v1";
    await addresses.find(url);
    isDown = true;
    expect(await addresses.find(url)).toEqual({ reason: expect.stringContaining("cannot be found") });
    expect(addresses.known(url)).toEqual(["192.168.1.9"]);
  });

  test("of an allowed name may be any except forbidden ones; public ones require https", async () => {
    let found = ["169.254.169.254"];
    const addresses = book(() => found);
    expect(await addresses.find("https://gpu.example/v1")).toEqual({ reason: expect.stringContaining("metadata") });
    found = ["93.184.216.34"];
    expect(await addresses.find("http://gpu.example/v1")).toEqual({ reason: expect.stringContaining("https://") });
    expect(await addresses.find("https://gpu.example/v1")).toEqual({ addresses: ["93.184.216.34"] });
  });
});

test("languages match by prefix and by name", () => {
  const pairs: [string[], string, boolean][] = [
    [[], "ta", true],
    [["hi"], "hi-IN", true],
    [["hi"], "Hindi", true],
    [["hi"], "hil", false],
    [["en-IN"], "en", false],
    [["en"], "en_IN", true],
  ];
  for (const [languages, language, isCovered] of pairs) expect(covers(languages, language)).toBe(isCovered);
});
