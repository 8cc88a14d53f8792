// A model server becomes the default only after a trial that calls could use.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTriedDefault, type TriedServer } from "../../src/agents/model-servers/tried-default.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { systemClock } from "../../src/core/clock.ts";
import { chatReply, errorReply, startModelServer, type ModelServer } from "../support/model-server.ts";
import { applianceWithTrunks, type ApplianceWithTrunks } from "../trunks/appliance-with-trunks.ts";

let it: ApplianceWithTrunks;
let model: ModelServer;
let tried: ReturnType<typeof createTriedDefault>;
beforeEach(async () => {
  it = await applianceWithTrunks({ environment: { RINGWARD_MODELS__ALLOW: "127.0.0.1" } });
  model = await startModelServer();
  tried = createTriedDefault({ clock: systemClock, modelServers: it.modelServers });
});
afterEach(async () => {
  await model.stop();
  await it.close();
});

const works = () => {
  model.answer = ({ json }) =>
    json.tools ? errorReply(400) : chatReply({ text: json.response_format ? "no" : "one, two, three" });
};
const fails = () => {
  model.answer = () => errorReply(500);
};
const create = (changes: object = {}) =>
  tried.create(
    it.ours,
    { name: "GPU", role: "language", base_url: model.baseUrl, model: "test-model", ...changes },
    CLI_ACTOR,
  );
const isDefault = async () => (await it.modelServers.list(it.ours)).map(({ is_default }) => is_default);
const verdicts = ({ trial }: TriedServer) => trial?.findings.map(({ verdict }) => verdict);

test("a server that works becomes the default, and its answers are told", async () => {
  works();
  const made = await create();
  expect([made.server.is_default, made.trial?.isUsable]).toEqual([true, true]);
  expect(verdicts(made)).toContain("works");
  expect(await isDefault()).toEqual([true]);
});

test("a server that fails is stored, and no agent uses it until a trial succeeds", async () => {
  fails();
  const made = await create();
  expect([made.server.is_default, made.trial?.isUsable]).toEqual([false, false]);
  expect(await isDefault()).toEqual([false]);
  const again = await tried.update(it.ours, made.server.server_id, { is_default: true }, CLI_ACTOR);
  expect([again.server.is_default, again.trial?.isUsable]).toEqual([false, false]);
  works();
  const better = await tried.update(it.ours, made.server.server_id, { is_default: true }, CLI_ACTOR);
  expect([better.server.is_default, better.trial?.isUsable]).toEqual([true, true]);
});

test("a default that moves to another model is tried again, another name changes nothing", async () => {
  works();
  const { server } = await create();
  const named = await tried.update(it.ours, server.server_id, { name: "Rack" }, CLI_ACTOR);
  expect([named.server.is_default, named.trial]).toEqual([true, null]);
  fails();
  const moved = await tried.update(it.ours, server.server_id, { model: "other" }, CLI_ACTOR);
  expect([moved.server.is_default, moved.trial?.isUsable]).toEqual([false, false]);
});

test("a server that is nobody's default is not tried", async () => {
  fails();
  const made = await create({ is_default: false });
  expect([made.server.is_default, made.trial]).toEqual([false, null]);
});
