// Random histories of a hospital: numbers in several zones and states, clock changes, limits, several agents,
// campaigns and callbacks, rules that change, consents given, expired and withdrawn beside the dial, a question
// before the call, a clock that jumps, and crashes. An oracle of its own judges every ring. Without any one of the
// rules it finds unlawful calls; lawful-removals.test.ts has a short history for each.
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isOnPostgres, onlySqlite } from "../../support/engines.ts";
import {
  AGENTS,
  faultsOf,
  indexOf,
  PEOPLE,
  type AgentName,
  type Fault,
  type Ring,
} from "../../support/lawful-oracle.ts";
import { agreed, NO_HOURS, withLegal, withRules } from "../../support/lawful-removals.ts";
import { HIS_ANSWERS, LawfulWorld, type Missing, type Step } from "../../support/lawful-world.ts";

const person = fc.nat(PEOPLE.length - 1);
const agent = fc.constantFrom(...AGENTS);
const isBesideDial = fc.boolean();
const on = <Name extends Step["do"]>(name: Name) => fc.constant(name);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: on("call"), person, agent, isCallback: fc.constantFrom(false, false, true) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: on("campaign"), people: fc.uniqueArray(person, { minLength: 1 }), agent }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: on("consent"),
      person,
      agent,
      isGiven: fc.constantFrom(true, true, false),
      isBesideDial,
      isByService: fc.boolean(),
      hours: fc.constantFrom(null, null, 2, 20),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: on("pass"), hours: fc.constantFrom(0, 1, 3, 7, 14, 0, 1, 3, 7, 14, 24, 48) }),
  },
  { weight: 5, arbitrary: fc.record({ do: on("end") }) },
  { weight: 1, arbitrary: fc.record({ do: on("registry"), person }) },
  { weight: 1, arbitrary: fc.record({ do: on("undisturbed"), person, isBesideDial, isByService: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: on("rule"),
      country: fc.constantFrom("IN", "US"),
      hours: fc.constantFrom(null, ["07:00", "22:00"] as const, ["12:00", "18:00"] as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: on("limit"),
      of: fc.constantFrom("day", "week"),
      value: fc.constantFrom(null, 1, 2, 5),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: on("crash"), isAfterClaim: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: on("lose"), hours: fc.constantFrom(0, 1, 7) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: on("jump"), hours: fc.constantFrom(2, 9, -5), isConfirmed: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: on("asking"), fails: fc.constantFrom("open", "closed", "closed", null) }) },
  { weight: 2, arbitrary: fc.record({ do: on("answer"), person, answer: fc.constantFrom(...HIS_ANSWERS) }) },
);
/** Some have agreed to offers from the beginning. */
const history = fc
  .tuple(fc.subarray([...PEOPLE.keys()]), fc.array(step, { minLength: 40, maxLength: 40 }))
  .map(([people, steps]) => [...people.map((index) => agreed(index)), ...steps]);
/** Also before the clock is set back in New York, before it is set forward, and before Christmas. */
const start = fc.constantFrom(
  "2026-11-15T06:00:00Z",
  "2026-10-31T20:00:00Z",
  "2027-03-13T20:00:00Z",
  "2026-12-24T15:00:00Z",
);

let world: LawfulWorld | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

async function lived(startsAt: string, steps: readonly Step[], missing?: Missing): Promise<readonly Ring[]> {
  world = await LawfulWorld.open(startsAt, missing);
  for (const each of steps) await world.live(each);
  return world.rings;
}

const SEED = 20_261_118;

test("no telephone rings outside the rules, and each dial counts once", async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(start, history, async (startsAt, steps) => {
      const rings = await lived(startsAt, steps);
      made += rings.length;
      expect(faultsOf(rings)).toEqual([]);
      const { claimed, counted } = await world!.counted();
      expect(counted).toBe(claimed);
      await world!.close();
      world = null;
    }),
    { numRuns: isOnPostgres ? 4 : 16, seed: SEED, endOnFailure: true },
  );
  // The histories are not empty.
  expect(made).toBeGreaterThan(isOnPostgres ? 5 : 50);
}, 600_000);

