// Hold reason of a call that exceeds the recognition capacity.
import { expect, test } from "bun:test";
import { createDialFacts } from "../../../src/calls/queue/dial-facts.ts";
import { LinesInUse } from "../../../src/calls/queue/lines-in-use.ts";
import { judge } from "../../../src/calls/queue/policy.ts";
import type { LiveCall } from "../../../src/calls/queue/queue-store.ts";
import { UNKNOWN_PLACE } from "../../../src/core/callee-zone.ts";
import { createSecretBox } from "../../../src/core/secret-box.ts";
import { loadConfig } from "../../../src/config/load.ts";
import type { Organisation } from "../../../src/accounts/records.ts";
import type { Agent, CallingNumber } from "../../../src/agents/records.ts";
import { openTempDatabase } from "../../support/temp.ts";

const NOW = Date.parse("2026-11-15T06:00:00Z");

test("a call beyond the recognition capacity waits as overloaded, and is checked again in five seconds", async () => {
  const { db } = await openTempDatabase();
  const asked: number[] = [];
  const { factsOf } = createDialFacts({
    config: loadConfig({ environment: {} }),
    clock: {},
    secrets: createSecretBox(new Uint8Array(32)),
    carrier: () => ({ lines: 100, trunkLines: () => ({ kind: "open", lines: 10 }) }),
    hasEarsBeside(calls) {
      asked.push(calls);
      return calls < 2;
    },
  });
  const question = {
    organisation: { id: "org", plan: "enterprise", unlimited_credits: true, credit_balance: 0 } as Organisation,
    agent: { calling_hours: null, purpose: "service" } as Agent,
    numbers: [{ id: "number", number: "+912212345678", trunk_id: "trunk", concurrent_calls: 10 } as CallingNumber],
    contactNumber: "+919800000001",
    place: UNKNOWN_PLACE,
    source: "api" as const,
    now: NOW,
  };
  const live = (count: number) =>
    new LinesInUse(
      Array.from(
        { length: count },
        (_, at) => ({ organisation_id: "org", contact_number: `+91980000001${at}` }) as LiveCall,
      ),
    );
  expect(judge((await factsOf(db.reader, question, live(1))).facts)).toEqual({ kind: "dial" });
  expect(judge((await factsOf(db.reader, question, live(2))).facts)).toEqual({
    kind: "hold",
    reason: "overloaded",
    until: NOW + 5_000,
  });
  expect(asked).toEqual([1, 2]);
  await db.close();
});
