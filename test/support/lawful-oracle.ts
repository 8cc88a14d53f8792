// The law as config/rules has it, written down a second time for the people of lawful-world.ts: it judges every ring
// without the code under test.
import { DAY_MS } from "../../src/core/clock.ts";

/** Rules of a state for promotional calls. */
interface StateLaw {
  opens: number;
  closes: number;
  days: readonly number[];
  hasDaysOff?: true;
  perDay?: number;
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const NOT_ON_SUNDAYS = [1, 2, 3, 4, 5, 6];
const WEEKDAYS = [1, 2, 3, 4, 5];

const LAWS = {
  AL: { opens: 8, closes: 20, days: NOT_ON_SUNDAYS, hasDaysOff: true },
  FL: { opens: 8, closes: 20, days: EVERY_DAY, perDay: 1 },
  MD: { opens: 8, closes: 20, days: EVERY_DAY, perDay: 1 },
  ME: { opens: 9, closes: 17, days: WEEKDAYS, perDay: 1 },
  OK: { opens: 8, closes: 20, days: EVERY_DAY, perDay: 1 },
  PA: { opens: 9, closes: 19, days: NOT_ON_SUNDAYS, hasDaysOff: true },
  TX: { opens: 9, closes: 21, days: NOT_ON_SUNDAYS },
  /** The strictest of every state: Kentucky opens last, Maine closes first. */
  any: { opens: 10, closes: 17, days: WEEKDAYS, hasDaysOff: true, perDay: 1 },
} as const satisfies Record<string, StateLaw>;

/** Those of the days off that the histories reach. */
const DAYS_OFF = ["11-03", "11-11", "11-26", "11-27", "12-01", "12-25", "01-01", "2027-03-26"];

const CANADA = { opens: 10, closes: 18 };
const FEDERAL = { opens: 8, closes: 21 };
const PROMOTIONAL_IN_INDIA = { opens: 10, closes: 21 };

export interface Callee {
  number: string;
  /** Where the callee may be. */
  zones: readonly string[];
  country: "IN" | "US" | "CA";
  /** A law stricter than the country's. */
  law?: keyof typeof LAWS;
  /** As given with the call. */
  place?: { user_time_zone?: string; user_region?: string };
}

/** A number that may be anywhere between New York and Honolulu. */
const ANYWHERE = ["America/New_York", "America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu"];
const CENTRAL = ["America/Chicago"];
const EASTERN = ["America/New_York"];
const NEW_YORKERS = "+1212555018";

const CALLEES = {
  indian: { number: "+919810020001", zones: ["Asia/Kolkata"], country: "IN" },
  inDubai: {
    number: "+919810020002",
    zones: ["Asia/Dubai"],
    country: "IN",
    place: { user_time_zone: "Asia/Dubai" },
  },
  newYorker: { number: `${NEW_YORKERS}1`, zones: EASTERN, country: "US" },
  californian: { number: "+14155550182", zones: ["America/Los_Angeles"], country: "US" },
  texan: {
    number: `${NEW_YORKERS}3`,
    zones: ["America/Chicago", "America/Denver"],
    country: "US",
    law: "TX",
    place: { user_region: "TX" },
  },
  alabaman: { number: "+12055550184", zones: CENTRAL, country: "US", law: "AL" },
  /** Western Florida has two time zones. */
  floridian: { number: "+18505550185", zones: ["America/New_York", "America/Chicago"], country: "US", law: "FL" },
  pennsylvanian: { number: "+12155550186", zones: EASTERN, country: "US", law: "PA" },
  mainer: { number: "+12075550187", zones: EASTERN, country: "US", law: "ME" },
  marylander: { number: `${NEW_YORKERS}8`, zones: EASTERN, country: "US", law: "MD", place: { user_region: "MD" } },
  oklahoman: { number: "+14055550189", zones: CENTRAL, country: "US", law: "OK" },
  torontonian: { number: "+14165550190", zones: ["America/Toronto"], country: "CA", law: "any" },
  tollFree: { number: "+18005550191", zones: ANYWHERE, country: "US", law: "any" },
  /** No such area code is known. */
  unknown: { number: "+12475550192", zones: ANYWHERE, country: "US", law: "any" },
} as const satisfies Record<string, Callee>;

export type CalleeName = keyof typeof CALLEES;
export const PEOPLE: readonly Callee[] = Object.values(CALLEES);
export const indexOf = (name: CalleeName): number => Object.keys(CALLEES).indexOf(name);

/** The clinic has calling hours of its own. */
export const AGENTS = ["service", "promotional", "clinic", "transactional"] as const;
export type AgentName = (typeof AGENTS)[number];
export const purposeOf = (agent: AgentName) => (agent === "clinic" ? "service" : agent);

/** Of the clinic, in the callee's time. */
export const CLINIC = { opens: 11, closes: 17 };

/** What was stored when the call was claimed. */
export interface Claim {
  claimedAt: number;
  agent: AgentName;
  isCallback: boolean;
  hasConsent: boolean;
  isWithdrawn: boolean;
  isRefused: boolean;
  isUndisturbed: boolean;
  /** The hospital's system agreed, or is not asked. */
  isAgreed: boolean;
}

export interface Hours {
  opens: number;
  closes: number;
}
export interface Limits {
  day: number;
  week: number;
}

/** The country's rules as the organisation has them; the limits are those of India. */
export interface OwnRules {
  hours: { IN: Hours; US: Hours };
  limits: Limits;
}
export const IN_THE_BOOK: OwnRules = {
  hours: { IN: { opens: 9, closes: 20 }, US: { opens: 9, closes: 20 } },
  limits: { day: 3, week: Infinity },
};
const AMERICAN = { consented: { day: 3, week: Infinity }, others: { day: 1, week: 3 } };

/** A telephone rang. */
export interface Ring extends Claim {
  callId: string;
  number: string;
  from: string;
  /** By the real time, whatever the clock says. */
  at: number;
  own: OwnRules;
}

export type Fault =
  | "hours"
  | "agent's hours"
  | "days"
  | "days off"
  | "limit of a day"
  | "limit of a week"
  | "consent"
  | "withdrawn consent"
  | "registry"
  | "caller ID"
  | "do not disturb"
  | "question"
  | "long after its claim"
  | "twice";

/** The patient asked for it, and it offers nothing. */
export const isExempt = ({ agent, isCallback }: Pick<Claim, "agent" | "isCallback">) =>
  isCallback && purposeOf(agent) !== "promotional";

interface Local {
  date: string;
  hour: number;
  weekday: number;
}

/** Local time by the runtime's calendar, without the code under test. */
function localIn(zone: string, at: number): Local {
  const [date = "", time = ""] = new Date(at).toLocaleString("sv-SE", { timeZone: zone }).split(" ");
  return { date, hour: Number(time.slice(0, 2)), weekday: new Date(date).getUTCDay() };
}

/** Between the judgement and the ring. */
const LATEST_RING_MS = 5_000;

/** What is unlawful about the rings. */
export function faultsOf(rings: readonly Ring[]): Fault[] {
  return rings.flatMap((ring, i) => {
    const callee = PEOPLE.find(({ number }) => number === ring.number)!;
    const earlier = rings.slice(0, i).filter((each) => each.number === ring.number && !isExempt(each));
    return [
      ...callee.zones.flatMap((zone) => [
        ...faultsOfTime(localIn(zone, ring.at), callee, ring),
        ...faultsOfLimits(zone, callee, ring, earlier),
      ]),
      ...faultsOfPeople(ring),
      ...(ring.at - ring.claimedAt > LATEST_RING_MS ? (["long after its claim"] as const) : []),
      ...(rings.findIndex(({ callId }) => callId === ring.callId) < i ? (["twice"] as const) : []),
    ];
  });
}

const isPromotional = ({ agent }: Ring) => purposeOf(agent) === "promotional";
const lawOf = ({ law }: Callee, ring: Ring): StateLaw | null =>
  law !== undefined && isPromotional(ring) ? LAWS[law] : null;

/** Every one of them has to be kept. */
function hoursOf(callee: Callee, ring: Ring): Hours[] {
  const law = lawOf(callee, ring);
  if (callee.country === "IN") return [ring.own.hours.IN, ...(isPromotional(ring) ? [PROMOTIONAL_IN_INDIA] : [])];
  return [ring.own.hours.US, FEDERAL, ...(callee.country === "CA" ? [CANADA] : []), ...(law ? [law] : [])];
}

function faultsOfTime({ date, hour, weekday }: Local, callee: Callee, ring: Ring): Fault[] {
  const faults: Fault[] = [];
  const law = lawOf(callee, ring);
  const isOutside = ({ opens, closes }: Hours) => hour < opens || hour >= closes;
  if (hoursOf(callee, ring).some(isOutside)) faults.push("hours");
  if (ring.agent === "clinic" && isOutside(CLINIC)) faults.push("agent's hours");
  if (law && !law.days.includes(weekday)) faults.push("days");
  if (law?.hasDaysOff && DAYS_OFF.some((day) => date.endsWith(day))) faults.push("days off");
  return faults;
}

function faultsOfLimits(zone: string, callee: Callee, ring: Ring, earlier: readonly Ring[]): Fault[] {
  const faults: Fault[] = [];
  if (isExempt(ring)) return faults;
  const dayOf = (at: number) => Date.parse(localIn(zone, at).date) / DAY_MS;
  const today = dayOf(ring.at);
  const countOf = (days: number) => earlier.filter(({ at }) => today - dayOf(at) < days).length;
  const american = ring.hasConsent ? AMERICAN.consented : AMERICAN.others;
  const limits = callee.country === "IN" ? ring.own.limits : american;
  if (countOf(1) >= Math.min(limits.day, lawOf(callee, ring)?.perDay ?? Infinity)) faults.push("limit of a day");
  if (countOf(7) >= limits.week) faults.push("limit of a week");
  return faults;
}

function faultsOfPeople(ring: Ring): Fault[] {
  const faults: Fault[] = [];
  if (isPromotional(ring) && !ring.hasConsent && !ring.isWithdrawn) faults.push("consent");
  if (ring.isWithdrawn) faults.push("withdrawn consent");
  if (isPromotional(ring) && ring.isRefused) faults.push("registry");
  if (isPromotional(ring) && ring.number.startsWith("+91") && !ring.from.startsWith("+91140")) faults.push("caller ID");
  if (ring.isUndisturbed) faults.push("do not disturb");
  if (!ring.isAgreed) faults.push("question");
  return faults;
}
