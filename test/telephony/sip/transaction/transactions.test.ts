// Timers A to K of RFC 3261 (L and M of RFC 6026) on a manual clock.
import { beforeEach, describe, expect, test } from "bun:test";
import { firstLine, type SipRequest } from "../../../../src/telephony/sip/message/message.ts";
import { replyTo } from "../../../../src/telephony/sip/transaction/reply.ts";
import type { ServerTransaction } from "../../../../src/telephony/sip/transaction/server-transaction.ts";
import { RFC_TIMERS } from "../../../../src/telephony/sip/transaction/timers.ts";
import { createTransactions, type Transactions } from "../../../../src/telephony/sip/transaction/transactions.ts";
import type { Flow } from "../../../../src/telephony/sip/transport/flow.ts";
import { createManualClock, type ManualClock } from "../../../support/manual-clock.ts";
import { request, response } from "../message/messages.ts";

let clock: ManualClock;
let startedMs: number;
/** `500 INVITE`: milliseconds since the start, and what was sent. */
let sent: string[];
let asked: ServerTransaction[];
let acks: SipRequest[];
let transactions: Transactions;
let outcome: string[];

const flow = (isReliable: boolean, port = 5060): Flow => ({
  transport: isReliable ? "tcp" : "udp",
  isReliable,
  local: () => ({ address: "192.0.2.1", port: 5060 }),
  remote: { address: "192.0.2.9", port },
  send: () => true,
});
const UDP = flow(false);
const TCP = flow(true);

beforeEach(() => {
  clock = createManualClock();
  startedMs = clock.now();
  sent = [];
  asked = [];
  acks = [];
  outcome = [];
  transactions = createTransactions({
    clock,
    timers: RFC_TIMERS,
    randomText: () => "branch",
    replyFlow: (_, same) => same,
    isSamePeer: () => true,
    onRequest: (transaction) => asked.push(transaction),
    onAck: (ack) => acks.push(ack),
    send(message) {
      sent.push(`${clock.now() - startedMs} ${firstLine(message).split(" sip:")[0]}`);
      return true;
    },
  });
});

function start(method: string, over: Flow) {
  const { headers, ...rest } = request(method);
  headers.remove("via");
  transactions.request({ ...rest, headers }, over, {
    provisional: ({ status }) => outcome.push(`provisional ${status}`),
    final: ({ status }) => outcome.push(`final ${status}`),
    failed: (reason) => outcome.push(`${clock.now() - startedMs} ${reason}`),
  });
}

function answer(status: number, method: string, toTag = "them") {
  transactions.receive(response(status, { cseq: `1 ${method}`, branch: "z9hG4bKbranch", toTag }), UDP);
}

describe("a request of ours over UDP", () => {
  test("INVITE is repeated at doubling intervals and given up after 32 s (timers A and B)", async () => {
    start("INVITE", UDP);
    await clock.advance(40_000);
    expect(sent).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500].map((ms) => `${ms} INVITE`));
    expect(outcome).toEqual(["32000 timeout"]);
    expect(transactions.openCount).toBe(0);
  });

  test("OPTIONS is repeated at most every 4 s and given up after 32 s (timers E and F)", async () => {
    start("OPTIONS", UDP);
    await clock.advance(40_000);
    const times = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500];
    expect(sent).toEqual(times.map((ms) => `${ms} OPTIONS`));
    expect(outcome).toEqual(["32000 timeout"]);
  });

  test("a provisional response ends the repeating of INVITE, and it may then ring for minutes", async () => {
    start("INVITE", UDP);
    answer(100, "INVITE");
    await clock.advance(180_000);
    answer(180, "INVITE");
    expect(sent).toHaveLength(1);
    expect(outcome).toEqual(["provisional 100", "provisional 180"]);
  });

  test("a refusal is acknowledged each time it comes, and told once (timer D)", async () => {
    start("INVITE", UDP);
    answer(486, "INVITE");
    await clock.advance(4_000);
    answer(486, "INVITE");
    expect(sent).toEqual(["0 INVITE", "0 ACK", "4000 ACK"]);
    expect(outcome).toEqual(["final 486"]);
    await clock.advance(32_000);
    expect(transactions.openCount).toBe(0);
  });

  test("every 2xx is told, also of other forks, for 32 s (timer M)", async () => {
    start("INVITE", UDP);
    answer(200, "INVITE", "one");
    answer(200, "INVITE", "two");
    answer(486, "INVITE", "three");
    await clock.advance(31_000);
    answer(200, "INVITE", "one");
    expect(outcome).toEqual(["final 200", "final 200", "final 200"]);
    expect(sent).toEqual(["0 INVITE"]);
    await clock.advance(1_000);
    expect(transactions.openCount).toBe(0);
  });

  test("the answer to BYE is told once and forgotten after 5 s (timer K)", async () => {
    start("BYE", UDP);
    answer(200, "BYE");
    answer(200, "BYE");
    expect(outcome).toEqual(["final 200"]);
    await clock.advance(5_000);
    expect(transactions.openCount).toBe(0);
  });

  test("a response with another branch or method matches no transaction", () => {
    start("INVITE", UDP);
    answer(200, "BYE");
    transactions.receive(response(200, { branch: "z9hG4bKguess" }), UDP);
    expect(outcome).toEqual([]);
  });
});