/** What every other call and consent of the histories is about, so that the rule is met soon. */
interface Aim {
  start: string;
  person?: number;
  agent?: AgentName;
}
const SUNDAY = "2026-11-15T06:00:00Z";
const CHRISTMAS = "2026-12-25T06:00:00Z";

const MISSING: readonly { fault: Fault; what: string; missing: Missing; aim: Aim }[] = [
  {
    fault: "hours",
    what: "the legal hours",
    missing: { facts: NO_HOURS },
    aim: { start: SUNDAY },
  },
  {
    fault: "hours",
    what: "a clock that is trusted",
    missing: { clock: true },
    aim: { start: SUNDAY, person: indexOf("newYorker") },
  },
  {
    fault: "days",
    what: "days of the week",
    missing: { facts: withRules(({ hours }) => ({ hours: { ...hours, days: [0, 1, 2, 3, 4, 5, 6] } })) },
    aim: { start: SUNDAY, person: indexOf("alabaman"), agent: "promotional" },
  },
  {
    fault: "days off",
    what: "days off",
    missing: { facts: withRules(() => ({ daysOff: [] })) },
    aim: { start: CHRISTMAS, person: indexOf("alabaman"), agent: "promotional" },
  },
  {
    fault: "agent's hours",
    what: "the agent's hours",
    missing: { facts: ({ facts, number }) => ({ facts: { ...facts, callingHours: null }, number }) },
    aim: { start: SUNDAY, agent: "clinic" },
  },
  {
    fault: "consent",
    what: "consent",
    missing: { facts: withLegal(({ consent }) => ({ consent: consent ?? { id: "none", state: "given" } })) },
    aim: { start: SUNDAY, agent: "promotional" },
  },
  {
    fault: "withdrawn consent",
    what: "withdrawals",
    missing: { facts: withLegal(({ consent }) => ({ consent: consent && { ...consent, state: "given" } })) },
    aim: { start: SUNDAY, person: indexOf("indian"), agent: "service" },
  },
  {
    fault: "registry",
    what: "the registry",
    missing: { facts: withLegal(() => ({ isRefusedByRegistry: false })) },
    aim: { start: SUNDAY, person: indexOf("indian"), agent: "promotional" },
  },
  {
    fault: "caller ID",
    what: "the caller ID",
    missing: { facts: ({ facts }, { numbers }) => ({ facts, number: numbers[0] ?? null }) },
    aim: { start: SUNDAY, person: indexOf("indian"), agent: "promotional" },
  },
  {
    fault: "do not disturb",
    what: "the do-not-disturb list",
    missing: { facts: ({ facts, number }) => ({ facts: { ...facts, isDoNotDisturb: false }, number }) },
    aim: { start: SUNDAY, person: indexOf("indian") },
  },
  {
    fault: "hours",
    what: "every zone",
    missing: { facts: withLegal(({ zones }) => ({ zones: zones.slice(0, 1) })) },
    aim: { start: SUNDAY, person: indexOf("tollFree"), agent: "service" },
  },
  { fault: "question", what: "the question before a call", missing: { question: true }, aim: { start: SUNDAY } },
];

const aimed = (steps: readonly Step[], { start: _, person: of, ...agentOf }: Aim): Step[] =>
  steps.map((each, i) => {
    if (i % 2 !== 0 || !("person" in each)) return each;
    const met = of === undefined ? each : { ...each, person: of };
    return "agent" in met ? { ...met, ...agentOf } : met;
  });

describe("without the rule about", () => {
  onlySqlite("a missing rule is missing on both engines").each(MISSING)(
    "$what there are unlawful calls",
    async ({ fault, missing, aim }) => {
      const histories = fc.sample(history, { numRuns: 40, seed: SEED });
      const faults = new Set<Fault>();
      for (const steps of histories) {
        for (const each of faultsOf(await lived(aim.start, aimed(steps, aim), missing))) faults.add(each);
        await world!.close();
        world = null;
        if (faults.has(fault)) break;
      }
      expect([...faults]).toContain(fault);
    },
    600_000,
  );
});
