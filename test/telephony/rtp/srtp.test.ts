// SRTP against the vectors of RFC 3711 and libsrtp, and with replayed, forged, truncated and reordered packets.
import { describe, expect, test } from "bun:test";
import { createSrtpCipher } from "../../../src/telephony/rtp/srtp-cipher.ts";
import { createSrtpReceiver, createSrtpSender } from "../../../src/telephony/rtp/srtp.ts";
import { derivedKeys, SRTP_SUITES, type SrtpSuite } from "../../../src/telephony/rtp/srtp-keys.ts";
import { writeRtpHeader } from "../../../src/telephony/rtp/rtp.ts";

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ""), "hex"));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** RFC 3711, appendix B.3; libsrtp's tests use the same. */
const MASTER = hex("e1f97a0d3e018be0d64fa32c06de4139 0ec675ad498afeebb6960b3aabe6");
const LONG: SrtpSuite = "AES_CM_128_HMAC_SHA1_80";

function packetOf(sequence: number, { ssrc = 0xcafe_babe, payloadBytes = 160 } = {}): Uint8Array {
  const bytes = new Uint8Array(12 + payloadBytes);
  for (let i = 0; i < payloadBytes; i++) bytes[12 + i] = (sequence * 7 + i) & 0xff;
  writeRtpHeader(bytes, 8, false, sequence & 0xffff, (sequence * 160) >>> 0, ssrc);
  return bytes;
}

function sealer(suite: SrtpSuite = LONG, master = MASTER) {
  const sender = createSrtpSender(suite, master);
  return (packet: Uint8Array): Uint8Array => {
    const room = new Uint8Array(packet.length + 10);
    room.set(packet);
    return room.slice(0, sender.protectRtp(room, packet.length));
  };
}

describe("as the documents have it:", () => {
  test("RFC 3711, B.2: the key stream of AES in counter mode, and its last block as well", () => {
    const cipher = createSrtpCipher({
      cipherKey: hex("2b7e151628aed2a6abf7158809cf4f3c"),
      salt: hex("f0f1f2f3f4f5f6f7f8f9fafbfcfd"),
      authKey: new Uint8Array(20),
    });
    const stream = new Uint8Array(48);
    cipher.apply(stream, 0, stream.length, 0, 0, 0);
    expect(hexOf(stream)).toBe(
      "e03ead0935c95e80e166b16dd92b4eb4d23513162b02d0f72a43a2fe4a5f97ab41e95b3bb0a2e8dd477901e4fca894c0",
    );
  });

  test("RFC 3711, B.3: cipher key, salt and authentication key", () => {
    const { cipherKey, salt, authKey } = derivedKeys(MASTER, "rtp");
    expect(hexOf(cipherKey)).toBe("c61e7a93744f39ee10734afe3ff7a087");
    expect(hexOf(salt)).toBe("30cbbc08863d8c85d49db34a9ae1");
    expect(hexOf(authKey)).toBe("cebe321f6ff7716b6fd4ab49af256a156d38baa4");
  });

  test("libsrtp's packet of audio, sealed and opened", () => {
    const plain = hex("800f1234decafbadcafebabe abababababababababababababababab");
    const sealed = hex("800f1234decafbadcafebabe 4e55dc4ce79978d88ca4d215949d2402 b78d6acc99ea179b8dbb");
    expect(hexOf(sealer()(plain))).toBe(hexOf(sealed));
    expect(hexOf(createSrtpReceiver(LONG, MASTER).unprotectRtp(sealed)!)).toBe(hexOf(plain));
  });

  test("libsrtp's report, sealed and opened", () => {
    const plain = hex("81c8000bcafebabe abababababababababababababababab");
    const sealed = hex("81c8000bcafebabe 7128035be487b9bdbef89041f977a5a8 80000001 993e08cd54d6c1230798");
    for (const suite of SRTP_SUITES) {
      expect(hexOf(createSrtpSender(suite, MASTER).protectRtcp(plain))).toBe(hexOf(sealed));
      expect(hexOf(createSrtpReceiver(suite, MASTER).unprotectRtcp(sealed.slice())!)).toBe(hexOf(plain));
    }
  });

  test("the short tag is four bytes of the long one", () => {
    const [long, short] = [sealer()(packetOf(1)), sealer("AES_CM_128_HMAC_SHA1_32")(packetOf(1))];
    expect(short).toEqual(long.slice(0, -6));
  });
});

