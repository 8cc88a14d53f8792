// Consent on the real appliance: asked in calls, and kept with the commands.
import { beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConsentView } from "../../src/rules/consent/model.ts";
import { leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { command, commandJson, finished, newAgent, place, readCall, startQuick } from "../support/calls.ts";
import { closeReceivers, startReceiver, type Receiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
closeReceivers();

let server: Running;
let receiver: Receiver;
let agent: string;
let folder: string;
beforeAll(async () => {
  receiver = startReceiver();
  folder = tempFolder();
  server = await startQuick(receiver.env);
  const events = ["--events", "consent.granted,consent.withdrawn"];
  const args = ["endpoints", "create", "--url", receiver.url, ...events, "--data", server.dataDir];
  expect((await runBinary(args, { env: receiver.env })).code).toBe(0);
  agent = (await newAgent(server, { more: ["--asks-consent", "promotional"] })).agentId;
}, 180_000);

const consents = (...args: string[]) => commandJson<ConsentView[]>(server, "consents", "list", ...args);
const file = (name: string) => join(folder, name);
const run = (...args: string[]) => runBinary(["consents", ...args, "--data", server.dataDir], { env: receiver.env });

/** A call in which the callee says these lines, one after each turn of the agent. */
async function talkedTo(number: string, ...lines: string[]) {
  const info = { simulated_callee_says: ["Yes, speaking.", ...lines] };
  const id = await place(server, { user_number: number, agent_id: agent, additional_info: info });
  await finished(server, id);
  const { call_transcript: said, extracted_details: details } = await readCall(server, id);
  return { id, wasAsked: said?.some(({ text }) => text.startsWith("May our automatic assistant call")), details };
}

test("the callee's own yes is recorded with its call and published, a no is a refusal, and neither is asked again", async () => {
  const [agrees, refuses] = ["+919810010012", "+919810020012"];
  const yes = await talkedTo(agrees, "Yes, you may.");
  expect(yes).toMatchObject({ wasAsked: true, details: { consent_answer: "given" } });
  expect(await consents("--number", agrees)).toMatchObject([
    { purpose: "promotional", status: "active", basis: "verbal", source: "call", call_id: yes.id },
  ]);
  const no = await talkedTo(refuses, "No, thank you.");
  expect(no).toMatchObject({ wasAsked: true, details: { consent_answer: "refused" } });
  expect(await consents("--number", refuses)).toMatchObject([{ status: "withdrawn", basis: null, granted_at: null }]);
  const events = () => receiver.received.map(({ json }) => [json.event_type, json.data["call_id"]]);
  await until(() => events().length >= 2, { what: () => `events: ${JSON.stringify(events())}` });
  expect(events()).toEqual([
    ["consent.granted", yes.id],
    ["consent.withdrawn", no.id],
  ]);
  for (const number of [agrees, refuses]) expect((await talkedTo(number)).wasAsked).toBe(false);
}, 180_000);

test("the commands record, list, withdraw, import and export", async () => {
  const number = "+919810055555";
  await command(server, "consents", "grant", "--purpose", "service", "--basis", "written", "--", number);
  expect(await consents("--number", number)).toMatchObject([{ status: "active", source: "cli" }]);
  expect((await run("grant", number, "--purpose", "ads", "--basis", "written")).code).toBe(2);
  await command(server, "consents", "withdraw", "--purpose", "service", "--", number);
  expect(await consents("--status", "withdrawn", "--purpose", "service")).toMatchObject([{ contact_number: number }]);

  writeFileSync(file("list.csv"), `Mobile;Reference\n+91 98100 66666;"Form 7; page 2"\n12;\n`);
  const imported = await run("import", file("list.csv"), "--purpose", "promotional", "--basis", "written");
  expect(imported.stdout).toStartWith("1 recorded, 0 recorded before, 1 refused.\nLine 3: ");
  expect(imported.code).toBe(1);
  const again = await run("import", file("list.csv"), "--purpose", "promotional", "--basis", "written");
  expect(again.stdout).toStartWith("0 recorded, 1 recorded before, 1 refused.");
  for (const [name, text, message] of [
    ["no-heading.csv", "+919810066666\n", "must name a column"],
    ["empty.csv", "number\n", "has no lines"],
    ["long.csv", `number\n${"+919810066666\n".repeat(100_001)}`, "more than 100,000"],
  ] as const) {
    writeFileSync(file(name), text);
    expect(await run("import", file(name))).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  }

  await command(server, "consents", "export", file("all.csv"));
  expect(readFileSync(file("all.csv"), "utf8")).toContain(
    '+919810066666,promotional,active,written,list,"Form 7; page 2"',
  );
  expect(statSync(file("all.csv")).mode & 0o777).toBe(0o600);
  expect((await run("export", file("all.csv"))).stderr).toContain("exists already");
  expect(existsSync(file("all.csv.unfinished"))).toBe(false);
}, 180_000);

test("another organisation sees nothing of it", async () => {
  const { organisation_id: org } = await commandJson<{ organisation_id: string }>(
    server,
    "orgs",
    "create",
    "--name",
    "B",
  );
  expect(await consents("--org", org)).toEqual([]);
}, 180_000);
