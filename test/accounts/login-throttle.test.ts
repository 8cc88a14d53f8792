// Sign-in attempts are delayed until their turn, within limits, and logged.
import { describe, expect, test } from "bun:test";
import type { Try } from "../../src/accounts/guess-pace.ts";
import { createLoginThrottle } from "../../src/accounts/login-throttle.ts";
import { HOUR_MS, SECOND_MS } from "../../src/core/clock.ts";
import { messageOf } from "../../src/core/errors.ts";
import { createLogger, silentLogger } from "../../src/core/logger.ts";
import { createManualClock } from "../support/manual-clock.ts";

const STRANGER = { kind: "stranger" } as const;
const EMAIL = "kamala@hospital.example";
const from = (source: string, email = EMAIL): Try => ({ email, source, by: STRANGER });

describe("the throttle", () => {
  const wrong = async () => null;

  test("delays an attempt until its turn, and then accepts the correct password", async () => {
    const clock = createManualClock();
    const throttle = createLoginThrottle(clock, silentLogger);
    for (let i = 0; i < 3; i++) await throttle.run(from("192.0.2.1"), wrong);
    let answer = "";
    const held = throttle.run(from("192.0.2.1"), async () => "welcome").then((found) => (answer = found ?? ""));
    await clock.advance(SECOND_MS - 1);
    expect(answer).toBe("");
    await clock.advance(1);
    await held;
    expect(answer).toBe("welcome");
  });

  test("delays no attempt for longer than a connection may be idle", async () => {
    const clock = createManualClock();
    const throttle = createLoginThrottle(clock, silentLogger, 3 * SECOND_MS);
    for (let i = 0; i < 3; i++) await throttle.run(from("192.0.2.1"), wrong);
    const held = throttle.run(from("192.0.2.1"), wrong);
    await expect(throttle.run(from("192.0.2.1"), wrong)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await clock.advance(SECOND_MS);
    expect(await held).toBeNull();
  });

  test("delays a limited number, and warns in the log once an hour without personal data", async () => {
    const clock = createManualClock();
    const lines: string[] = [];
    const throttle = createLoginThrottle(
      clock,
      createLogger(clock, "debug", (line) => void lines.push(line)),
    );
    const emails = Array.from({ length: 150 }, (_, i) => `${i}@x.example`);
    for (const email of emails) for (let i = 0; i < 3; i++) await throttle.run(from(email, email), wrong);
    const all = emails.flatMap((email) =>
      Array.from({ length: 4 }, () => throttle.run(from(email, email), wrong).catch(messageOf)),
    );
    await clock.advance(15 * SECOND_MS);
    const refused = (await Promise.all(all)).filter((answer) => answer !== null);
    // 150 × 4 have to wait, and 500 may.
    expect(refused).toHaveLength(100);
    expect(refused.at(-1)).toBe("Too many failed attempts. Try again in 15 seconds.");
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain("x.example");
    await clock.advance(HOUR_MS);
  });
});
