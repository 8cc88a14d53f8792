import { describe, expect, test } from "bun:test";
import type { LegalFacts } from "../../../src/calls/queue/legal-facts.ts";
import { judge, mayBeTaken, obstaclesShown, obstaclesTo, type PolicyFacts } from "../../../src/calls/queue/policy.ts";
import type { CallRules } from "../../../src/rules/call-rules.ts";
import { HOUR_MS } from "../../../src/core/clock.ts";
import { freeFacts, LAWFUL, NO_RULES } from "../../support/policy-facts.ts";

/** A Sunday, 11:30 in India, 01:00 in New York. */
const NOW = Date.parse("2026-11-15T06:00:00Z");
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

const FREE = freeFacts(NOW);
const verdict = (change: Partial<PolicyFacts>) => judge({ ...FREE, ...change });

test("a call without obstacles is dialled", () => {
  expect(judge(FREE)).toEqual({ kind: "dial" });
});

type LegalChange = Partial<Omit<LegalFacts, "rules">> & { rules?: Partial<CallRules> };

function legal({ rules = {}, ...change }: LegalChange): Partial<PolicyFacts> {
  return { legal: { ...LAWFUL, ...change, rules: { ...NO_RULES, ...rules } } };
}

/** Both changes; legal facts of both count. */
function together(one: Partial<PolicyFacts>, other: Partial<PolicyFacts>): Partial<PolicyFacts> {
  if (!one.legal || !other.legal) return { ...one, ...other };
  const differing = <T extends object>(facts: T, usual: T): Partial<T> =>
    Object.fromEntries(Object.entries(facts).filter(([name, value]) => value !== usual[name as keyof T])) as Partial<T>;
  const rules = { ...one.legal.rules, ...differing(other.legal.rules, NO_RULES) };
  return { ...one, ...other, legal: { ...one.legal, ...differing(other.legal, LAWFUL), rules } };
}

/** Each stops a call on its own; together the earlier one is reported. */
const OBSTACLES: [told: string, change: Partial<PolicyFacts>][] = [
  ["do_not_disturb", { isDoNotDisturb: true }],
  ["registry_refused", legal({ purpose: "promotional", isRefusedByRegistry: true })],
  ["no_consent", legal({ rules: { needsConsent: true } })],
  ["invalid_number", { contactNumber: "+19005550100" }],
  ["insufficient_credits", { creditsLeft: 0.5 }],
  ["clock_not_trusted", { isClockBelieved: false }],
  ["outside_calling_hours", { callingHours: { start: "12:00", end: "13:00", days: EVERY_DAY } }],
  ["outside_legal_hours", legal({ rules: { hours: { start: "12:00", end: "13:00", days: EVERY_DAY } } })],
  ["too_many_calls", legal({ rules: { perDay: 1 }, dials: [NOW - HOUR_MS] })],
  ["waiting_for_line", { freePlanLines: 0 }],
  ["agent_has_no_number", { agentHasNumber: false }],
  ["caller_id_not_allowed", legal({ hasLawfulNumber: false })],
  ["number_in_call", { contactIsInCall: true }],
  ["number_lines_busy", { freeNumberLines: 0 }],
  ["trunk_unavailable", { trunkLines: { kind: "closed", reason: "trunk_unavailable", until: null } }],
];

function told(facts: Partial<PolicyFacts>): string {
  const answer = verdict(facts);
  if (answer.kind === "dial") return "dial";
  return answer.kind === "refuse" ? answer.code : answer.reason;
}

describe("the order of the rules", () => {
  test.each(OBSTACLES)("%s alone stops the call", (name, change) => {
    expect(told(change)).toBe(name);
  });

  const pairs = OBSTACLES.flatMap((first, i) =>
    OBSTACLES.slice(i + 1).map((second) => [first[0], second[0], together(first[1], second[1])] as const),
  );
  test.each(pairs)("%s is reported before %s", (first, _second, both) => {
    expect(told(both)).toBe(first);
  });
});

test("a call waits for a line when the plan or the machine has none left", () => {
  expect(told({ freePlanLines: 0 })).toBe("waiting_for_line");
  expect(told({ freeApplianceLines: 0 })).toBe("waiting_for_line");
});

