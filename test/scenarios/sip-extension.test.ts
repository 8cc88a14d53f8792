// An extension of a stock PBX, registered by the compiled binary: outgoing calls, incoming calls, and explained
// failures.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { callIn, command, commandJson, place, readCall, type Call } from "../support/calls.ts";
import { newPatient, sipHospital, type SipHospital, type SipLine } from "../support/sip-hospital.ts";
import { until } from "../support/until.ts";
import { stockExchange, type StockExchange } from "../telephony/sip/trunk/stock-exchange.ts";

leaveNothingBehind();

const INBOUND = "+912255099001";
/** Test calls at any hour. */
const REASON = "The telephones are scripts.";
const account = { username: "2001", secret: "s3cret" };

let exchange: StockExchange;
let strict: StockExchange;
let hospital: SipHospital;
let server: Running;
let line: SipLine;
let mistaken: SipLine;
let trunkName: string;

beforeAll(async () => {
  exchange = await stockExchange(account);
  strict = await stockExchange(account);
  hospital = await sipHospital();
  line = await hospital.addLine({ port: exchange.peer.port, account, register: true });
  mistaken = await hospital.addLine({ port: strict.peer.port, account, register: true });
  const trunks = await commandJson<{ trunk_id: string; name: string }[]>(hospital, "trunks", "list");
  const nameOf = ({ trunkId }: SipLine) => trunks.find(({ trunk_id }) => trunk_id === trunkId)!.name;
  trunkName = nameOf(line);
  await command(hospital, "trunks", "change", nameOf(mistaken), "--from-user", "number");
  const desk = ["agents", "create", "--name", "Desk", "--type", "inbound", "--greeting", "Hello."];
  const { agent_id } = await commandJson<{ agent_id: string }>(hospital, ...desk);
  await command(hospital, "numbers", "add", "--number", INBOUND, "--agent", agent_id, "--trunk", trunkName);
  server = await hospital.start();
  const registers = ({ peer }: StockExchange) => peer.heard.some(({ method }) => method === "REGISTER");
  await until(() => registers(exchange) && registers(strict));
}, 180_000);

afterAll(() => {
  exchange.peer.close();
  strict.peer.close();
});

test("an outgoing call has the extension as its identity, with the number beside it", async () => {
  const callId = await place(server, { agent_id: line.agentId, user_number: newPatient() });
  await callIn(server, callId, ["in_progress"]);
  const [invite] = exchange.taken;
  expect(invite!.header("from")).toStartWith("<sip:2001@127.0.0.1>");
  expect(invite!.header("p-asserted-identity")).toBe(`<sip:${line.number}@127.0.0.1>`);
}, 180_000);

test("a call to the extension reaches the inbound agent of its trunk", async () => {
  const id = exchange.callExtension();
  const isAnswer = (text: string) => text.startsWith("SIP/2.0 200") && text.includes(id);
  await until(() => exchange.peer.heard.some(({ text }) => isAnswer(text)));
  const { data } = await ask(server, "GET", "/v1/calls?limit=100");
  const arrived = (data as unknown as Call[]).find(({ call_direction }) => call_direction === "inbound");
  expect(arrived).toMatchObject({ call_from: "2005", call_to: null });
}, 180_000);

test("a trial beside the server keeps its registration, and calls with the same identity", async () => {
  const registrations = () => exchange.peer.heard.filter(({ method }) => method === "REGISTER").length;
  const before = { registrations: registrations(), calls: exchange.taken.length };
  const trial = ["trunks", "try", trunkName, "--number", newPatient(), "--reason", REASON, "--data", hospital.dataDir];
  const { stdout } = await runBinary(trial, { env: hospital.env });
  expect(stdout).toMatch(/ok +registration +Registered as 2001, by the server that runs\./);
  expect(stdout).toMatch(/ok +inbound +Whoever dials 2001 at the exchange reaches the agent of \+912255099001\./);
  // The scripted PBX answers and sends no audio.
  expect(stdout).toMatch(/\? +call +Answered, but no audio came\./);
  expect(exchange.taken).toHaveLength(before.calls + 1);
  expect(exchange.taken.at(-1)!.header("from")).toStartWith("<sip:2001@127.0.0.1>");
  expect(registrations()).toBe(before.registrations);
}, 180_000);

test("a trunk just added beside the server can be tried immediately", async () => {
  const { trunkName: added } = await hospital.addLine({ port: exchange.peer.port, account, register: true });
  const { stdout } = await runBinary(["trunks", "try", added, "--data", hospital.dataDir], { env: hospital.env });
  expect(stdout).toMatch(/ok +registration +Registered as 2001/);
}, 180_000);

test("a From user unknown to the PBX: the trunk's state says so, and the call waits", async () => {
  const callId = await place(server, { agent_id: mistaken.agentId, user_number: newPatient() });
  const told = async () =>
    (await commandJson<{ state: { last_error: string | null } | null }[]>(hospital, "trunks", "list")).some(
      ({ state }) => state?.last_error?.includes("does not know the From user"),
    );
  await until(told, { withinMs: 60_000, everyMs: 200 });
  await until(async () => (await readCall(server, callId)).hold_reason === "trunk_unavailable");
  expect(await readCall(server, callId)).toMatchObject({ status: "queued", error: null });
}, 180_000);