describe.each(SRTP_SUITES)("%s:", (suite) => {
  test("contributors, extensions and any length of payload come back as they were", () => {
    const seal = sealer(suite);
    const receiver = createSrtpReceiver(suite, MASTER);
    for (let payloadBytes = 0; payloadBytes < 400; payloadBytes++) {
      const packet = packetOf(payloadBytes + 1, { payloadBytes: payloadBytes + 20 });
      expect(receiver.unprotectRtp(seal(packet))).toEqual(packet);
    }
    const extended = packetOf(500, { payloadBytes: 40 });
    extended[0] = 0x91;
    extended.set([0xbe, 0xde, 0, 1], 16);
    const room = new Uint8Array(extended.length + 10);
    room.set(extended);
    // Ours never carry an extension; a peer's sender leaves it in clear, as made here by the same primitives.
    const { sealed } = sealWithHeader(suite, extended, 24, 0);
    expect(hexOf(receiver.unprotectRtp(sealed)!)).toBe(hexOf(extended));
  });

  test("a packet that comes twice, or 128 late, is heard once", () => {
    const seal = sealer(suite);
    const receiver = createSrtpReceiver(suite, MASTER);
    const sent = Array.from({ length: 300 }, (_, i) => seal(packetOf(i)));
    expect(receiver.unprotectRtp(sent[0]!.slice())).not.toBeNull();
    expect(receiver.unprotectRtp(sent[0]!.slice())).toBeNull();
    expect(receiver.unprotectRtp(sent[200]!.slice())).not.toBeNull();
    expect(receiver.unprotectRtp(sent[73]!.slice())).not.toBeNull();
    expect(receiver.unprotectRtp(sent[73]!.slice())).toBeNull();
    expect(receiver.unprotectRtp(sent[72]!.slice())).toBeNull();
  });

  test("the sequence wraps three times over with loss and disorder, and each packet is heard once", () => {
    const seal = sealer(suite);
    const receiver = createSrtpReceiver(suite, MASTER);
    let seed = 11;
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
    const delayed: { at: number; index: number; bytes: Uint8Array }[] = [];
    const heard = new Set<number>();
    let lost = 0;
    const begin = 65_000;
    // Around each wrap every packet; between them strides, since a day of audio proves no more.
    const indices: number[] = [];
    for (let i = begin; i < 4 * 65_536; i += (i + 200) % 65_536 < 400 ? 1 : 97) indices.push(i);
    const deliver = (index: number, bytes: Uint8Array) => {
      const opened = receiver.unprotectRtp(bytes.slice());
      expect([index, opened && hexOf(opened)]).toEqual([index, hexOf(packetOf(index, { payloadBytes: 20 }))]);
      expect(receiver.unprotectRtp(bytes)).toBeNull();
      heard.add(index);
    };
    indices.forEach((index, at) => {
      const bytes = seal(packetOf(index, { payloadBytes: 20 }));
      for (const due of delayed.filter((one) => one.at <= at)) {
        delayed.splice(delayed.indexOf(due), 1);
        deliver(due.index, due.bytes);
      }
      if (random() < 0.05) lost += 1;
      // Held back only where the neighbours are close: elsewhere 97 packets pass with every step.
      else if (random() < 0.2 && (index + 200) % 65_536 < 380 && heard.size > 0)
        delayed.push({ at: at + 1 + Math.floor(random() * 10), index, bytes });
      else deliver(index, bytes);
    });
    expect(heard.size + lost + delayed.length).toBe(indices.length);
    expect(lost).toBeGreaterThan(100);
  });

  test("every bit counts: one changed, anywhere, and nothing is heard, believed or moved", () => {
    const seal = sealer(suite);
    const receiver = createSrtpReceiver(suite, MASTER);
    expect(receiver.unprotectRtp(seal(packetOf(1)))).not.toBeNull();
    const good = seal(packetOf(2, { payloadBytes: 24 }));
    for (let bit = 0; bit < good.length * 8; bit++) {
      const forged = good.slice();
      forged[bit >> 3]! ^= 1 << (bit & 7);
      const before = hexOf(forged);
      expect(receiver.unprotectRtp(forged)).toBeNull();
      expect(hexOf(forged)).toBe(before);
    }
    expect(receiver.unprotectRtp(good)).not.toBeNull();
    const report = createSrtpSender(suite, MASTER).protectRtcp(hex("81c8000bcafebabeabababab"));
    for (let bit = 0; bit < report.length * 8; bit++) {
      const forged = report.slice();
      forged[bit >> 3]! ^= 1 << (bit & 7);
      expect(receiver.unprotectRtcp(forged)).toBeNull();
    }
    expect(receiver.unprotectRtcp(report.slice())).not.toBeNull();
    expect(receiver.unprotectRtcp(report)).toBeNull();
  });

  test("with another key, cut short, in clear or far too long: nothing", () => {
    const other = MASTER.map((byte) => byte ^ 1);
    const receiver = createSrtpReceiver(suite, MASTER);
    const sealed = sealer(suite)(packetOf(1));
    expect(createSrtpReceiver(suite, other).unprotectRtp(sealed.slice())).toBeNull();
    for (let length = 0; length < sealed.length; length++) {
      expect(receiver.unprotectRtp(sealed.slice(0, length))).toBeNull();
      expect(receiver.unprotectRtcp(sealed.slice(0, length))).toBeNull();
    }
    expect(receiver.unprotectRtp(packetOf(1))).toBeNull();
    expect(receiver.unprotectRtp(new Uint8Array(60_000).fill(0x80))).toBeNull();
    expect(receiver.unprotectRtcp(new Uint8Array(60_000).fill(0x80))).toBeNull();
    expect(receiver.unprotectRtcp(hex("81c8000bcafebabeabababab"))).toBeNull();
  });

  test("a stream that begins anew under another SSRC is heard; the old one cannot be played again", () => {
    const seal = sealer(suite);
    const receiver = createSrtpReceiver(suite, MASTER);
    const old = seal(packetOf(7));
    expect(receiver.unprotectRtp(old.slice())).not.toBeNull();
    expect(receiver.unprotectRtp(sealer(suite)(packetOf(3, { ssrc: 5 })))).not.toBeNull();
    expect(receiver.unprotectRtp(old)).toBeNull();
  });
});

/** A packet with a longer header, made from the primitives. */
function sealWithHeader(suite: SrtpSuite, packet: Uint8Array, start: number, rolloverCounter: number) {
  const cipher = createSrtpCipher(derivedKeys(MASTER, "rtp"));
  const tagBytes = suite === LONG ? 10 : 4;
  const sealed = new Uint8Array(packet.length + tagBytes);
  sealed.set(packet);
  const view = new DataView(sealed.buffer);
  cipher.apply(sealed, start, packet.length, view.getUint32(8), rolloverCounter, view.getUint16(2));
  const tag = cipher.tag(sealed.subarray(0, packet.length), rolloverCounter);
  sealed.set(tag.subarray(0, tagBytes), packet.length);
  return { sealed };
}
