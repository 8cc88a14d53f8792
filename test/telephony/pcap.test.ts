// Captures of a call: every packet is valid, with the right time and the right addresses.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { LineMessage } from "../../src/telephony/line-report.ts";
import { pcapHeader, pcapOf, pcapRecord } from "../../src/telephony/pcap.ts";
import { readPcap } from "./read-pcap.ts";

const AT_MS = Date.parse("2026-11-15T06:00:00.123Z");
const PEER = "udp 192.0.2.10:5060";

function message(firstLine: string, change: Partial<LineMessage> & { headers?: string[] } = {}): LineMessage {
  const { headers = [], ...rest } = change;
  const text = [firstLine, ...headers, "Content-Length: 0", "", ""].join("\r\n");
  return { atMs: AT_MS, direction: "sent", peer: PEER, firstLine, text, ...rest };
}

const readRecord = (record: Uint8Array) => readPcap(Buffer.concat([pcapHeader(), record]))[0]!;

test("a ladder becomes a packet for each message, in both directions and at its time", () => {
  const invite = message("INVITE sip:1@pbx SIP/2.0");
  const ringing = message("SIP/2.0 180 Wählt", { direction: "received", atMs: AT_MS + 61 });
  const packets = readPcap(pcapOf([invite, ringing], { address: "10.0.0.5", port: 5070 }));
  expect(packets).toEqual([
    { atMs: AT_MS, from: "10.0.0.5:5070", to: "192.0.2.10:5060", payload: Buffer.from(invite.text) },
    { atMs: AT_MS + 61, from: "192.0.2.10:5060", to: "10.0.0.5:5070", payload: Buffer.from(ringing.text) },
  ]);
});

test("a ladder without messages is a capture without packets", () => {
  expect(readPcap(pcapOf([], null))).toEqual([]);
});

test("times are kept to the microsecond", () => {
  const end = { address: "10.0.0.5", port: 1 };
  expect(readRecord(pcapRecord(AT_MS + 0.4567, end, end, new Uint8Array(1))).atMs).toBe(AT_MS + 0.457);
  expect(readRecord(pcapRecord(999.9999, end, end, new Uint8Array(1))).atMs).toBe(1_000);
});

describe("without a known local address,", () => {
  const ends = (trace: LineMessage[]) => readPcap(pcapOf(trace, null)).map(({ from, to }) => `${from} > ${to}`);
  const via = (address: string) => `Via: SIP/2.0/UDP ${address};branch=z9hG4bK1;rport`;

  test("the Via of what we asked tells it", () => {
    const options = message("OPTIONS sip:pbx SIP/2.0", {
      direction: "received",
      headers: [via("192.0.2.10:5060")],
    });
    const invite = message("INVITE sip:1@pbx SIP/2.0", { headers: [via("10.0.0.5:5070"), via("10.9.9.9")] });
    expect(ends([options, invite])).toEqual(["192.0.2.10:5060 > 10.0.0.5:5070", "10.0.0.5:5070 > 192.0.2.10:5060"]);
  });

  test("so does the Via that comes back in an answer, in its short form too", () => {
    const answer = message("SIP/2.0 200 OK", {
      direction: "received",
      headers: ["v: SIP / 2.0 / TLS [2001:db8::5];branch=z9hG4bK1"],
      peer: "tls 2001:db8::a:5061",
    });
    expect(ends([answer])).toEqual([
      "[20010db800000000000000000000000a]:5061 > [20010db8000000000000000000000005]:5060",
    ]);
  });

  test("in a call that came to us it is our Contact", () => {
    const invite = message("INVITE sip:1@us SIP/2.0", { direction: "received", headers: [via("192.0.2.10")] });
    const ok = message("SIP/2.0 200 OK", {
      headers: [via("192.0.2.10"), "Contact: <sip:ringward@10.0.0.5:5080;transport=udp>"],
    });
    expect(ends([invite, ok])).toEqual(["192.0.2.10:5060 > 10.0.0.5:5080", "10.0.0.5:5080 > 192.0.2.10:5060"]);
  });

  test("and where they give a name or nothing, the packet is still one", () => {
    expect(ends([message("INVITE sip:1@pbx SIP/2.0", { headers: [via("ringward.example:5060")] })])).toEqual([
      `[${"0".repeat(32)}]:5060 > [00000000000000000000ffffc000020a]:5060`,
    ]);
    expect(ends([message("nonsense", { peer: "no peer at all" })])).toHaveLength(1);
  });
});

describe("addresses", () => {
  const ends = (from: string, to: string) => {
    const seen = readRecord(pcapRecord(0, { address: from, port: 1 }, { address: to, port: 2 }, Buffer.from("x")));
    return [seen.from, seen.to];
  };
  test.each([
    ["IPv4 in the clothes of IPv6", "::ffff:192.0.2.1", "192.0.2.2", ["192.0.2.1:1", "192.0.2.2:2"]],
    ["both ends", "2001:db8::1", "::1", [`[20010db8${"0".repeat(23)}1]:1`, `[${"0".repeat(31)}1]:2`]],
    ["all groups", "1:2:3:4:5:6:7:89ab", "::", ["[000100020003000400050006000789ab]:1", `[${"0".repeat(32)}]:2`]],
    ["a zone", "fe80::1%eth0", "1::", [`[fe80${"0".repeat(27)}1]:1`, `[0001${"0".repeat(28)}]:2`]],
    [
      "IPv4 at the end",
      "64:ff9b::192.0.2.1",
      "::2",
      [`[0064ff9b${"0".repeat(16)}c0000201]:1`, `[${"0".repeat(31)}2]:2`],
    ],
  ])("%s", (_, from, to, expected) => {
    expect(ends(from, to)).toEqual(expected);
  });
});

test("whatever is sent, lengths and checksums are right and the bytes the same", () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string());
  const end = fc.record({ address, port: fc.integer({ min: 0, max: 65_535 }) });
  fc.assert(
    fc.property(end, end, fc.uint8Array({ maxLength: 2_000 }), (from, to, payload) => {
      expect(readRecord(pcapRecord(AT_MS, from, to, payload)).payload.equals(payload)).toBeTrue();
    }),
    { numRuns: 300 },
  );
  const end4 = { address: "10.0.0.5", port: 5060 };
  expect(readRecord(pcapRecord(AT_MS, end4, end4, new Uint8Array(70_000))).payload).toHaveLength(65_507);
});
