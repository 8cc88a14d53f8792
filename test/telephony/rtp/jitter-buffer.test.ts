import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createJitterBuffer, type JitterBuffer } from "../../../src/telephony/rtp/jitter-buffer.ts";

const SILENCE = 0xff;

interface Sent {
  sequence: number;
  timestamp: number;
  /** Every byte of the frame, 1 to 200, so that a frame tells its number. */
  value: number;
}

function stream(count: number, first = { sequence: 65_530, timestamp: 0xffff_fc00 }): Sent[] {
  return Array.from({ length: count }, (_, i) => ({
    sequence: (first.sequence + i) & 0xffff,
    timestamp: (first.timestamp + i * 160) >>> 0,
    value: 1 + (i % 200),
  }));
}

function push(buffer: JitterBuffer, { sequence, timestamp, value }: Sent, length = 160): void {
  buffer.push(sequence, timestamp, new Uint8Array(length).fill(value), 0, length);
}

/** The value of the next frame, -1 for none; a frame must be all of one piece. */
function pull(buffer: JitterBuffer): number {
  const frame = new Uint8Array(160);
  const kind = buffer.pull(frame);
  expect(new Set(frame).size).toBe(1);
  return kind === "audio" ? frame[0]! : -1;
}

/** Slot i holds what arrives between pull i − 1 and pull i. */
function run(buffer: JitterBuffer, arrivals: Sent[][], pulls = arrivals.length): number[] {
  return Array.from({ length: pulls }, (_, i) => {
    for (const packet of arrivals[i] ?? []) push(buffer, packet);
    return pull(buffer);
  });
}

const onTime = (packets: Sent[]) => packets.map((packet) => [packet]);

test("a stream on time comes out whole, 60 ms later, across both wraps", () => {
  const buffer = createJitterBuffer(SILENCE);
  const packets = stream(100);
  const heard = run(buffer, onTime(packets), 103);
  expect(heard).toEqual([-1, -1, -1, ...packets.map(({ value }) => value)]);
  expect([buffer.late, buffer.gaps, buffer.duplicates]).toEqual([0, 0, 0]);
});

test("packets up to 60 ms out of order are put right", () => {
  const buffer = createJitterBuffer(SILENCE);
  const [a, b, c, d, e] = stream(5) as [Sent, Sent, Sent, Sent, Sent];
  expect(run(buffer, [[a], [d], [c], [b], [e]], 8)).toEqual(
    [-1, -1, -1, a, b, c, d, e].map((x) => (typeof x === "number" ? x : x.value)),
  );
  expect(buffer.late).toBe(0);
});

test("what was lost is to be made up, and counted, also where nothing later had come by then", () => {
  const packets = stream(10);
  const arrivals = onTime(packets);
  for (const lost of [4, 5, 6]) arrivals[lost] = [];
  const buffer = createJitterBuffer(SILENCE);
  expect(run(buffer, arrivals, 13).slice(3)).toEqual([1, 2, 3, 4, -1, -1, -1, 8, 9, 10]);
  expect(buffer.gaps).toBe(3);

  const longGap = onTime(stream(40));
  for (let lost = 10; lost < 25; lost++) longGap[lost] = [];
  const starved = createJitterBuffer(SILENCE);
  run(starved, longGap, 43);
  expect(starved.gaps).toBe(15);
});

test("of a packet of 30 ms that was lost, the half that fills a frame is told, and which half it is", () => {
  const buffer = createJitterBuffer(SILENCE);
  const kinds: string[] = [];
  const frame = new Uint8Array(160);
  let sent = 0;
  for (let slot = 1; slot <= 12; slot++) {
    for (; sent < slot * (2 / 3); sent++) {
      if (sent !== 2) push(buffer, { sequence: sent, timestamp: sent * 240, value: 7 }, 240);
    }
    kinds.push(buffer.pull(frame));
    if (kinds.at(-1) === "partial") expect([...buffer.present].indexOf(1)).toBe(80);
  }
  expect(kinds.slice(3)).toEqual("audio audio audio lost partial audio audio audio audio".split(" "));
  expect(buffer.gaps).toBe(2);
});

