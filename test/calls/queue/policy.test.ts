import { describe, expect, test } from "bun:test";
import { judge, mayBeTaken, obstaclesTo, type PolicyFacts } from "../../../src/calls/queue/policy.ts";
import { HOUR_MS } from "../../../src/core/clock.ts";

/** A Sunday, 11:30 in India, 01:00 in New York. */
const NOW = Date.parse("2026-11-15T06:00:00Z");
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

const FREE: PolicyFacts = {
  now: NOW,
  contactNumber: "+919810012345",
  allowedRanges: [],
  isSimulated: false,
  creditsLeft: 10,
  creditsNeeded: 1,
  isDoNotDisturb: false,
  isClockBelieved: true,
  callingHours: null,
  freeApplianceLines: 1,
  freePlanLines: 1,
  contactIsInCall: false,
  agentHasNumber: true,
  freeNumberLines: 1,
  trunkLines: { kind: "open", lines: 1 },
  turnAt: 0,
};
const verdict = (change: Partial<PolicyFacts>) => judge({ ...FREE, ...change });

test("a call without obstacles is dialled", () => {
  expect(judge(FREE)).toEqual({ kind: "dial" });
});

/** Each stops a call on its own; together the earlier one is reported. */
const OBSTACLES: [told: string, change: Partial<PolicyFacts>][] = [
  ["do_not_disturb", { isDoNotDisturb: true }],
  ["invalid_number", { contactNumber: "+19005550100" }],
  ["insufficient_credits", { creditsLeft: 0.5 }],
  ["clock_not_trusted", { isClockBelieved: false }],
  ["outside_calling_hours", { callingHours: { start: "12:00", end: "13:00", days: EVERY_DAY } }],
  ["waiting_for_line", { freePlanLines: 0 }],
  ["agent_has_no_number", { agentHasNumber: false }],
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
    OBSTACLES.slice(i + 1).map((second) => [first[0], second[0], { ...first[1], ...second[1] }] as const),
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
  const all = Object.assign({}, ...apart.map(([, change]) => change)) as Partial<PolicyFacts>;
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
  test("end the call: do-not-disturb, an expensive number and credits, and only those", () => {
    expect(OBSTACLES.filter(([, change]) => verdict(change).kind === "refuse").map(([name]) => name)).toEqual([
      "do_not_disturb",
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
    expect(verdict({ contactNumber: "+18005550100", callingHours })).toEqual({
      kind: "hold",
      reason: "outside_calling_hours",
      until: NOW + HOUR_MS,
    });
  });

  test("for the end of another call are checked again soon", () => {
    expect(verdict({ contactIsInCall: true })).toEqual({ kind: "hold", reason: "number_in_call", until: NOW + 5_000 });
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
