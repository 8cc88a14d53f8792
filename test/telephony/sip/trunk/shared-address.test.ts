// Several trunks at one exchange, of one organisation or two: which trunk an inbound call belongs to.
import { afterEach, describe, expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt, type AgentUnderTest } from "../call/agent-under-test.ts";
import { friendly, SDP, udpPeer, type UdpPeer } from "../transport/scripted-peer.ts";

stopAgentsAfterEach();

let exchange: UdpPeer;
afterEach(() => exchange.close());

async function open(): Promise<void> {
  exchange = await udpPeer((request, { port }) => friendly(request, `sip:peer@127.0.0.1:${port}`));
}

let calls = 0;

/** The trunk that the call is taken for. */
async function trunkOf({ agent, inbound }: AgentUnderTest, user: string, to = user): Promise<string> {
  const before = inbound.length;
  calls += 1;
  const lines = [
    `INVITE sip:${user}@127.0.0.1:${agent.port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${exchange.port};branch=z9hG4bKin${calls};rport`,
    `From: <sip:+919800000001@127.0.0.1>;tag=caller${calls}`,
    `To: <sip:${to}@127.0.0.1>`,
    `Call-ID: in-${calls}`,
    "CSeq: 1 INVITE",
    `Contact: <sip:peer@127.0.0.1:${exchange.port}>`,
    "Content-Type: application/sdp",
    `Content-Length: ${SDP.length}`,
    "",
    SDP,
  ];
  exchange.send(lines.join("\r\n"), agent.port);
  await until(() => inbound.length > before);
  const { callId, trunkId } = inbound.at(-1)!;
  agent.rejectInbound(callId, 404);
  return trunkId;
}

describe("a call from an exchange that two trunks share", () => {
  const ours = { id: "ours", numbers: ["+911140001000"] };
  const theirs = { id: "theirs", numbers: ["+911140002000", "+911140002001"] };

  test("is for the trunk whose number was dialled, however the exchange writes it", async () => {
    await open();
    const run = await startAgent([trunkAt(exchange.port, ours), trunkAt(exchange.port, theirs)]);
    expect(await trunkOf(run, "+911140002000")).toBe("theirs");
    expect(await trunkOf(run, "01140002001")).toBe("theirs");
    expect(await trunkOf(run, "+911140001000")).toBe("ours");
  });

  test("is for the account that was called, and among trunks with one account for the number in To", async () => {
    await open();
    const run = await startAgent([
      trunkAt(exchange.port, { id: "other", username: "lab" }),
      trunkAt(exchange.port, { ...ours, username: "ward" }),
      trunkAt(exchange.port, { ...theirs, username: "ward" }),
    ]);
    expect(await trunkOf(run, "lab", "+911140002000")).toBe("other");
    expect(await trunkOf(run, "ward", "+911140002000")).toBe("theirs");
    expect(await trunkOf(run, "ward", "+911140009999")).toBe("ours");
  });

  test("to an extension is for the trunk that names it, after numbers and accounts", async () => {
    await open();
    const run = await startAgent([
      trunkAt(exchange.port, { ...ours, dialledNames: ["lab", "+911140002000"] }),
      trunkAt(exchange.port, { ...theirs, username: "lab", dialledNames: ["2001"] }),
    ]);
    expect(await trunkOf(run, "2001")).toBe("theirs");
    expect(await trunkOf(run, "lab")).toBe("theirs");
    expect(await trunkOf(run, "+911140002000")).toBe("theirs");
    expect(await trunkOf(run, "2002")).toBe("ours");
  });

  test("is not lost to an account named like another account's number", async () => {
    await open();
    const squatter = { id: "squatter", username: "+911140002000" };
    const run = await startAgent([trunkAt(exchange.port, squatter), trunkAt(exchange.port, theirs)]);
    expect(await trunkOf(run, "+911140002000")).toBe("theirs");
  });

  test("follows a number that moves, and no trunk is opened anew for that", async () => {
    await open();
    const account = { register: true, username: "ward", secret: "s" };
    const trunks = (numbers: string[], others: string[]) => [
      trunkAt(exchange.port, { ...ours, ...account, numbers }),
      trunkAt(exchange.port, { ...theirs, numbers: others }),
    ];
    const run = await startAgent(trunks(ours.numbers, theirs.numbers));
    await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
    run.agent.setTrunks(trunks(theirs.numbers, ours.numbers));
    expect(await trunkOf(run, "+911140002000")).toBe("ours");
    expect(run.agent.trunkStates()[0]!.isRegistered).toBeTrue();
    expect(exchange.heard.filter(({ method }) => method === "REGISTER")).toHaveLength(1);
  });
});
