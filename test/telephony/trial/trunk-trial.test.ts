// What a trial of a trunk finds out, against an exchange as it comes out of the box.
import { afterEach, describe, expect, test } from "bun:test";
import { systemClock } from "../../../src/core/clock.ts";
import { createIds } from "../../../src/core/ids.ts";
import { trialFindings, type TrialFinding } from "../../../src/telephony/trial/trial-words.ts";
import { tryTrunk, type TrialOptions } from "../../../src/telephony/trial/trunk-trial.ts";
import { createTrunkRefusal } from "../../../src/trunks/trunk-addresses.ts";
import { audioPorts, freeSipPort } from "../../support/free-ports.ts";
import { trunkAt } from "../sip/call/agent-under-test.ts";
import { friendly, reply, SDP, type Heard } from "../sip/transport/scripted-peer.ts";
import { stockExchange, type StockAccount, type StockExchange } from "../sip/trunk/stock-exchange.ts";

const ACCOUNT = { username: "2001", secret: "s3cret" };
const CALL = { from: "+911140000000", to: "+919800000001" };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function exchangeWith(given: Partial<StockAccount> = {}): Promise<StockExchange> {
  const exchange = await stockExchange({ ...ACCOUNT, ...given });
  closers.push(() => exchange.peer.close());
  return exchange;
}

async function trial(
  { peer }: StockExchange,
  settings: Parameters<typeof trunkAt>[1] = {},
  given: Partial<TrialOptions> = {},
) {
  const trunk = trunkAt(peer.port, { ...ACCOUNT, register: true, ...settings });
  const facts = await tryTrunk({
    clock: systemClock,
    ids: createIds(systemClock),
    trunk,
    serverState: null,
    bind: { address: "127.0.0.1", port: freeSipPort() },
    externalAddress: null,
    rtpPorts: audioPorts(2),
    refusal: createTrunkRefusal(["127.0.0.0/8"]),
    call: null,
    ringTimeoutMs: 10_000,
    listenMs: 1_000,
    ...given,
  });
  const called = given.call?.to ?? null;
  const findings = trialFindings(facts, { trunk, called, rungByAccount: null });
  const found = (step: TrialFinding["step"]) => findings.find((one) => one.step === step)!;
  return { facts, found };
}

const methods = ({ peer }: StockExchange) => peer.heard.map(({ method }) => method);

test("registers, sends OPTIONS, places no call, and removes its registration", async () => {
  const exchange = await exchangeWith();
  const { facts, found } = await trial(exchange);
  expect(facts).toMatchObject({
    address: `127.0.0.1:${exchange.peer.port}`,
    registration: { kind: "registered", by: "us" },
    options: { kind: "answered" },
    call: { kind: "not_wanted" },
  });
  expect(["address", "registration", "options"].map((step) => found(step as "address").state)).toEqual(
    Array(3).fill("ok"),
  );
  expect(methods(exchange)).not.toContain("INVITE");
  const last = exchange.peer.heard.findLast(({ method }) => method === "REGISTER")!;
  expect(last.header("expires")).toBe("0");
});

test("beside a server that registers it does not, and calls in the same name", async () => {
  const exchange = await exchangeWith();
  const serverState = { isRegistered: true, lastError: null };
  const { facts } = await trial(exchange, {}, { serverState, call: CALL });
  expect(facts.registration).toEqual({ kind: "registered", by: "server" });
  expect(facts.call).toMatchObject({ kind: "ended", wasAnswered: true });
  expect(methods(exchange)).not.toContain("REGISTER");
  expect(exchange.taken[0]!.header("from")).toStartWith("<sip:2001@");
});

describe("a silent call", () => {
  test("that is answered and heard is well, and is hung up by us", async () => {
    const echo = await Bun.udpSocket({
      hostname: "127.0.0.1",
      socket: { data: (own, bytes, port, address) => void own.send(bytes, port, address), error() {} },
    });
    closers.push(() => echo.close());
    const sdp = SDP.replace(/m=audio \d+/, `m=audio ${echo.port}`);
    const exchange = await exchangeWith({
      answer: (invite, { port }) => friendly(invite, `sip:asterisk@127.0.0.1:${port}`, sdp),
    });
    const { facts, found } = await trial(exchange, {}, { call: CALL });
    expect(facts.call).toMatchObject({ wasAnswered: true, ending: { by: "us" } });
    expect(found("call")).toMatchObject({ state: "ok", message: "Answered, and audio came." });
    expect(methods(exchange)).toContain("BYE");
  });

  test("that hears nothing proves nothing, and says what to try and what to open", async () => {
    const { found } = await trial(await exchangeWith(), {}, { call: CALL, listenMs: 50 });
    expect(found("call")).toMatchObject({
      state: "unsure",
      here: expect.stringContaining("external_address"),
      there: expect.stringContaining("direct_media=no"),
    });
  });

  test("from a user that the exchange does not know is laid to the From user, not to the password", async () => {
    const { found } = await trial(await exchangeWith(), { fromUser: "number" }, { call: CALL });
    expect(found("registration").state).toBe("ok");
    expect(found("call")).toMatchObject({
      state: "FAIL",
      message: expect.stringContaining("it does not know the From user"),
      here: expect.stringContaining("leave from_user empty"),
      there: expect.stringContaining("From user"),
    });
  });

  const refusing = (status: string) => ({ answer: (invite: Heard) => reply(invite, status) });
  test.each([
    ["404 Not Found", "FAIL", "dialled as 909800000001", "number_format and dial_prefix", "route"],
    ["403 Forbidden", "FAIL", "SIP 403", "caller_id", "allowed to dial out"],
    ["488 Not Acceptable Here", "FAIL", "SIP 488", null, "PCMA"],
    ["503 Service Unavailable", "FAIL", "SIP 503", null, "log"],
    ["486 Busy Here", "ok", "put the call through", null, null],
    ["480 Temporarily Unavailable", "ok", "put the call through", null, null],
  ] as const)("refused with %s", async (status, state, message, here, there) => {
    const settings = { numberFormat: "national" as const, dialPrefix: "9", numbers: [CALL.from] };
    const { found } = await trial(await exchangeWith(refusing(status)), settings, { call: CALL });
    const holding = (text: string | null) => (text === null ? null : expect.stringContaining(text));
    expect(found("call")).toMatchObject({
      state,
      message: holding(message),
      here: holding(here),
      there: holding(there),
    });
  });
});

test("a wrong secret is told as such, and no call is tried", async () => {
  const exchange = await exchangeWith();
  const { found } = await trial(exchange, { secret: "wrong" }, { call: CALL });
  expect(found("registration")).toMatchObject({
    state: "FAIL",
    message: expect.stringContaining("refuses the name or the password"),
    here: expect.stringContaining("secret"),
    there: expect.stringContaining("2001"),
  });
  expect(found("call")).toMatchObject({ state: "none", message: expect.stringContaining("first mend") });
  expect(methods(exchange)).not.toContain("INVITE");
});

test("a number that the trunk may not dial is not dialled here either", async () => {
  const exchange = await exchangeWith();
  const { facts } = await trial(exchange, { allowedPrefixes: ["+1"] }, { call: CALL });
  expect(facts.call).toMatchObject({ ending: { by: "us", outcome: "rejected" } });
  expect(methods(exchange)).not.toContain("INVITE");
});