test("a stream that began with a slow packet is heard sooner once the others have been quicker for ten seconds", () => {
  const buffer = createJitterBuffer(SILENCE);
  const packets = stream(3_000);
  // The first came 80 ms late, and so all wait for 80 ms more than the window; the others come in bursts of three.
  const arrivals = Array.from({ length: packets.length + 5 }, (): Sent[] => []);
  packets.forEach((packet, i) => arrivals[i < 5 ? 4 : i + 2 - (i % 3)]!.push(packet));
  const delayAt = (slot: number) => (slot + 1 - heard[slot]! + 200) % 200;
  const heard = run(buffer, arrivals);
  expect([30, 2_900].map(delayAt)).toEqual([7, 4]);
  expect([buffer.late, buffer.gaps]).toEqual([0, 0]);
});

test("a packet too late is dropped and counted, and buys the stream 20 ms more, up to 120", () => {
  const buffer = createJitterBuffer(SILENCE);
  const packets = stream(40);
  const arrivals = onTime(packets);
  for (const [index, packet] of [
    [5, 5],
    [15, 15],
    [25, 25],
  ] as const) {
    arrivals[index] = [];
    arrivals[index + 7]!.push(packets[packet]!);
  }
  const heard = run(buffer, arrivals, 46);
  // The second comes 7 slots after its own while the window is 80 ms, the third while it is 100.
  expect(buffer.late).toBe(3);
  expect(buffer.delayMs).toBe(120);
  expect(heard.filter((value) => value === 30)).toHaveLength(1);
});

test("a copy is counted and played once", () => {
  const buffer = createJitterBuffer(SILENCE);
  const packets = stream(20);
  const heard = run(
    buffer,
    packets.map((packet) => [packet, packet]),
    23,
  );
  expect(heard.slice(3)).toEqual(packets.map(({ value }) => value));
  expect([buffer.duplicates, buffer.late]).toEqual([20, 0]);
});

test("a copy of what was played long ago does not lengthen the window", () => {
  const buffer = createJitterBuffer(SILENCE);
  const packets = stream(40);
  const arrivals = onTime(packets);
  arrivals[30]!.push(packets[5]!);
  run(buffer, arrivals);
  expect([buffer.duplicates, buffer.late, buffer.delayMs]).toEqual([1, 0, 60]);
});

test("a peer that sends nothing while silent is heard again at its time", () => {
  const buffer = createJitterBuffer(SILENCE);
  const before = stream(10);
  const after = stream(5, { sequence: (65_530 + 10) & 0xffff, timestamp: (0xffff_fc00 + 160 * 110) >>> 0 });
  const arrivals: Sent[][] = [...onTime(before), ...Array.from({ length: 100 }, () => []), ...onTime(after)];
  const heard = run(buffer, arrivals, arrivals.length + 3);
  expect(heard.slice(-5)).toEqual([1, 2, 3, 4, 5]);
  expect([buffer.late, buffer.gaps]).toEqual([0, 0]);
});

test("a sender that sets its clock anew is followed after its second packet", () => {
  const buffer = createJitterBuffer(SILENCE);
  const jumped = stream(50, { sequence: (65_530 + 10) & 0xffff, timestamp: 5_000_000 });
  const heard = run(buffer, [...onTime(stream(10)), ...onTime(jumped)], 63);
  expect(heard).toContain(50);
  expect(heard.slice(-20)).toEqual(jumped.slice(-20).map(({ value }) => value));
});

test("one packet with a mad timestamp disturbs nothing", () => {
  const buffer = createJitterBuffer(SILENCE);
  const packets = stream(20);
  const arrivals = onTime(packets);
  arrivals[8]!.push({ sequence: 9_999, timestamp: 123_456_789, value: 250 });
  expect(run(buffer, arrivals, 23).slice(3)).toEqual(packets.map(({ value }) => value));
});

