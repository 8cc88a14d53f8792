// An extension of a stock exchange works in both directions, and errors name what was refused.
import { afterEach, describe, expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt } from "../call/agent-under-test.ts";
import { friendly, reply, type UdpPeer } from "../transport/scripted-peer.ts";
import { stockExchange, type StockAccount } from "./stock-exchange.ts";
import type { TrunkSettings } from "../../../../src/trunks/trunk-settings.ts";

stopAgentsAfterEach();

const ACCOUNT = { username: "2001", secret: "s3cret" };
const NUMBER = "+911140000000";

let peer: UdpPeer;
afterEach(() => peer.close());

async function registered(settings: Partial<TrunkSettings> = {}, account: Partial<StockAccount> = {}) {
  const exchange = await stockExchange({ ...ACCOUNT, ...account });
  ({ peer } = exchange);
  const run = await startAgent([trunkAt(peer.port, { ...ACCOUNT, register: true, ...settings })]);
  await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
  return { exchange, run };
}

describe("a call over a registered extension", () => {
  test("comes from the account, with the number beside it, and is taken", async () => {
    const { exchange, run } = await registered();
    run.invite();
    await run.heard("call_1 answered");
    const [invite] = exchange.taken;
    expect(invite!.header("from")).toStartWith("<sip:2001@127.0.0.1>;tag=");
    expect(invite!.header("p-asserted-identity")).toBe(`<sip:${NUMBER}@127.0.0.1>`);
    expect(invite!.header("remote-party-id")).toBe("");
  });

  test("whose From user the exchange does not know fails with words about the From user, and the trunk says so", async () => {
    const { run } = await registered({ fromUser: "number" });
    run.invite();
    const { outcome, sipCode, message } = await run.ended();
    expect({ outcome, sipCode }).toEqual({ outcome: "carrier_error", sipCode: 401 });
    expect(message).toContain("From user");
    expect(message).toContain("from_user");
    expect(message).not.toContain("password");
    expect(message).not.toContain(NUMBER);
    const [state] = run.agent.trunkStates();
    expect(state).toMatchObject({ state: "up", isRegistered: true, lastError: message });
  });

  test("that is refused under the account's own name says what the exchange has to change", async () => {
    const { run } = await registered({}, { answer: (invite) => reply(invite, "401 Unauthorized") });
    run.invite();
    const { message } = await run.ended();
    expect(message).toContain("the exchange");
    expect(message).not.toContain("from_user");
  });

  test("that is taken clears what was said of the one before", async () => {
    let isOpen = false;
    const answer: StockAccount["answer"] = (invite, { port }) =>
      isOpen ? friendly(invite, `sip:a@127.0.0.1:${port}`) : reply(invite, "401 Unauthorized");
    const { run } = await registered({}, { answer });
    run.invite({ callId: "a" });
    await run.ended("a");
    expect(run.agent.trunkStates()[0]!.lastError).not.toBeNull();
    isOpen = true;
    run.invite({ callId: "b" });
    await run.heard("b answered");
    expect(run.agent.trunkStates()[0]!.lastError).toBeNull();
  });
});

describe("who a call comes from", () => {
  test.each<[what: string, settings: Partial<TrunkSettings>, from: string, pai: string, rpid: string]>([
    ["the number, where no account registers", { register: false, username: null }, NUMBER, "", ""],
    ["a name of its own", { register: false, fromUser: "ward" }, "ward", NUMBER, ""],
    ["the account, and an extension as caller id", { callerId: "2001" }, "2001", "", ""],
    ["the account, and another extension", { callerId: "2100" }, "2001", "2100", ""],
    ["the account, with Remote-Party-ID", { identityHeader: "remote_party_id" }, "2001", "", NUMBER],
    ["the account, and nothing else", { identityHeader: "none" }, "2001", "", ""],
    [
      "the number twice, where that is wanted",
      { fromUser: "number", identityHeader: "p_asserted_identity" },
      NUMBER,
      NUMBER,
      "",
    ],
    ["the number as the exchange writes it", { numberFormat: "national", dialPrefix: "9" }, "2001", "01140000000", ""],
  ])("is %s", async (_, settings, from, asserted, remoteParty) => {
    const exchange = await stockExchange(ACCOUNT);
    ({ peer } = exchange);
    const run = await startAgent([trunkAt(peer.port, { ...ACCOUNT, register: true, ...settings })]);
    run.invite();
    await until(() => peer.heard.some(({ method }) => method === "INVITE"));
    const invite = peer.heard.find(({ method }) => method === "INVITE")!;
    const at = (user: string) => (user === "" ? "" : `<sip:${user}@127.0.0.1>`);
    expect(invite.header("from").split(";")[0]).toBe(at(from));
    expect(invite.header("p-asserted-identity")).toBe(at(asserted));
    const rpid = remoteParty === "" ? "" : `${at(remoteParty)};party=calling;screen=yes;privacy=off`;
    expect(invite.header("remote-party-id")).toBe(rpid);
    run.agent.hangUp("call_1");
  });
});

test("a trunk with another name for its password registers, calls and is called by the first", async () => {
  const exchange = await stockExchange({ ...ACCOUNT, username: "2001", authName: "x7Kq" });
  ({ peer } = exchange);
  const settings = { secret: ACCOUNT.secret, username: "x7Kq", fromUser: "2001", register: true };
  const run = await startAgent([trunkAt(peer.port, settings)]);
  await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
  run.invite();
  await run.heard("call_1 answered");
  exchange.callExtension();
  await until(() => run.inbound.length === 1);
  expect(run.inbound).toMatchObject([{ to: "2001", isToAccount: true }]);
  run.agent.rejectInbound(run.inbound[0]!.callId, 404);
});

describe("a call to a registered extension", () => {
  test("is told as one to the account, whatever stands in To", async () => {
    const { exchange, run } = await registered();
    exchange.callExtension();
    await until(() => run.inbound.length === 1);
    exchange.callExtension("sip:8001@127.0.0.1");
    await until(() => run.inbound.length === 2);
    expect(run.inbound).toMatchObject([
      { trunkId: "main", from: "2005", to: "2001", isToAccount: true },
      { trunkId: "main", from: "2005", to: "8001", isToAccount: true },
    ]);
    for (const { callId } of run.inbound) run.agent.rejectInbound(callId, 404);
  });
});