test("combined obstacles are the single ones, in their order", () => {
  const apart = OBSTACLES.filter(([name]) => !["agent_has_no_number", "number_lines_busy"].includes(name));
  const all = apart.map(([, change]) => change).reduce(together);
  expect(obstaclesTo({ ...FREE, ...all }).map((it) => (it.kind === "refuse" ? it.code : it.reason))).toEqual(
    apart.map(([name]) => name) as never,
  );
});

test("without a number or a line there is no trunk to report", () => {
  const trunkLines: PolicyFacts["trunkLines"] = { kind: "closed", reason: "trunk_unavailable", until: null };
  const reasons = (change: Partial<PolicyFacts>) => obstaclesTo({ ...FREE, trunkLines, ...change });
  expect(reasons({ agentHasNumber: false, freeNumberLines: 0 })).toMatchObject([{ reason: "agent_has_no_number" }]);
  expect(reasons({ freeNumberLines: 0 })).toMatchObject([{ reason: "number_lines_busy" }]);
});

describe("an inbound call", () => {
  const isTaken = (change: Partial<PolicyFacts>) => mayBeTaken({ ...FREE, ...change });

  test.each<[string, Partial<PolicyFacts>]>([
    ["credits", { creditsLeft: 0.5 }],
    ["a line of the machine", { freeApplianceLines: 0 }],
    ["a line of the plan", { freePlanLines: 0 }],
    ["a line of its number", { freeNumberLines: 0 }],
  ])("needs %s", (_, change) => {
    expect(isTaken({})).toBeTrue();
    expect(isTaken(change)).toBeFalse();
  });

  test("is the caller's choice, at any hour, on the line it arrived on", () => {
    expect(
      isTaken({
        isDoNotDisturb: true,
        contactIsInCall: true,
        isClockBelieved: false,
        callingHours: { start: "12:00", end: "13:00", days: EVERY_DAY },
        trunkLines: { kind: "open", lines: 0 },
      }),
    ).toBeTrue();
  });
});

describe("rejections", () => {
  test("end the call: do-not-disturb, registry, consent, an expensive number and credits, and only those", () => {
    expect(OBSTACLES.filter(([, change]) => verdict(change).kind === "refuse").map(([name]) => name)).toEqual([
      "do_not_disturb",
      "registry_refused",
      "no_consent",
      "invalid_number",
      "insufficient_credits",
    ]);
  });

  test("credits must cover the exact amount needed", () => {
    expect(told({ creditsLeft: 2, creditsNeeded: 2 })).toBe("dial");
    expect(told({ creditsLeft: 1.99, creditsNeeded: 2 })).toBe("insufficient_credits");
    expect(told({ creditsLeft: null, creditsNeeded: 1e9 })).toBe("dial");
  });

  test("carry a message without the number", () => {
    // No matcher inside toMatchObject: Bun writes it into the received object, which is the rule itself here.
    const answer = verdict({ isDoNotDisturb: true });
    expect("message" in answer && answer.message).toMatch(/^[A-Z].*\.$/);
    expect(JSON.stringify(answer)).not.toContain("98100");
  });
});

describe("holds", () => {
  test("last until the calling hours open", () => {
    const callingHours = { start: "12:00", end: "13:00", days: EVERY_DAY };
    expect(verdict({ callingHours })).toEqual({
      kind: "hold",
      reason: "outside_calling_hours",
      until: Date.parse("2026-11-15T12:00:00+05:30"),
    });
  });

  test("are checked again in an hour if the hours of two coasts never overlap", () => {
    const callingHours = { start: "09:00", end: "10:00", days: EVERY_DAY };
    expect(verdict({ callingHours, legal: { ...LAWFUL, zones: ["America/New_York", "America/Los_Angeles"] } })).toEqual(
      {
        kind: "hold",
        reason: "outside_calling_hours",
        until: NOW + HOUR_MS,
      },
    );
  });

  test("for the end of another call are checked again soon", () => {
    expect(verdict({ contactIsInCall: true })).toEqual({ kind: "hold", reason: "number_in_call", until: NOW + 5_000 });
  });
});

