// Matrix rows shown with a trunk of several hosts, or with one on IPv6.
import { expect } from "bun:test";
import { freeSipPort } from "../../../support/free-ports.ts";
import { bringIpv6Loopback } from "../../../support/ipv6.ts";
import { fasterClock, startAgent, trunkAt } from "../call/agent-under-test.ts";
import { scriptedDns } from "../trunk/scripted-dns.ts";
import { friendly, SDP, type Heard, type UdpPeer } from "../transport/scripted-peer.ts";
import { peerAt } from "./with-script.ts";

/** The five seconds until a silent host is given up, in a quarter of one. */
const SPEED = 20;
const [FIRST, SECOND] = ["127.0.0.11", "127.0.0.12"];

const friendlyAt = (address: string) => (request: Heard, peer: UdpPeer) =>
  friendly(request, `sip:peer@${address}:${peer.port}`);

/** DNS names two hosts; the call goes to the first that answers. */
export const firstHostIs = (state: "there" | "silent") => async () => {
  const first = await peerAt(FIRST, state === "there" ? friendlyAt(FIRST) : () => null);
  const second = await peerAt(SECOND, friendlyAt(SECOND));
  const dns = scriptedDns({
    srv: {
      "_sip._udp.trunk.example": [`10 1 ${first.port} one.trunk.example`, `20 1 ${second.port} two.trunk.example`],
    },
    addresses: { "one.trunk.example": [FIRST], "two.trunk.example": [SECOND] },
    ttlSeconds: 30,
  });
  const run = await startAgent([trunkAt(0, { host: "trunk.example" })], {
    resolver: dns,
    clock: fasterClock(SPEED),
    bind: { address: "0.0.0.0", port: freeSipPort() },
  });
  run.invite();
  await run.heard("call_1 answered");
  const taker = state === "there" ? first : second;
  expect(run.agent.trunkStates()[0]!.address).toBe(`${state === "there" ? FIRST : SECOND}:${taker.port}`);
};

/** Over IPv6, hung up by us: signalling and what SDP names. */
export const isInTheOtherInternet = async () => {
  await bringIpv6Loopback();
  const sdp = SDP.replaceAll("IN IP4 127.0.0.1", "IN IP6 ::1");
  const peer = await peerAt("::1", (request, { port }) => friendly(request, `sip:peer@[::1]:${port}`, sdp));
  const told: string[] = [];
  const run = await startAgent([trunkAt(peer.port, { host: "::1" })], {
    bind: { address: "::1", port: freeSipPort() },
    makeMedia: () => ({ localAddress: "::1", localPort: 40_000, negotiated: ({ address }) => void told.push(address) }),
  });
  run.invite();
  await run.heard("call_1 answered");
  run.agent.hangUp("call_1");
  expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
  expect(told).toEqual(["::1"]);
};
