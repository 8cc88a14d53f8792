// A short history for each rule of law: lawful with the rule, and unlawful as soon as this one rule is missing.
import { afterEach, describe, expect, test } from "bun:test";
import { faultsOf, indexOf, type AgentName, type CalleeName, type Fault } from "../../support/lawful-oracle.ts";
import { agreed, NO_HOURS, withLegal, withoutRule, withoutRules, withRules } from "../../support/lawful-removals.ts";
import { LawfulWorld, type Missing, type Step, type Without } from "../../support/lawful-world.ts";

/** On a Monday, unless a day is given. */
const at = (time: string, zone: "IST" | "EST" | "CST", day = "2026-11-16") =>
  new Date(`${day}T${time}:00${{ IST: "+05:30", EST: "-05:00", CST: "-06:00" }[zone]}`).toISOString();
const SUNDAY = "2026-11-15";
const SATURDAY = "2026-11-21";
const DAY_AFTER_THANKSGIVING = "2026-11-27";
const CHRISTMAS = "2026-12-25";

/** Calls one after another, with so many hours in between. */
const calls = (name: CalleeName, agent: AgentName, { times = 1, hours = 0, isCallback = false } = {}): Step[] =>
  Array.from({ length: times }, (): Step[] => [
    { do: "call", person: indexOf(name), agent, isCallback },
    { do: "pass", hours },
    { do: "end" },
  ]).flat();
const offers = (name: CalleeName, times = 1): Step[] => [
  agreed(indexOf(name)),
  ...calls(name, "promotional", { times }),
];
const withdrawn = (name: CalleeName, agent: AgentName): Step => ({
  do: "consent",
  person: indexOf(name),
  agent,
  isGiven: false,
  isBesideDial: false,
  isByService: true,
  hours: null,
});
const LATE_IN_US: Step = { do: "rule", country: "US", hours: ["07:00", "22:00"] };
const AS_IF_AGREED = withLegal(({ consent }) => ({ consent: consent ?? { id: "none", state: "given" } }));
const FIRST_ZONE = withLegal(({ zones }) => ({ zones: zones.slice(0, 1) }));
const of = (facts: Without): Missing => ({ facts });

interface Removal {
  fault: Fault;
  what: string;
  missing: Missing;
  start: string;
  steps: readonly Step[];
}

const OF_TIME: readonly Removal[] = [
  {
    fault: "hours",
    what: "the legal hours",
    missing: of(NO_HOURS),
    start: at("01:30", "IST", "2026-11-17"),
    steps: calls("indian", "service"),
  },
  {
    fault: "hours",
    what: "hours of promotional calls",
    missing: of(withoutRule("in-hours-promotional")),
    start: at("09:20", "IST"),
    steps: offers("indian"),
  },
  {
    fault: "hours",
    what: "federal hours",
    missing: of(withoutRule("us-hours-federal")),
    start: at("21:20", "EST"),
    steps: [LATE_IN_US, ...calls("newYorker", "service")],
  },
  {
    fault: "hours",
    what: "a clock that is trusted",
    missing: { clock: true },
    start: at("01:00", "EST"),
    steps: [...calls("newYorker", "service"), { do: "jump", hours: 9, isConfirmed: false }],
  },
  {
    fault: "hours",
    what: "every zone of an unknown place",
    missing: of(FIRST_ZONE),
    start: at("12:00", "EST"),
    steps: calls("tollFree", "service"),
  },
  {
    fault: "hours",
    what: "every zone of a state",
    missing: of(FIRST_ZONE),
    start: at("09:20", "EST"),
    steps: calls("floridian", "service"),
  },
  {
    fault: "agent's hours",
    what: "the agent's hours",
    missing: of(({ facts, number }) => ({ facts: { ...facts, callingHours: null }, number })),
    start: at("09:20", "IST"),
    steps: calls("indian", "clinic"),
  },
];

const hoursOf = (
  name: CalleeName,
  rule: string,
  start: string,
  fault: Fault = "hours",
  before: Step[] = [],
): Removal => ({
  fault,
  what: `${rule}, ${fault},`,
  missing: of(withoutRule(rule)),
  start,
  steps: [...before, ...offers(name)],
});
const OF_STATES: readonly Removal[] = [
  hoursOf("floridian", "us-hours-florida", at("20:20", "EST"), "hours", [LATE_IN_US]),
  hoursOf("pennsylvanian", "us-hours-pennsylvania", at("19:20", "EST")),
  hoursOf("pennsylvanian", "us-hours-pennsylvania", at("12:00", "EST", SUNDAY), "days"),
  hoursOf("mainer", "us-hours-maine", at("17:20", "EST")),
  hoursOf("mainer", "us-hours-maine", at("12:00", "EST", SATURDAY), "days"),
  hoursOf("alabaman", "us-hours-alabama", at("12:00", "CST", SUNDAY), "days"),
  hoursOf("texan", "us-hours-texas", at("14:00", "CST", SUNDAY), "days"),
  hoursOf("pennsylvanian", "us-days-off-states", at("12:00", "EST", DAY_AFTER_THANKSGIVING), "days off"),
  hoursOf("alabaman", "us-days-off-states", at("12:00", "CST", CHRISTMAS), "days off"),
  {
    fault: "hours",
    what: "Canada's hours",
    missing: of(withoutRule("us-hours-canada")),
    start: at("09:20", "EST"),
    steps: calls("torontonian", "service"),
  },
  ...(["unknown", "tollFree", "torontonian"] as const).map((name) => ({
    fault: "hours" as const,
    what: `every state's hours for a ${name} number`,
    missing: of(withoutRules(({ states, setting }) => setting === "hours" && states !== undefined)),
    start: at("17:20", "EST"),
    steps: offers(name),
  })),
];