describe("the law", () => {
  const rules = { ...NO_RULES, hours: { start: "09:00", end: "20:00", days: EVERY_DAY } };
  const coasts = ["America/New_York", "America/Los_Angeles"];
  const untilOf = (change: LegalChange, now = NOW) => {
    const answer = verdict({ ...legal(change), now });
    return answer.kind === "hold" ? `${answer.reason} ${new Date(answer.until).toISOString()}` : answer.kind;
  };

  test("opens in every zone where the callee may be", () => {
    expect(untilOf({ rules })).toBe("dial");
    expect(untilOf({ rules, zones: ["America/New_York"] })).toBe("outside_legal_hours 2026-11-15T14:00:00.000Z");
    expect(untilOf({ rules, zones: coasts })).toBe("outside_legal_hours 2026-11-15T17:00:00.000Z");
  });

  test("leaves out days off, of one year or of every year", () => {
    expect(untilOf({ rules: { ...rules, daysOff: ["2026-11-15", "11-16"] } })).toBe(
      "outside_legal_hours 2026-11-17T03:30:00.000Z",
    );
  });

  test("limits calls by the callee's day and by the last seven days", () => {
    const dials = [NOW - 5 * 24 * HOUR_MS, NOW - 2 * 24 * HOUR_MS, NOW - HOUR_MS];
    expect(untilOf({ rules: { perDay: 2 }, dials })).toBe("dial");
    expect(untilOf({ rules: { perDay: 1 }, dials })).toBe("too_many_calls 2026-11-15T18:30:00.000Z");
    // The oldest of three leaves the week at the midnight after its seventh day.
    expect(untilOf({ rules: { perWeek: 3 }, dials })).toBe("too_many_calls 2026-11-16T18:30:00.000Z");
    expect(untilOf({ rules: { perDay: 0 } })).toBe("too_many_calls 2026-11-15T07:00:00.000Z");
  });

  test("neither counts nor limits a call that the callee asked for", () => {
    expect(untilOf({ rules: { perDay: 1 }, dials: [NOW - HOUR_MS], isRequested: true })).toBe("dial");
  });

  test("takes a withdrawn consent as a no, even where none is needed, and a given one as a yes", () => {
    const [given, withdrawn] = [
      { id: "cns_1", state: "given" as const },
      { id: "cns_1", state: "withdrawn" as const },
    ];
    expect(untilOf({ consent: withdrawn })).toBe("refuse");
    expect(untilOf({ rules: { needsConsent: true }, consent: withdrawn })).toBe("refuse");
    expect(untilOf({ rules: { needsConsent: true }, consent: given })).toBe("dial");
  });

  test("lets a registry refuse promotional calls alone", () => {
    expect(untilOf({ isRefusedByRegistry: true })).toBe("dial");
  });

  test("that is not enforced holds nothing, and is shown", () => {
    for (const [name, change] of OBSTACLES.filter(([, each]) => each.legal)) {
      const facts = { ...FREE, ...change, isEnforced: false };
      expect(judge(facts)).toEqual({ kind: "dial" });
      expect(obstaclesShown(facts).map((it) => (it.kind === "refuse" ? it.code : it.reason))).toEqual([name] as never);
      expect(obstaclesShown({ ...facts, isEnforced: true })).toEqual([]);
    }
  });
});

describe("a trunk", () => {
  const closed = (until: number | null) =>
    verdict({ trunkLines: { kind: "closed", reason: "trunk_unavailable", until } });

  test("that is suspended holds its calls until it is back", () => {
    expect(closed(NOW + 12_345)).toEqual({ kind: "hold", reason: "trunk_unavailable", until: NOW + 12_345 });
  });

  test("that is down without a known return is checked again after a minute", () => {
    expect(closed(null)).toMatchObject({ until: NOW + 60_000 });
  });

  test("whose lines are all in use holds its calls briefly", () => {
    expect(verdict({ trunkLines: { kind: "open", lines: 0 } })).toEqual({
      kind: "hold",
      reason: "trunk_lines_busy",
      until: NOW + 5_000,
    });
  });
});

test("numbers invented by the demo are called only by the simulator, whatever trunk is added later", () => {
  const invented = { contactNumber: "+15550120002" };
  expect(told({ ...invented, isSimulated: true })).toBe("dial");
  expect(told({ ...invented, isSimulated: false })).toBe("invalid_number");
  expect(told({ contactNumber: "+15555550123", isSimulated: false })).toBe("dial");
});
