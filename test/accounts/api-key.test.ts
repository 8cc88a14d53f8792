import { describe, expect, test } from "bun:test";
import { keyIdOf, keyMatches, makeKeyText } from "../../src/accounts/api-key.ts";
import { ALL_SCOPES, isScope } from "../../src/payloads/scopes.ts";
import { sha256Hex } from "../../src/core/hmac.ts";
import { createIds } from "../../src/core/ids.ts";
import { createManualClock } from "../support/manual-clock.ts";

const ids = createIds(createManualClock());

describe("the text of a key", () => {
  test("is rw_live_, the id and 32 random bytes", () => {
    const { id, text } = makeKeyText(ids);
    expect(text).toMatch(/^rw_live_[0-9a-z]{26}_[A-Za-z0-9_-]{43}$/);
    expect(keyIdOf(text)).toBe(id);
  });

  test("is verified by the SHA-256 of the whole, and by nothing shorter", () => {
    const { text, hash } = makeKeyText(ids);
    expect(hash).toBe(sha256Hex(text));
    expect(hash).not.toContain(text.slice(-43));
    const stored = Buffer.from(hash, "hex");
    expect(keyMatches(text, stored)).toBeTrue();
    expect(keyMatches(`${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`, stored)).toBeFalse();
    expect(keyMatches(hash, stored)).toBeFalse();
  });

  test.each([
    "",
    "rw_live_",
    "rw_test_01k9zv3q5m2n8r4t6w7x9y0abc_" + "a".repeat(43),
    "rw_live_01K9ZV3Q5M2N8R4T6W7X9Y0ABC_" + "a".repeat(43),
    "rw_live_01k9zv3q5m2n8r4t6w7x9y0abc_" + "a".repeat(42),
    "rw_live_01k9zv3q5m2n8r4t6w7x9y0abc_" + "a".repeat(44),
    "rw_live_01k9zv3q5m2n8r4t6w7x9y0abc_" + "a".repeat(42) + "\n",
    " rw_live_01k9zv3q5m2n8r4t6w7x9y0abc_" + "a".repeat(43),
  ])("%p has no id", (text) => expect(keyIdOf(text)).toBeNull());
});

describe("scopes", () => {
  test("are the eight of the contract, and our additions", () => {
    expect(ALL_SCOPES).toEqual([
      "calls:create",
      "calls:read",
      "calls:cancel",
      "calls:delete",
      "appointments:read",
      "appointments:write",
      "slots:read",
      "slots:write",
      "campaigns:read",
      "campaigns:write",
      "waitlist:read",
      "waitlist:write",
      "dnd:read",
      "dnd:write",
      "endpoints:read",
      "endpoints:write",
      "keys:read",
      "keys:write",
      "audit:list",
      "people:export",
      "audit:read",
      "holds:read",
      "holds:write",
      "consents:read",
      "consents:write",
      "registry:read",
      "registry:write",
      "question:read",
      "question:write",
      "agents:read",
      "agents:write",
      "numbers:read",
      "numbers:write",
      "trunks:read",
      "trunks:write",
      "directory:read",
      "directory:write",
      "closures:read",
      "closures:write",
      "reminders:read",
      "reminders:write",
      "sources:read",
      "sources:write",
      "hl7:read",
      "hl7:write",
      "people:read",
    ]);
  });

  test.each(["calls:create", "slots:write"])("%s is one", (text) => expect(isScope(text)).toBeTrue());
  test.each(["", "calls", "calls:*", "toString", "any", "Calls:create"])("%p is none", (text) =>
    expect(isScope(text)).toBeFalse(),
  );
});
