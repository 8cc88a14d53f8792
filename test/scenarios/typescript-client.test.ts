// The TypeScript client that the executable serves: compiled under the strictest settings, and run by Bun and Node.js
// against the executable and against servers that refuse, break off and redirect.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { ask } from "../support/api-client.ts";
import { finished, startQuick, talkative } from "../support/calls.ts";
import { breakOff, done, refuse, startFaultyApi, type FaultyAnswer, type FaultyApi } from "../support/faulty-api.ts";
import { closeReceivers, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
closeReceivers();

const MODULES = join(import.meta.dir, "../../node_modules");
const STRICT = {
  strict: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  isolatedDeclarations: true,
  declaration: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  target: "es2022",
  module: "preserve",
  types: ["bun"],
};

const his = startReceiver();
let server: Running;
let folder: string;
beforeAll(async () => {
  server = await startQuick(his.env);
  folder = tempFolder();
  symlinkSync(MODULES, join(folder, "node_modules"));
  const served = await fetch(`${server.url}/docs/clients/ringward.ts`);
  expect([served.status, served.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  write("ringward.ts", await served.text());
});
afterAll(() => server.kill());

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

async function output(...command: string[]): Promise<{ code: number; text: string }> {
  const run = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "pipe", env: { PATH: process.env["PATH"] } });
  const [out, faults] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  return { code: await run.exited, text: out + faults };
}

/** Runs a program with the client; returns what it stored as `result`. */
async function run(program: string, values: Record<string, unknown>): Promise<unknown> {
  write(
    "program.ts",
    `import { Ringward, RingwardError, Unreachable, verify } from "./ringward.ts";
const given = ${JSON.stringify(values)};
const slept: number[] = [];
const hospital = new Ringward(given.url, given.key ?? "rw_key", { sleep: async (ms) => slept.push(Math.round(ms)) });
const fault = async (act: () => Promise<unknown>) => {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof RingwardError) return [error.status, error.code];
    if (error instanceof Unreachable) return ["unreachable", null];
    throw error;
  }
};
let result;
${program}
console.log(JSON.stringify(result));`,
  );
  const { code, text } = await output(process.execPath, "program.ts");
  expect({ code, faults: code === 0 ? "" : text }).toEqual({ code: 0, faults: "" });
  return JSON.parse(text.trim().split("\n").at(-1) ?? "null");
}

test("it compiles under strict settings, and knows bodies, answers and events", async () => {
  write("tsconfig.json", JSON.stringify({ compilerOptions: STRICT, files: ["usage.ts"] }));
  const usage = (state: string, list: string) => `
import { Ringward, type Call, type CallCompletedEvent } from "./ringward.ts";
const hospital = new Ringward("https://calls.hospital.example", "key");
const call: Call = await hospital.getCall("call_1");
export const state: ${state} = call.status;
export const inspect = async (id: string, idempotencyKey: string | undefined): Promise<string> => {
  const made = await hospital.remindOfAppointment(id, { agent_id: null }, { idempotencyKey });
  return made.appointment_id;
};
export const of = (event: CallCompletedEvent): string => event.data.call_id;
for await (const each of hospital.${list}({ status: "failed" })) console.log(each.call_id);
`;
  const compiled = async (text: string) => {
    write("usage.ts", text);
    return output(join(MODULES, ".bin/tsc"), "-p", ".");
  };
  expect(await compiled(usage('Call["status"]', "listCalls"))).toEqual({ code: 0, text: "" });
  expect((await compiled(usage("number", "listCalls"))).text).toContain("is not assignable to type 'number'");
  expect((await compiled(usage("string", "listCals"))).text).toContain("Property 'listCals' does not exist");
}, 180_000);

test("with the executable, a call is created once, lists are followed to their end, and faults have their code", async () => {
  const found = await run(
    `const later = { agent_id: given.agent, user_number: "+919810000000", scheduled_time: "2027-03-01T06:00:00Z" };
const idOf = (made: object) => ("call_id" in made ? made.call_id : null);
const first = idOf(await hospital.createCall(later, { idempotencyKey: "visit-1" }));
const again = idOf(await hospital.createCall(later, { idempotencyKey: "visit-1" }));
for (let i = 0; i < 4; i++) await hospital.createCall(later);
const listed = new Set<string>();
for await (const { call_id } of hospital.listCalls({ limit: 2, status: "scheduled" })) listed.add(call_id);
const period = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
result = {
  same: first === again && listed.has(String(first)),
  listed: listed.size,
  dry: idOf(await hospital.createCall(later, { dry_run: true })),
  unknown: await fault(() => hospital.getCall("call_unknown/..")),
  invalid: await fault(() => hospital.createCall({ ...later, user_number: "12" })),
  bytes: (await hospital.getBreachReport({ ...period, accept: "text/csv" })) instanceof Uint8Array,
  verified: verify(new TextEncoder().encode("{}"), "1", "v1=", "whsec_x"),
};`,
    { url: server.url, key: server.demo["api_key"], agent: server.demo["agent_id"] },
  );
  expect(found).toEqual({
    same: true,
    listed: 5,
    dry: null,
    unknown: [404, "NOT_FOUND"],
    invalid: [422, "INVALID_PHONE_NUMBER"],
    bytes: true,
    verified: false,
  });
});

test("a search is followed to its end, with its question in the body", async () => {
  const found = await run(
    `const identifier = { system: "mrn", value: "MRN-7" };
const open = (await hospital.getBookableSlots()).filter(({ ai_available_slots }) => ai_available_slots > 2);
const made = [];
for (const last of ["1", "2", "3"])
  made.push(await hospital.createAppointment({
    slot_id: open[0]?.slot_id ?? "none",
    contact_number: "+91981000007" + last,
    contact_identifiers: [identifier],
  }));
const listed = [];
for await (const { appointment_id } of hospital.searchAppointments({ identifier, limit: 2 })) listed.push(appointment_id);
result = [listed.length, made.every(({ appointment_id }) => listed.includes(appointment_id))];`,
    { url: server.url, key: server.demo["api_key"] },
  );
  expect(found).toEqual([3, true]);
});

test("the signature of a delivered event verifies, and no changed body does", async () => {
  const endpoint = { url: his.url, event_types: ["call.completed"] };
  const { data } = await ask(server, "POST", "/v1/webhook-endpoints", { body: endpoint });
  const made = await ask(server, "POST", "/v1/calls", {
    body: { agent_id: server.demo["agent_id"], user_number: talkative() },
  });
  await finished(server, String(made.data["call_id"]));
  await until(() => his.received.length > 0, { what: () => "no event arrived" });
  const { body, headers } = his.received[0]!;
  const found = await run(
    `const check = (body: string) => verify(new TextEncoder().encode(body), given.at, given.signature, given.secret);
result = [check(given.body), check(given.body + " ")];`,
    {
      url: server.url,
      body: body.toString("utf8"),
      at: headers["x-webhook-timestamp"],
      signature: headers["x-webhook-signature"],
      secret: data["secret"],
    },
  );
  expect(found).toEqual([true, false]);
});

test.skipIf(Bun.which("node") === null)("Node.js runs it, with its types removed by the compiler", async () => {
  const emit = { target: "es2022", module: "nodenext", types: ["bun"], outDir: "emitted", skipLibCheck: true };
  write("tsconfig.emit.json", JSON.stringify({ compilerOptions: emit, files: ["ringward.ts"] }));
  write("package.json", '{ "type": "module" }');
  expect(await output(join(MODULES, ".bin/tsc"), "-p", "tsconfig.emit.json")).toEqual({ code: 0, text: "" });
  const { url, demo } = server;
  write(
    "program.js",
    `import { Ringward, RingwardError } from "./emitted/ringward.js";
const hospital = new Ringward(${JSON.stringify(url)}, ${JSON.stringify(demo["api_key"])});
const { plan } = await hospital.getMe();
const unknown = await hospital.getCall("call_unknown").catch((error) => [error instanceof RingwardError, error.code]);
const agents = [];
for await (const { agent_id } of hospital.listAgents({ limit: 1 })) agents.push(agent_id);
console.log(JSON.stringify([plan, unknown, agents.includes(${JSON.stringify(demo["agent_id"])})]));`,
  );
  const { code, text } = await output("node", "program.js");
  expect([code, JSON.parse(text) as unknown]).toEqual([0, [expect.any(String), [true, "NOT_FOUND"], true]]);
});

describe("with a server that", () => {
  let api: FaultyApi;
  beforeAll(async () => {
    api = await startFaultyApi();
  });
  afterAll(() => api.close());

  async function ask(act: string, ...script: FaultyAnswer[]): Promise<unknown> {
    api.script(script);
    return run(`result = [await ${act}, slept];`, { url: api.url });
  }

  test("says when to come back, it comes back then", async () => {
    const soon = refuse(429, { "retry-after": "7" });
    expect(await ask('hospital.cancelCall("call_1")', soon, soon)).toEqual([{ ok: true }, [7_000, 7_000]]);
    const late = refuse(503, { "retry-after": "9999" });
    expect(await ask('fault(() => hospital.getCall("call_1"))', late)).toEqual([[503, null], []]);
  });

  test("breaks off, what creates something is sent again with the same key", async () => {
    const act = 'hospital.createCall({ agent_id: "a", user_number: "+919810000000" })';
    const [answer, slept] = (await ask(act, breakOff, refuse(502), done)) as [object, number[]];
    expect(answer).toEqual({ ok: true });
    expect(slept).toHaveLength(2);
    for (const [i, wait] of slept.entries()) expect(wait).toBeWithin(250 * 2 ** i, 500 * 2 ** i + 1);
    expect(new Set(api.asked().map(({ key }) => key)).size).toBe(1);
    expect(String(api.asked()[0]?.key)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("breaks off, what might run twice is not sent again", async () => {
    const act = 'fault(() => hospital.changeAgent("a", {}))';
    expect(await ask(act, breakOff)).toEqual([["unreachable", null], []]);
    expect(await ask(act, refuse(503, { "retry-after": "1" }))).toEqual([[503, null], []]);
    expect(api.asked()).toHaveLength(1);
  });

  test("never answers, the client gives up after five attempts", async () => {
    const [told] = (await ask(
      'fault(() => hospital.getCall("call_1"))',
      ...Array.from({ length: 9 }, () => breakOff),
    )) as unknown[];
    expect(told).toEqual(["unreachable", null]);
    expect(api.asked()).toHaveLength(5);
  });

  test("redirects, the key goes nowhere else", async () => {
    const away = refuse(302, { location: `${api.url}/elsewhere` });
    expect(await ask('fault(() => hospital.getCall("call_1"))', away)).toEqual([[302, null], []]);
    expect(api.asked()).toEqual([{ method: "GET", key: undefined, apiKey: "rw_key" }]);
  });
});