describe("a request of ours over TCP", () => {
  test("is sent once and given up after 32 s", async () => {
    start("INVITE", TCP);
    await clock.advance(40_000);
    expect(sent).toEqual(["0 INVITE"]);
    expect(outcome).toEqual(["32000 timeout"]);
  });

  test("fails at once when its connection does", () => {
    start("INVITE", TCP);
    transactions.flowFailed(flow(true), "another connection");
    expect(outcome).toEqual([]);
    transactions.flowFailed(TCP, "closed");
    expect(outcome).toEqual(["0 transport"]);
  });

  test("that could not leave is reported, but never from within the call that sent it", async () => {
    const broken = createTransactions({
      clock,
      timers: RFC_TIMERS,
      randomText: () => "x",
      replyFlow: (_, same) => same,
      isSamePeer: () => true,
      onRequest() {},
      onAck() {},
      send: () => false,
    });
    const { headers, ...rest } = request("BYE");
    broken.request({ ...rest, headers }, TCP, { final() {}, failed: (reason) => outcome.push(reason) });
    expect(outcome).toEqual([]);
    await clock.advance(0);
    expect(outcome).toEqual(["transport"]);
  });
});

describe("a request of the peer", () => {
  test("is told once; its repetitions get the last answer again", () => {
    transactions.receive(request("OPTIONS"), UDP);
    transactions.receive(request("OPTIONS"), UDP);
    expect(sent).toEqual([]);
    asked[0]!.respond(replyTo(asked[0]!.request, 200));
    transactions.receive(request("OPTIONS"), UDP);
    expect(asked).toHaveLength(1);
    expect(sent).toEqual(["0 SIP/2.0 200 OK", "0 SIP/2.0 200 OK"]);
  });

  test("is forgotten after 32 s (timer J), and counts as new afterwards", async () => {
    transactions.receive(request("OPTIONS"), UDP);
    asked[0]!.respond(replyTo(asked[0]!.request, 200));
    await clock.advance(32_000);
    transactions.receive(request("OPTIONS"), UDP);
    expect(asked).toHaveLength(2);
  });

  test("a refused INVITE is refused again until the ACK comes (timers G, H and I)", async () => {
    transactions.receive(request("INVITE"), UDP);
    asked[0]!.respond(replyTo(asked[0]!.request, 486));
    await clock.advance(1_600);
    transactions.receive(request("ACK", { cseq: "1 ACK" }), UDP);
    await clock.advance(10_000);
    expect(sent).toEqual([0, 500, 1_500].map((ms) => `${ms} SIP/2.0 486 Busy Here`));
    expect(acks).toEqual([]);
  });

  test("an accepted INVITE is not answered again by its transaction, and its ACK belongs to the call", () => {
    transactions.receive(request("INVITE"), UDP);
    asked[0]!.respond(replyTo(asked[0]!.request, 200, { toTag: "us" }));
    transactions.receive(request("INVITE"), UDP);
    transactions.receive(request("ACK", { cseq: "1 ACK", branch: "z9hG4bKother" }), UDP);
    expect(sent).toEqual(["0 SIP/2.0 200 OK"]);
    expect(acks).toHaveLength(1);
  });

  test("CANCEL finds its INVITE by the branch", () => {
    transactions.receive(request("INVITE"), UDP);
    transactions.receive(request("CANCEL", { cseq: "1 CANCEL" }), UDP);
    expect(transactions.inviteOf(asked[1]!.request)).toBe(asked[0]);
    expect(transactions.inviteOf(request("CANCEL", { cseq: "1 CANCEL", branch: "z9hG4bKelse" }))).toBeUndefined();
  });

  test("carries where it really came from (received and rport)", () => {
    transactions.receive(request("OPTIONS", { branch: "z9hG4bKone;rport" }), flow(false, 61_234));
    expect({ ...asked[0]!.request.via.parameters }).toMatchObject({ received: "192.0.2.9", rport: "61234" });
  });
});
