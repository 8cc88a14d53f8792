// An attacker sends arbitrary packets at every moment of a call, from every address and port but the peer's: the
// attacker is never heard, hears nothing, presses no key and changes no statistics, and the peer is always heard.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeTable, G711_SILENCE } from "../../../src/audio/g711.ts";
import { audioOf, drivenCall, keyOf, reportOf, sdpNaming, type Address } from "./driven-call.ts";

const PEER = { address: "192.0.2.10", port: 4_000 };
const MOVED = { address: "192.0.2.99", port: 5_000 };
const TRUNK = "198.51.100.5";
const PEERS_VALUE = 0x11;
/** Of the other sign: the peer's voice that fades where a frame is missing never comes near it. */
const ATTACKERS_VALUE = 0xd5;
const PEERS_SSRC = 1_234;
const ATTACKERS_SSRC = 666;

/** A call as it goes: what is known, who talks, and for how long in frames of 20 ms. */
const PHASES = ["nothing known", "early media", "talk", "silence", "hold", "talk again", "moved", "the end"] as const;
type Phase = (typeof PHASES)[number];

const elsewhere = fc.oneof(
  fc.record({ address: fc.ipV4(), port: fc.integer({ min: 1, max: 65_535 }) }),
  // The machines next to it, its own other ports, and the trunk's other ports.
  fc.record({
    address: fc.constantFrom("192.0.2.11", "192.0.2.10", "192.0.2.99", TRUNK, "198.51.100.6"),
    port: fc.integer({ min: 1, max: 65_535 }).filter((port) => ![4_000, 4_001, 5_000, 5_001].includes(port)),
  }),
  // Also the address that the peer has left, or has not come to yet.
  fc.constantFrom({ address: "192.0.2.11", port: 4_000 }, { address: "203.0.113.9", port: 4_000 }, PEER, MOVED),
);
const isPeersOwn = (phase: Phase, from: Address) => from === (phase === "moved" || phase === "the end" ? MOVED : PEER);

const shot = fc
  .record({
    phase: fc.constantFrom(...PHASES),
    atFrame: fc.nat({ max: 120 }),
    from: elsewhere,
    kind: fc.constantFrom("audio", "key", "report", "goodbye", "noise"),
    /** Many in a row, as an attacker who takes over a call sends them. */
    count: fc.integer({ min: 1, max: 12 }),
    knowsSsrc: fc.boolean(),
    sequence: fc.nat({ max: 65_535 }),
  })
  .filter(({ phase, from }) => !isPeersOwn(phase, from));
type Shot = typeof shot extends fc.Arbitrary<infer Value> ? Value : never;

const lengths = fc.record(
  Object.fromEntries(PHASES.map((phase) => [phase, fc.integer({ min: 1, max: 130 })])) as Record<
    Phase,
    fc.Arbitrary<number>
  >,
);