const limitOf = (name: CalleeName, rule: string): Removal => ({
  fault: "limit of a day",
  what: rule,
  missing: of(withoutRule(rule)),
  start: at("15:00", "EST"),
  steps: offers(name, 2),
});
const OF_LIMITS: readonly Removal[] = [
  limitOf("floridian", "us-per-day-florida"),
  limitOf("mainer", "us-per-day-maine"),
  limitOf("marylander", "us-per-day-maryland"),
  limitOf("oklahoman", "us-per-day-oklahoma"),
  {
    fault: "limit of a day",
    what: "every state's limit for an unknown number",
    missing: of(withoutRules(({ states, setting }) => setting === "per_day" && states !== undefined)),
    start: at("15:00", "EST"),
    steps: offers("unknown", 2),
  },
  {
    fault: "limit of a day",
    what: "the limit of a day",
    missing: of(withRules(() => ({ perDay: null }))),
    start: at("12:00", "IST"),
    steps: calls("indian", "service", { times: 4 }),
  },
  {
    fault: "limit of a day",
    what: "the limit without consent",
    missing: of(withoutRule("us-per-day-without-consent")),
    start: at("12:00", "EST"),
    steps: calls("californian", "service", { times: 2, hours: 1 }),
  },
  {
    fault: "limit of a day",
    what: "the limit with consent",
    missing: of(withoutRule("us-per-day")),
    start: at("12:00", "EST"),
    steps: offers("newYorker", 4),
  },
  {
    fault: "limit of a week",
    what: "the limit of a week",
    missing: of(withRules(() => ({ perWeek: null }))),
    start: at("12:00", "EST"),
    steps: calls("newYorker", "transactional", { times: 4, hours: 24 }),
  },
  {
    fault: "limit of a week",
    what: "a limit of the organisation",
    missing: of(withRules(() => ({ perWeek: null }))),
    start: at("12:00", "IST"),
    steps: [{ do: "limit", of: "week", value: 2 }, ...calls("indian", "service", { times: 3, hours: 24 })],
  },
  {
    fault: "limit of a day",
    what: "callbacks that offer something",
    missing: of(withLegal((_, { source }) => ({ isRequested: source === "callback" }))),
    start: at("12:00", "IST"),
    steps: [agreed(indexOf("indian")), ...calls("indian", "promotional", { times: 4, isCallback: true })],
  },
];

const OF_PEOPLE: readonly Removal[] = [
  {
    fault: "consent",
    what: "consent",
    missing: of(AS_IF_AGREED),
    start: at("12:00", "IST"),
    steps: calls("indian", "promotional"),
  },
  {
    fault: "consent",
    what: "the end of a consent",
    missing: of(AS_IF_AGREED),
    start: at("12:00", "IST"),
    steps: [agreed(indexOf("indian"), 2), { do: "pass", hours: 3 }, ...calls("indian", "promotional")],
  },
  {
    fault: "withdrawn consent",
    what: "withdrawals",
    missing: of(withLegal(({ consent }) => ({ consent: consent && { ...consent, state: "given" } }))),
    start: at("12:00", "IST"),
    steps: [agreed(indexOf("indian")), withdrawn("indian", "promotional"), ...calls("indian", "promotional")],
  },
  {
    fault: "withdrawn consent",
    what: "a refusal of calls that need no consent",
    missing: of(withLegal(() => ({ consent: null }))),
    start: at("12:00", "EST"),
    steps: [withdrawn("newYorker", "service"), ...calls("newYorker", "service")],
  },
  {
    fault: "registry",
    what: "the registry",
    missing: of(withLegal(() => ({ isRefusedByRegistry: false }))),
    start: at("12:00", "IST"),
    steps: [{ do: "registry", person: indexOf("indian") }, ...offers("indian")],
  },
  {
    fault: "caller ID",
    what: "the caller ID",
    missing: of(({ facts }, { numbers }) => ({ facts, number: numbers[0] ?? null })),
    start: at("12:00", "IST"),
    steps: offers("indian"),
  },
  {
    fault: "do not disturb",
    what: "the do-not-disturb list",
    missing: of(({ facts, number }) => ({ facts: { ...facts, isDoNotDisturb: false }, number })),
    start: at("12:00", "IST"),
    steps: [
      { do: "undisturbed", person: indexOf("indian"), isBesideDial: false, isByService: true },
      ...calls("indian", "service"),
    ],
  },
  ...(["wait", "drop", "error"] as const).map((answer): Removal => ({
    fault: "question",
    what: `a question answered with ${answer}`,
    missing: { question: true },
    start: at("12:00", "IST"),
    steps: [
      { do: "asking", fails: "closed" },
      { do: "answer", person: indexOf("indian"), answer },
      ...calls("indian", "service"),
    ],
  })),
];

let world: LawfulWorld | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

async function faultsIn({ start, steps }: Removal, missing: Missing = {}): Promise<Fault[]> {
  await world?.close();
  world = null;
  world = await LawfulWorld.open(start, missing);
  for (const each of steps) await world.live(each);
  return faultsOf(world.rings);
}

describe("without", () => {
  test.each([...OF_TIME, ...OF_STATES, ...OF_LIMITS, ...OF_PEOPLE])(
    "$what a short history is unlawful, and with it lawful",
    async (removal) => {
      expect(await faultsIn(removal)).toEqual([]);
      expect(await faultsIn(removal, removal.missing)).toContain(removal.fault);
    },
    60_000,
  );
});