test("packets of 10 and of 30 ms are read as frames of 20", () => {
  for (const size of [80, 240]) {
    const buffer = createJitterBuffer(SILENCE);
    const perSlot = 160 / size;
    const heard: number[] = [];
    let sent = 0;
    for (let slot = 1; slot <= 60; slot++) {
      for (; sent < slot * perSlot; sent++) {
        push(buffer, { sequence: sent, timestamp: sent * size, value: 7 }, size);
      }
      heard.push(pull(buffer));
    }
    expect(heard.slice(3)).toEqual(Array.from({ length: 57 }, () => 7));
  }
});

test("a new source starts afresh, whatever its numbers", () => {
  const buffer = createJitterBuffer(SILENCE);
  run(buffer, onTime(stream(10)));
  buffer.reset(SILENCE);
  const next = stream(10, { sequence: 65_530, timestamp: 77 });
  expect(run(buffer, onTime(next), 13)).toEqual([-1, -1, -1, ...next.map(({ value }) => value)]);
});

test("what piled up during a stall is given up within a second or two", () => {
  const buffer = createJitterBuffer(SILENCE);
  const packets = stream(200);
  run(buffer, onTime(packets.slice(0, 20)));
  for (const packet of packets.slice(20, 40)) push(buffer, packet);
  const heard = run(buffer, onTime(packets.slice(40)));
  // Frame 200 arrives last and is heard at most the window and a frame later.
  expect(200 - heard.at(-1)!).toBeLessThanOrEqual(4);
});

describe("under any loss, reordering and doubling", () => {
  const fate = fc.record({
    isLost: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    delay: fc.nat(9),
    copies: fc.integer({ min: 1, max: 2 }),
  });

  test("frames come out in order, none twice, none invented", () => {
    fc.assert(
      fc.property(
        fc.array(fate, { minLength: 20, maxLength: 150 }),
        fc.nat(0xffff),
        fc.nat(0xffff_ffff),
        (fates, sequence, timestamp) => {
          const packets = stream(fates.length, { sequence, timestamp });
          const arrivals = Array.from({ length: fates.length + 10 }, (): Sent[] => []);
          fates.forEach(({ isLost, delay, copies }, i) => {
            if (!isLost) for (let copy = 0; copy < copies; copy++) arrivals[i + delay]!.push(packets[i]!);
          });
          const buffer = createJitterBuffer(SILENCE);
          let last = 0;
          const frame = new Uint8Array(160);
          for (const slot of [...arrivals, ...Array.from({ length: 8 }, (): Sent[] => [])]) {
            for (const packet of slot) push(buffer, packet);
            const kind = buffer.pull(frame);
            const value = frame[0]!;
            if (kind !== "audio") expect(value).toBe(SILENCE);
            else {
              expect(value).toBeGreaterThan(last);
              last = value;
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("while nothing is later than the window, nothing that arrived is lost", () => {
    const mild = fc.record({ isLost: fc.integer({ min: 0, max: 9 }).map((n) => n === 0), delay: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(mild, { minLength: 20, maxLength: 150 }), (fates) => {
        const packets = stream(fates.length);
        const arrivals = Array.from({ length: fates.length + 5 }, (): Sent[] => []);
        arrivals[0]!.push(packets[0]!);
        fates.forEach(({ isLost, delay }, i) => {
          if (i > 0 && !isLost) arrivals[i + delay]!.push(packets[i]!);
        });
        const buffer = createJitterBuffer(SILENCE);
        const frame = new Uint8Array(160);
        const heard = new Set<number>();
        for (const slot of arrivals) {
          for (const packet of slot) push(buffer, packet);
          if (buffer.pull(frame) === "audio") heard.add(frame[0]!);
        }
        const arrived = new Set(arrivals.flat().map(({ value }) => value));
        expect(buffer.late).toBe(0);
        expect([...arrived].filter((value) => !heard.has(value))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
