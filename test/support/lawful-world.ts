// A hospital that calls people in several countries, states and zones, by agents, campaigns and callbacks, while rules,
// consents and clocks change, its own system is asked before calls, and the appliance dies. lawful-oracle.ts judges
// every ring.
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import type { DialFacts, DialQuestion } from "../../src/calls/queue/dial-facts.ts";
import { addDoNotDisturb } from "../../src/calls/people/do-not-disturb-store.ts";
import { updateOrganisation } from "../../src/accounts/organisation-store.ts";
import type { Call } from "../../src/calls/call/records.ts";
import type { Tx } from "../../src/db/tables.ts";
import type { QuestionFails } from "../../src/payloads/call-question.ts";
import { ANSWER_VALID_MS } from "../../src/rules/question/answer.ts";
import { saveConsents } from "../../src/rules/consent/record-store.ts";
import { saveResults } from "../../src/rules/registry/registry-store.ts";
import { confirmBelieved } from "../../src/scheduler/clock-store.ts";
import { consentRow } from "./consents.ts";
import { answered, createFakePost, type SentRequest } from "./fake-post.ts";
import { createHospital, type Hospital } from "./hospital.ts";
import {
  AGENTS,
  CLINIC,
  IN_THE_BOOK,
  isExempt,
  PEOPLE,
  purposeOf,
  type AgentName,
  type Callee,
  type Claim,
  type Hours,
  type Ring,
} from "./lawful-oracle.ts";
import { settle } from "./manual-clock.ts";
import { createMortal, type Mortal } from "./mortal.ts";

export type Step =
  | { do: "call"; person: number; agent: AgentName; isCallback: boolean }
  | { do: "campaign"; people: readonly number[]; agent: AgentName }
  /** By the service, or written past it. `hours`: how long it holds. */
  | {
      do: "consent";
      person: number;
      agent: AgentName;
      isGiven: boolean;
      isBesideDial: boolean;
      isByService: boolean;
      hours: number | null;
    }
  | { do: "pass"; hours: number }
  | { do: "end" }
  | { do: "registry"; person: number }
  | { do: "undisturbed"; person: number; isBesideDial: boolean; isByService: boolean }
  /** The hours of a country; null: as in the book. */
  | { do: "rule"; country: "IN" | "US"; hours: readonly [string, string] | null }
  /** A limit of calls to India; null: as in the book. */
  | { do: "limit"; of: "day" | "week"; value: number | null }
  /** After its next dial was committed and before it was made, or at once. */
  | { do: "crash"; isAfterClaim: boolean }
  /** The database is lost during the commit of the next claim, for so many hours. */
  | { do: "lose"; hours: number }
  | { do: "jump"; hours: number; isConfirmed: boolean }
  /** The hospital's system is asked before calls from now on; null: no more. */
  | { do: "asking"; fails: QuestionFails | null }
  /** What it answers about this person from now on. */
  | { do: "answer"; person: number; answer: HisAnswer };

export const HIS_ANSWERS = ["go", "wait", "drop", "error"] as const;
type HisAnswer = (typeof HIS_ANSWERS)[number];

/** Makes a rule idle by taking away the fact that it needs. */
export type Without = (found: DialFacts, question: DialQuestion) => DialFacts;

export interface Missing {
  facts?: Without;
  /** Every clock is trusted. */
  clock?: boolean;
  /** The hospital's system is never asked. */
  question?: boolean;
}

/** Hours pass at once here, and calls must not be held as overdue for it. */
const PATIENT = { latest_minutes: 7 * 24 * 60, greeting: "Hello.", prompt: "Talk." };
const HIS_URL = "https://his.example/before-call";
const HIS_WAIT_HOURS = 5;
const hourOf = (time: string) => Number(time.slice(0, 2));

