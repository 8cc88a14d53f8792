// The settings that Ringward prints for the other side, and those that the handbook shows.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXCHANGES, isExchange, readySettings } from "../../../src/telephony/trial/ready-settings.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../../src/handbook/telephone-systems.md"), "utf8");
const FACTS = { account: "2001", register: true, ourAddress: "10.0.0.5:5060", host: "pbx.hospital.example" };

describe("ready settings", () => {
  test.each(EXCHANGES)("for %s stand in the handbook as they are printed, and hold no secret", (exchange) => {
    const text = readySettings(exchange, FACTS);
    expect(PAGE).toContain(`\n${text}\n`);
    expect(isExchange(exchange)).toBeTrue();
  });

  test("for an Asterisk that trusts an address name that address in the place of a password", () => {
    const text = readySettings("asterisk", { ...FACTS, register: false });
    expect(text).toContain("match=10.0.0.5\n");
    expect(text).toContain("contact=sip:2001@10.0.0.5:5060");
    expect(text).not.toContain("password");
  });

  test("for Asterisk hand on why the provider refused a call, which Asterisk alone would make a 503", () => {
    const lines = readySettings("asterisk", FACTS).split("\n");
    const dials = lines.findIndex((line) => line.includes("@your-provider"));
    expect(lines[dials + 1]).toStartWith(" same => n,Hangup(${HANGUPCAUSE})");
  });

  test("are for the exchanges that are named, and no other", () => {
    expect(isExchange("toString")).toBeFalse();
  });
});
