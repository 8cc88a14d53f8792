import { expect, test } from "bun:test";
import fc from "fast-check";
import { createDtmfReceiver, DTMF_DIGITS } from "../../../src/telephony/rtp/dtmf-receiver.ts";
import { createDtmfSender } from "../../../src/telephony/rtp/dtmf-sender.ts";

interface EventPacket {
  timestamp: number;
  payload: number[];
  marker: boolean;
}

/** What goes out while the keys are pressed, frame by frame; null is a frame without an event. */
function sendAll(digits: string, startTimestamp = 0): (EventPacket | null)[] {
  const sender = createDtmfSender();
  sender.queue(digits);
  const sent: (EventPacket | null)[] = [];
  for (let timestamp = startTimestamp; ; timestamp += 160) {
    sender.step();
    if (!sender.busy) break;
    const payload = new Uint8Array(4);
    const isEvent = sender.writeEvent(payload, 0) > 0;
    const downAt = (timestamp - sender.ageSamples) >>> 0;
    sent.push(isEvent ? { timestamp: downAt, payload: [...payload], marker: sender.isFirstPacket } : null);
  }
  return sent;
}

function hear(packets: readonly (EventPacket | null)[]): string {
  const receiver = createDtmfReceiver();
  return packets
    .map((packet) => packet && receiver.receive(packet.timestamp, Uint8Array.from(packet.payload), 0, 4))
    .filter((digit) => digit !== null)
    .join("");
}

test("a key is four growing packets and three ends, all at the time it went down", () => {
  const sent = sendAll("5", 8_000);
  expect(sent.slice(0, 7)).toEqual(
    [160, 320, 480, 640, 800, 800, 800].map((duration, i) => ({
      timestamp: 8_000,
      payload: [5, (i >= 4 ? 0x80 : 0) | 10, duration >> 8, duration & 0xff],
      marker: i === 0,
    })),
  );
  expect(sent.slice(7).every((packet) => packet === null)).toBeTrue();
});

test("keys are 200 ms apart", () => {
  const starts = sendAll("12#").filter((packet) => packet?.marker);
  expect(starts.map((packet) => packet?.timestamp)).toEqual([0, 1_600, 3_200]);
});

test("what cannot be a key is refused before anything is sent", () => {
  const sender = createDtmfSender();
  expect(() => sender.queue("12x")).toThrow('not "X"');
  expect(sender.busy).toBeFalse();
});

const digits = fc.string({ unit: fc.constantFrom(...DTMF_DIGITS.split("")), minLength: 1, maxLength: 6 });

test("each key is told once, even twice the same in a row, across the wrap", () => {
  fc.assert(fc.property(digits, (keys) => expect(hear(sendAll(keys, 0xffff_f000))).toBe(keys)));
});

test("any one packet that arrives is enough, and copies change nothing", () => {
  fc.assert(
    fc.property(digits, fc.infiniteStream(fc.nat(6)), (keys, kept) => {
      const arrived = sendAll(keys)
        .filter((packet) => packet !== null)
        .filter((_, i) => i % 7 === 0 || i % 7 <= kept.next().value!)
        .flatMap((packet) => [packet, packet]);
      expect(hear(arrived)).toBe(keys);
      const onlyEnds = sendAll(keys).filter((packet) => (packet?.payload[1] ?? 0) & 0x80);
      expect(hear(onlyEnds)).toBe(keys);
    }),
  );
});

test("a straggler of the key before is not that key again", () => {
  const sent = sendAll("12").filter((packet) => packet !== null);
  expect(hear([...sent, sent[6]!])).toBe("12");
});

test("a key held for more than eight seconds is one key", () => {
  const long = (timestamp: number, duration: number, isEnd = false): EventPacket => ({
    timestamp,
    payload: [3, isEnd ? 0x8a : 0x0a, duration >> 8, duration & 0xff],
    marker: false,
  });
  expect(
    hear([long(0, 160), long(0, 0xffff), long(0xffff, 160), long(0xffff, 800, true), long(0xffff, 800, true)]),
  ).toBe("3");
});

test("random bytes never throw, and only the sixteen keys come out", () => {
  const receiver = createDtmfReceiver();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 8 }), fc.nat(), (bytes, timestamp) => {
      const digit = receiver.receive(timestamp, bytes, 0, bytes.length);
      expect(digit === null || DTMF_DIGITS.includes(digit)).toBeTrue();
    }),
  );
});

test("a tone holds the two frequencies of its key and no other", () => {
  const sender = createDtmfSender();
  sender.queue("8");
  sender.step();
  const frame = new Int16Array(160);
  sender.writeTone(frame);
  const power = (hz: number) => {
    const [re, im] = frame.reduce(
      ([re, im], sample, i) => {
        const angle = (2 * Math.PI * hz * i) / 8_000;
        return [re + sample * Math.cos(angle), im + sample * Math.sin(angle)] as const;
      },
      [0, 0] as readonly [number, number],
    );
    return Math.hypot(re, im);
  };
  const [row, column] = [852, 1_336];
  for (const other of [697, 941, 1_209, 1_477]) {
    expect(Math.min(power(row), power(column))).toBeGreaterThan(2 * power(other));
  }
});