export class LawfulWorld {
  readonly rings: Ring[] = [];
  readonly #claims = new Map<string, Claim>();
  readonly #agents = new Map<string, AgentName>();
  #appliance: Mortal;
  /** How far the clock is ahead of the real time. */
  #aheadMs = 0;
  #own = IN_THE_BOOK;
  #fails: QuestionFails | null = null;
  /** By number. */
  readonly #answers = new Map<string, HisAnswer>();
  /** What was answered last about each call. */
  readonly #answered = new Map<string, { isAgreed: boolean; at: number }>();
  /** Wishes that were stored before this step, by number and purpose, or by number. */
  readonly #wishes = new Set<string>();
  #steps = 0;

  private constructor(
    private readonly hospital: Hospital,
    private readonly missing: Missing,
  ) {
    this.#appliance = this.#boot();
  }

  static async open(startsAt: string, missing: Missing = {}): Promise<LawfulWorld> {
    const settings = { RINGWARD_CAMPAIGNS__AT_ONCE: "unlimited" };
    const hospital = await createHospital({ isEnforced: true, settings });
    const { clock } = hospital;
    clock.pass(Date.parse(startsAt) - clock.now());
    const world = new LawfulWorld(hospital, missing);
    for (const name of AGENTS) await world.#hire(name);
    await world.#appliance.app.start();
    return world;
  }

  async close(): Promise<void> {
    this.#appliance.die();
    await this.hospital.close();
  }