/** Plays the call, and answers what came of it. `peerAt` is where the peer's packets come from. */
function play(
  shots: readonly Shot[],
  frames: Record<Phase, number>,
  symmetricRtp: boolean,
  peerAt: (phase: Phase) => Address,
) {
  const call = drivenCall();
  const trust = { trunkAddresses: [TRUNK], symmetricRtp };
  let sequence = 65_000;
  let said = 0;

  function shoot({ from, kind, count, knowsSsrc, sequence: first }: Shot): void {
    const ssrc = knowsSsrc ? PEERS_SSRC : ATTACKERS_SSRC;
    const start = knowsSsrc ? sequence : first;
    for (let i = 0; i < count; i++) {
      if (kind === "audio") call.rtp(from, audioOf(ATTACKERS_VALUE, ssrc, start + i));
      else if (kind === "key") call.rtp(from, keyOf(1, ssrc, start + i));
      else if (kind === "noise") call.rtp(from, new Uint8Array(count * 15).fill(start & 0xff));
      else {
        call.rtcp(from, reportOf(ssrc, kind === "goodbye"));
        call.rtp(from, reportOf(ssrc, kind === "goodbye"));
      }
    }
  }

  function begin(phase: Phase): void {
    if (phase === "early media") call.stream.negotiated(sdpNaming(PEER, trust));
    if (phase === "talk") call.stream.answered();
    if (phase === "hold") call.stream.negotiated(sdpNaming(PEER, { ...trust, direction: "sendonly" }));
    if (phase === "talk again") call.stream.negotiated(sdpNaming(PEER, trust));
    if (phase === "moved") call.stream.negotiated(sdpNaming(MOVED, trust));
  }

  for (const phase of PHASES) {
    begin(phase);
    const isTalking = phase !== "nothing known" && phase !== "silence";
    for (let frame = 0; frame < frames[phase]; frame++) {
      for (const one of shots) if (one.phase === phase && one.atFrame === frame) shoot(one);
      if (isTalking) {
        call.rtp(peerAt(phase), audioOf(PEERS_VALUE, PEERS_SSRC, sequence++));
        said += 1;
      }
      for (const one of shots) if (one.phase === phase && one.atFrame === frame) shoot(one);
      call.tick();
    }
  }
  // The last word: the peer's own key.
  call.rtp(peerAt("the end"), keyOf(7, PEERS_SSRC, sequence++));
  return { call, said: said + 1 };
}

const decoded = decodeTable("PCMU");
/** The peer's, silence, and all between as it fades. */
const isPeers = (value: number) => value >= decoded[PEERS_VALUE]! && value <= decoded[G711_SILENCE.PCMU]!;

function expectUnharmed({ call, said }: ReturnType<typeof play>, addresses: readonly Address[]): void {
  expect(call.keys).toEqual(["7"]);
  expect([...call.heard].filter((value) => !isPeers(value))).toEqual([]);
  const allowed = addresses.flatMap(({ address, port }) => [`${address}:${port}`, `${address}:${port + 1}`]);
  const reached = new Set(call.sentTo.map(({ address, port }) => `${address}:${port}`));
  expect([...reached].filter((address) => !allowed.includes(address))).toEqual([]);
  expect(call.stream.stats()).toMatchObject({
    receivedPackets: said,
    lostPackets: 0,
    duplicatePackets: 0,
    remoteLossShare: null,
    remoteJitterMs: null,
    roundTripMs: null,
  });
}

test("an attacker at any moment, from anywhere, changes nothing", () => {
  fc.assert(
    fc.property(fc.array(shot, { maxLength: 30 }), lengths, (shots, frames) => {
      const peerAt = (phase: Phase) => (phase === "moved" || phase === "the end" ? MOVED : PEER);
      expectUnharmed(play(shots, frames, false, peerAt), [PEER, MOVED]);
    }),
    { numRuns: 100 },
  );
});

test("where NAT is followed, an attacker outside the trunk's networks changes nothing either", () => {
  const inTheirNetworks = /^(192\.0\.2|198\.51\.100)\./;
  const stranger = shot.filter(({ from }) => !inTheirNetworks.test(from.address));
  const mapped = { address: TRUNK, port: 61_000 };
  fc.assert(
    fc.property(fc.array(stranger, { maxLength: 30 }), lengths, (shots, frames) => {
      // Before the answer the NAT's address is unknown, so the peer is silent until then.
      const calm = { ...frames, "early media": 0 };
      const { call } = play(shots, calm, true, () => mapped);
      expect(call.keys).toEqual(["7"]);
      expect([...call.heard].filter((value) => !isPeers(value))).toEqual([]);
      const reached = new Set(call.sentTo.map(({ address }) => address));
      expect([...reached].filter((address) => ![PEER.address, MOVED.address, TRUNK].includes(address))).toEqual([]);
      expect(call.stream.stats()).toMatchObject({ lostPackets: 0, remoteLossShare: null, roundTripMs: null });
    }),
    { numRuns: 100 },
  );
});
