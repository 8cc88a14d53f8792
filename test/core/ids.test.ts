import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createIds } from "../../src/core/ids.ts";
import { createManualClock } from "../support/manual-clock.ts";

const LATEST_MS = 2 ** 48 - 1;

describe("prefixed ids", () => {
  test("are the prefix and 26 characters that survive being read aloud", () => {
    const ids = createIds(createManualClock());
    expect(ids.next("call")).toMatch(/^call_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(ids.next("whe")).toMatch(/^whe_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  test("sort by the time they were made", () => {
    fc.assert(
      fc.property(fc.nat(LATEST_MS), fc.nat(LATEST_MS), (a, b) => {
        fc.pre(a !== b);
        const [earlier, later] = [Math.min(a, b), Math.max(a, b)].map((ms) =>
          createIds(createManualClock(ms)).next("evt"),
        );
        return earlier! < later!;
      }),
    );
  });

  test("made in the same millisecond are all different", () => {
    const ids = createIds(createManualClock());
    expect(new Set(Array.from({ length: 10_000 }, () => ids.next("req"))).size).toBe(10_000);
  });

  test("sort in the order they were made, within a millisecond and when the clock is set back", () => {
    const clock = createManualClock();
    const ids = createIds(clock);
    const made = Array.from({ length: 70_000 }, (_, i) => {
      if (i === 35_000) clock.jump(-60_000);
      return ids.next("dlv");
    });
    expect(made.every((id, i) => i === 0 || made[i - 1]! < id)).toBe(true);
  });

  test("sort after those of an earlier run, though the clock was set back in between", () => {
    fc.assert(
      fc.property(fc.nat(LATEST_MS - 10), fc.nat(LATEST_MS - 10), (before, now) => {
        const first = createIds(createManualClock(before));
        const last = Array.from({ length: 3 }, () => first.next("dlv")).at(-1)!;
        const next = createIds(createManualClock(now), undefined, last);
        const made = [last, next.next("dlv"), next.next("dlv"), next.next("evt").replace("evt", "dlv")];
        return made.every((id, i) => i === 0 || made[i - 1]! < id);
      }),
    );
  });

  test("keep all 64 random bits: other bytes, another id", () => {
    const idOf = (bytes: Uint8Array) => createIds(createManualClock(1), () => Buffer.from(bytes)).next("key");
    const eightBytes = fc.uint8Array({ minLength: 8, maxLength: 8 });
    fc.assert(fc.property(eightBytes, eightBytes, (a, b) => (Buffer.compare(a, b) === 0) === (idOf(a) === idOf(b))));
    expect(idOf(new Uint8Array(8))).toBe(`key_${"0".repeat(9)}1${"0".repeat(16)}`);
    expect(idOf(new Uint8Array(8).fill(255))).toBe(`key_${"0".repeat(9)}1000f${"z".repeat(12)}`);
  });

  test("a clock before 1970 makes an id all the same", () => {
    expect(createIds(createManualClock(-5)).next("org")).toMatch(/^org_0{10}[0-9a-z]{16}$/);
  });
});

describe("UUIDs", () => {
  test("are version 7 of RFC 9562 and carry the time in front", () => {
    const at = Date.parse("2026-11-15T06:00:00.123Z");
    const uuid = createIds(createManualClock(at)).uuid();
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16)).toBe(at);
  });
});

test("a secret is unpadded base64url of as many random bytes as were asked for", () => {
  const secret = createIds(createManualClock()).secret(32);
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
});

test("no random byte is handed out twice, however many are asked for", () => {
  const { secret } = createIds(createManualClock());
  const sizes = Array.from({ length: 2_000 }, (_, i) => 8 + (i % 40));
  const secrets = [...sizes, 5_000, 100].map(secret);
  expect(secrets.map((text) => Buffer.from(text, "base64url").length)).toEqual([...sizes, 5_000, 100]);
  const halves = secrets.flatMap((text) => [text.slice(0, 10), text.slice(-10)]);
  expect(new Set(halves).size).toBeGreaterThan(halves.length * 0.99 - 1);
  expect(secrets.some((text) => text.includes("AAAAAAAA"))).toBeFalse();
});