  async #hire(name: AgentName): Promise<void> {
    const { agents } = this.hospital.app.services;
    const { organisationId } = this.hospital;
    const everyDay = [0, 1, 2, 3, 4, 5, 6];
    const calling_hours =
      name === "clinic" ? { start: `${CLINIC.opens}:00`, end: `${CLINIC.closes}:00`, days: everyDay } : null;
    const input = { ...PATIENT, name, calling_hours, purpose: purposeOf(name) };
    const { agent_id } = await agents.create(organisationId, input, CLI_ACTOR);
    this.#agents.set(agent_id, name);
    const i = AGENTS.indexOf(name);
    for (const number of [`+91225555010${i}`, `+91140555010${i}`])
      await agents.addNumber(organisationId, { number, agentId: agent_id, concurrentCalls: 100 }, CLI_ACTOR);
  }

  #boot(): Mortal {
    const { clock } = this.hospital;
    const safePost = createFakePost(() => clock.now());
    safePost.answer = (request) => this.#answer(request);
    const appliance = createMortal(this.hospital, safePost);
    const { dialFacts } = appliance.app.services;
    const { factsOf, noteDialled } = dialFacts;
    // In the transaction that dials: what is stored by then.
    dialFacts.noteDialled = async (batch, call, dial) => {
      this.#claims.set(call.id, await this.#claimOf(batch.tx, call));
      await noteDialled(batch, call, dial);
    };
    const { facts: without } = this.missing;
    if (without)
      dialFacts.factsOf = async (...question) => {
        return without(await factsOf(...question), question[1]);
      };
    appliance.carrier.onDial = ({ callId, from, to }) => {
      const claim = this.#claims.get(callId);
      if (!claim) throw new Error("A call was dialled that was never claimed.");
      this.rings.push({ ...claim, callId, number: to, from, at: this.#realNow(), own: this.#own });
    };
    return appliance;
  }

  #realNow(): number {
    return this.hospital.clock.now() - this.#aheadMs;
  }

  #answer({ json: { data } }: SentRequest) {
    const now = this.hospital.clock.now();
    const answer = this.#answers.get(String(data["user_number"])) ?? "go";
    const isAgreed = answer === "go" || (answer === "error" && this.#fails === "open");
    this.#answered.set(String(data["call_id"]), { isAgreed, at: now });
    const until = new Date(now + HIS_WAIT_HOURS * HOUR_MS).toISOString();
    return answer === "error" ? answered(500) : answered(200, JSON.stringify({ answer, until }));
  }

  #isAgreed(callId: string): boolean {
    if (this.#fails === null) return true;
    const last = this.#answered.get(callId);
    return last !== undefined && last.isAgreed && this.hospital.clock.now() - last.at < ANSWER_VALID_MS;
  }

  /** Read past the code under test. */
  async #claimOf(tx: Tx, { id, agent_id, contact_number: number, source }: Call): Promise<Claim> {
    const agent = this.#agents.get(agent_id);
    if (!agent) throw new Error("The agent does not exist.");
    const { organisationId } = this.hospital;
    const consents = await tx.selectFrom("consents").selectAll().where("contact_number", "=", number).execute();
    const consent = consents.find(({ purpose }) => purpose === purposeOf(agent));
    const scrubs = await tx.selectFrom("registry_results").selectAll().where("number", "=", number).execute();
    const listed = await tx
      .selectFrom("do_not_disturb")
      .select("number")
      .where("organisation_id", "=", organisationId)
      .where("number", "=", number)
      .execute();
    const now = this.hospital.clock.now();
    const isInForce = (given: NonNullable<typeof consent>) =>
      given.withdrawn_at === null && (given.granted_at ?? Infinity) <= now && (given.until ?? Infinity) > now;
    return {
      claimedAt: this.#realNow(),
      agent,
      isCallback: source === "callback",
      hasConsent: consent !== undefined && isInForce(consent),
      isWithdrawn: (consent?.withdrawn_at ?? null) !== null || this.#wishes.has(wishOf(number, agent)),
      isRefused: scrubs.some(({ verdict }) => verdict === "refused"),
      isUndisturbed: listed.length > 0 || this.#wishes.has(number),
      isAgreed: this.#isAgreed(id),
    };
  }

  async live(step: Step): Promise<void> {
    this.#steps += 1;
    await this.#take(step);
    if (this.#appliance.isDead()) await this.#restart();
  }

  /** A start finds the calls that the one before had claimed. */
  async #restart(): Promise<void> {
    this.#appliance = this.#boot();
    await this.#appliance.app.start();
    await this.hospital.clock.advance(MINUTE_MS);
  }

  async #take(step: Step): Promise<void> {
    const { clock } = this.hospital;
    switch (step.do) {
      case "call":
        return this.#call(step);
      case "campaign":
        return this.#campaign(step);
      case "consent":
        return this.#consent(step);
      case "undisturbed":
        return this.#undisturbed(step);
      case "pass":
        return clock.leap(step.hours * HOUR_MS + 3 * MINUTE_MS);
      case "end":
        return this.#end();
      case "registry":
        return this.#registry(step.person);
      case "rule":
        return this.#rule(step);
      case "limit":
        return this.#limit(step);
      case "crash":
        return this.#crash(step.isAfterClaim);
      case "lose":
        return this.#lose(step.hours);
      case "jump":
        return this.#jump(step);
      case "asking":
        return this.#ask(step.fails);
      case "answer":
        return void this.#answers.set(PEOPLE[step.person]!.number, step.answer);
    }
  }

  async #beside(isBesideDial: boolean, act: () => Promise<void>): Promise<void> {
    await Promise.all([act(), ...(isBesideDial ? [this.hospital.clock.advance(16_000)] : [])]);
  }

  #idOf(name: AgentName): string {
    const [id = ""] = [...this.#agents].find(([, each]) => each === name) ?? [];
    return id;
  }

  async #call({ person, agent, isCallback }: Extract<Step, { do: "call" }>): Promise<void> {
    await this.#appliance.app.services.calls.create(
      this.hospital.organisationId,
      { agent_id: this.#idOf(agent), ...rowOf(person) },
      isCallback ? "callback" : "api",
      CLI_ACTOR,
    );
  }

  async #campaign({ people, agent }: Extract<Step, { do: "campaign" }>): Promise<void> {
    const { campaigns } = this.#appliance.app.services;
    const rows = people.map(rowOf);
    const input = { name: `List ${this.#steps}`, agent_id: this.#idOf(agent), rows, calls_per_minute: 60 };
    await campaigns.create(this.hospital.organisationId, input, CLI_ACTOR);
  }

  async #consent(step: Extract<Step, { do: "consent" }>): Promise<void> {
    const { agent, isGiven, isBesideDial, isByService } = step;
    const wish = wishOf(PEOPLE[step.person]!.number, agent);
    if (isGiven) this.#wishes.delete(wish);
    await this.#beside(isBesideDial, () => (isByService ? this.#tellConsent(step) : this.#storeConsent(step)));
    if (!isGiven) this.#wishes.add(wish);
  }

  async #tellConsent({ person, agent, isGiven, hours }: Extract<Step, { do: "consent" }>): Promise<void> {
    const { clock, organisationId } = this.hospital;
    const { consents } = this.#appliance.app.services;
    const of = { contact_number: PEOPLE[person]!.number, purpose: purposeOf(agent) };
    const until = hours === null ? {} : { until: new Date(clock.now() + hours * HOUR_MS).toISOString() };
    if (isGiven) await consents.grant(organisationId, { ...of, basis: "written", ...until }, CLI_ACTOR);
    else await consents.withdrawFor(organisationId, of, CLI_ACTOR);
  }

  async #storeConsent({ person, agent, isGiven, hours }: Extract<Step, { do: "consent" }>): Promise<void> {
    const { db, clock, organisationId } = this.hospital;
    const until = hours === null ? null : clock.now() + hours * HOUR_MS;
    const change = isGiven ? { until } : { withdrawn_at: clock.now() };
    const { number } = PEOPLE[person]!;
    await db.write((tx) => saveConsents(tx, [consentRow(organisationId, number, purposeOf(agent), change)]));
  }

  async #undisturbed({ person, isBesideDial, isByService }: Extract<Step, { do: "undisturbed" }>): Promise<void> {
    const { db, clock, organisationId } = this.hospital;
    const { number } = PEOPLE[person]!;
    const { consents } = this.#appliance.app.services;
    const store = (tx: Tx) => addDoNotDisturb(tx, organisationId, number, clock.now(), { source: "api", callId: null });
    await this.#beside(isBesideDial, async () => {
      if (isByService) await consents.withdrawFor(organisationId, { contact_number: number }, CLI_ACTOR);
      else await db.write(store);
    });
    this.#wishes.add(number);
  }

  async #end(): Promise<void> {
    const { carrier } = this.#appliance;
    for (const callId of carrier.live) carrier.fail(callId, "busy");
    await settle();
  }

  async #registry(person: number): Promise<void> {
    const { db, organisationId } = this.hospital;
    const { number } = PEOPLE[person]!;
    await db.write((tx) => saveResults(tx, [{ ...REFUSED, organisation_id: organisationId, number }]));
  }

  async #rule({ country, hours }: Extract<Step, { do: "rule" }>): Promise<void> {
    const { ruleChanges } = this.#appliance.app.services;
    const { organisationId } = this.hospital;
    const ruleId = `${country.toLowerCase()}-hours`;
    const book = IN_THE_BOOK.hours[country];
    if (hours === null) {
      if (this.#own.hours[country] === book) return;
      await ruleChanges.reset(organisationId, ruleId, CLI_ACTOR);
      this.#setHours(country, book);
    } else {
      const [start, end] = hours;
      const value = { start, end, days: [0, 1, 2, 3, 4, 5, 6] };
      const reason = "The night clinic calls its own patients back.";
      await ruleChanges.set(organisationId, { ruleId, value, reason }, CLI_ACTOR);
      this.#setHours(country, { opens: hourOf(start), closes: hourOf(end) });
    }
  }

  #setHours(country: "IN" | "US", hours: Hours): void {
    this.#own = { ...this.#own, hours: { ...this.#own.hours, [country]: hours } };
  }

  async #limit({ of, value }: Extract<Step, { do: "limit" }>): Promise<void> {
    const { ruleChanges } = this.#appliance.app.services;
    const { organisationId } = this.hospital;
    const ruleId = `in-per-${of}`;
    const book = IN_THE_BOOK.limits[of];
    if (value === null && this.#own.limits[of] === book) return;
    if (value === null) await ruleChanges.reset(organisationId, ruleId, CLI_ACTOR);
    else {
      const reason = "Patients of this study agreed to it.";
      await ruleChanges.set(organisationId, { ruleId, value, reason }, CLI_ACTOR);
    }
    this.#own = { ...this.#own, limits: { ...this.#own.limits, [of]: value ?? book } };
  }

  async #crash(isAfterClaim: boolean): Promise<void> {
    const appliance = this.#appliance;
    if (!isAfterClaim) return appliance.die();
    const claimed = this.#claims.size;
    appliance.dieAfter = () => this.#claims.size > claimed;
    await this.hospital.clock.advance(16_000);
    appliance.dieAfter = null;
  }

  async #lose(hours: number): Promise<void> {
    const { clock } = this.hospital;
    const appliance = this.#appliance;
    const claimed = this.#claims.size;
    appliance.loseAfter = () => this.#claims.size > claimed;
    await clock.advance(16_000);
    if (hours > 0) await clock.leap(hours * HOUR_MS);
    appliance.loseAfter = null;
    await clock.advance(MINUTE_MS);
  }

  async #jump({ hours, isConfirmed }: Extract<Step, { do: "jump" }>): Promise<void> {
    const { clock, db } = this.hospital;
    const confirm = () => db.write((tx) => confirmBelieved(tx, clock.now(), null));
    clock.jump(hours * HOUR_MS);
    this.#aheadMs += hours * HOUR_MS;
    if (this.missing.clock) await confirm();
    await clock.advance(MINUTE_MS);
    if (isConfirmed) {
      // The person is right: that is the time.
      this.#aheadMs -= hours * HOUR_MS;
      await confirm();
    } else {
      clock.jump(-hours * HOUR_MS);
      this.#aheadMs -= hours * HOUR_MS;
      if (this.missing.clock) await confirm();
    }
    await clock.advance(MINUTE_MS);
  }

  async #ask(fails: QuestionFails | null): Promise<void> {
    const { db, clock, organisationId } = this.hospital;
    const { question } = this.#appliance.app.services;
    if (fails !== null) await question.set(organisationId, { url: HIS_URL, fails }, CLI_ACTOR);
    else if (this.#fails !== null) await question.remove(organisationId, CLI_ACTOR);
    this.#fails = fails;
    if (this.missing.question)
      await db.write((tx) =>
        updateOrganisation(tx, organisationId, { asks_before_calls: false, updated_at: clock.now() }),
      );
  }

  /** Calls of the last week that were claimed, and those that count against limits: each of them once. */
  async counted(): Promise<{ claimed: number; counted: number }> {
    const { reader } = this.hospital.db;
    const calls = await reader.selectFrom("calls").select(["triggered_at", "source", "agent_id"]).execute();
    // Older counts may have been deleted.
    const since = this.hospital.clock.now() - 7 * DAY_MS;
    const rows = await reader.selectFrom("dialled_numbers").select("at").where("at", ">", since).execute();
    const claimed = calls.filter(
      ({ triggered_at, source, agent_id }) =>
        (triggered_at ?? 0) > since &&
        !isExempt({ agent: this.#agents.get(agent_id)!, isCallback: source === "callback" }),
    );
    return { claimed: claimed.length, counted: rows.length };
  }
}

function rowOf(person: number): { user_number: string } & Callee["place"] {
  const { number, place } = PEOPLE[person]!;
  return { user_number: number, ...place };
}

const wishOf = (number: string, agent: AgentName) => `${number} ${purposeOf(agent)}`;

const REFUSED = {
  verdict: "refused",
  registry: "ncpr",
  scrubbed_on: "2026-11-14",
  imported_at: 0,
  actor_kind: "cli",
  actor_id: null,
} as const;
