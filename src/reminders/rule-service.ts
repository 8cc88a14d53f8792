// Service for reminder rules: create, change, enable, disable, delete, and preview before saving.
import { isOfReach, type Reach } from "../core/reach.ts";
import type { Audit } from "../accounts/audit.ts";
import { agentById, agentsOf, numbersOf } from "../agents/store.ts";
import { appointmentTypesOf, branchesOf, zoneOf } from "../calendar/directory-store.ts";
import type { Actor } from "../core/actor.ts";
import { toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import { assertUnchanged } from "../core/entity-tag.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { addDays, instantOf, wallTime } from "../core/zones.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Database } from "../db/database.ts";
import type { Agent } from "../agents/records.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { RULE_DEFAULTS, type Rule, type RuleInput, type RulePreview, type RuleView } from "./model.ts";
import { openPlaceholders, usualSources, type PlaceholderSource } from "./placeholder-sources.ts";
import type { ReminderRule } from "./records.ts";
import { countsByRule } from "./reminder-store.ts";
import { FROM_THE_START } from "./rule-plan.ts";
import { expectedAppointments, insertRule, planAgain, ruleById, rulesOf, updateRule } from "./rule-store.ts";
import { minuteOf } from "../calendar/moments.ts";
import { dueAt, timeOf, type RuleTiming } from "./rule-times.ts";

export interface RuleServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  wake: () => void;
}

/** Enough for a rule per service of each branch. */
const MOST_RULES = 200;
/** Most appointments that a preview counts per branch. */
const MOST_COUNTED = 5_000;
/** Leaves room for a first attempt and a retry. */
const SHORTEST_HOURS_MINUTES = 60;

/** An agent that may call, with the open placeholders of its texts and their default sources. */
export interface ReminderAgent {
  agent_id: string;
  name: string;
  has_number: boolean;
  placeholders: { placeholder: string; usual: PlaceholderSource["source"] | null }[];
}

export class ReminderRules {
  constructor(private readonly deps: RuleServiceDeps) {}

  async list(organisationId: string): Promise<RuleView[]> {
    const { reader } = this.deps.db;
    return this.#views(reader, organisationId, await rulesOf(reader, organisationId));
  }

  async get(organisationId: string, id: string): Promise<RuleView> {
    const { reader } = this.deps.db;
    return this.#view(reader, await presentRule(reader, organisationId, id));
  }

  async #view(executor: Executor, row: ReminderRule): Promise<RuleView> {
    const [view] = await this.#views(executor, row.organisation_id, [row]);
    if (!view) throw unknownRule();
    return view;
  }

  async #views(executor: Executor, organisationId: string, rules: readonly ReminderRule[]): Promise<RuleView[]> {
    const counts = new Map((await countsByRule(executor, organisationId)).map((each) => [each.rule_id, each]));
    const names = new Map((await agentsOf(executor, organisationId)).map(({ id, name }) => [id, name]));
    return rules.map((row) => ({
      ...ruleOf(row),
      rule_id: row.id,
      agent_name: names.get(row.agent_id) ?? "",
      waiting: counts.get(row.id)?.count ?? 0,
      first_at: toIsoOrNull(counts.get(row.id)?.first_at ?? null),
      is_planned: row.plan_after === null,
      created_at: toIso(row.created_at),
      updated_at: toIso(row.updated_at),
    }));
  }

  async agents(organisationId: string, reach?: Reach): Promise<ReminderAgent[]> {
    const { db } = this.deps;
    const numbered = new Set((await numbersOf(db.reader, organisationId)).map(({ agent_id }) => agent_id));
    const agents = (await agentsOf(db.reader, organisationId)).filter(
      ({ type, branch_id }) => type === "outbound" && isOfReach(reach, branch_id),
    );
    return agents.map((agent) => {
      const usual = new Map(usualSources(agent).map(({ placeholder, source }) => [placeholder, source]));
      return {
        agent_id: agent.id,
        name: agent.name,
        has_number: numbered.has(agent.id),
        placeholders: openPlaceholders(agent).map((placeholder) => ({
          placeholder,
          usual: usual.get(placeholder) ?? null,
        })),
      };
    });
  }

  async create(
    organisationId: string,
    input: RuleInput & { agent_id: string },
    actor: Actor,
    alongside: Alongside<RuleView> = async () => {},
  ): Promise<RuleView> {
    const { db, clock, ids, audit, wake } = this.deps;
    const now = clock.now();
    const made = await db.write(async (tx) => {
      const agent = await callingAgent(tx, organisationId, input.agent_id);
      const rule = { ...RULE_DEFAULTS, placeholders: usualSources(agent), ...input };
      await assertSound(tx, organisationId, rule);
      if ((await rulesOf(tx, organisationId)).length >= MOST_RULES) {
        throw new AppError("CONFLICT", `There may be at most ${MOST_RULES} rules. Remove one first.`);
      }
      const row: ReminderRule = {
        id: ids.next("rmr"),
        organisation_id: organisationId,
        ...columnsOf(rule),
        revision: 1,
        plan_after: FROM_THE_START,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      };
      await insertRule(tx, row);
      await audit.record(tx, { organisationId, actor, action: "reminder_rule.created", subjectId: row.id });
      const view = await this.#view(tx, row);
      await alongside(tx, view);
      return view;
    });
    wake();
    return made;
  }

  /** Open reminders of the rule are planned again or cancelled; people who were already called are not called again. */
  async update(organisationId: string, id: string, input: RuleInput, actor: Actor): Promise<void> {
    const { db, clock, audit, wake } = this.deps;
    await db.write(async (tx) => {
      const row = await presentRule(tx, organisationId, id);
      assertUnchanged(actor, await this.#view(tx, row));
      const rule = { ...ruleOf(row), ...input };
      if (input.agent_id !== undefined) await callingAgent(tx, organisationId, input.agent_id);
      await assertSound(tx, organisationId, rule);
      await updateRule(tx, id, {
        ...columnsOf(rule),
        revision: row.revision + 1,
        plan_after: FROM_THE_START,
        updated_at: clock.now(),
      });
      const detail = { fields: Object.keys(input) };
      await audit.record(tx, { organisationId, actor, action: "reminder_rule.changed", subjectId: id, detail });
    });
    wake();
  }

  async remove(organisationId: string, id: string, actor: Actor): Promise<void> {
    const { db, clock, audit, wake } = this.deps;
    await db.write(async (tx) => {
      const row = await presentRule(tx, organisationId, id);
      const now = clock.now();
      await updateRule(tx, id, {
        enabled: false,
        deleted_at: now,
        revision: row.revision + 1,
        plan_after: FROM_THE_START,
        updated_at: now,
      });
      await audit.record(tx, { organisationId, actor, action: "reminder_rule.removed", subjectId: id });
    });
    wake();
  }

  /** The time zone of a branch changed, and with it all due times. */
  async zonesChanged(tx: Tx, organisationId: string): Promise<void> {
    await planAgain(tx, organisationId, FROM_THE_START);
  }

  async preview(organisationId: string, input: RuleInput): Promise<RulePreview> {
    const { reader } = this.deps.db;
    const rule = { ...RULE_DEFAULTS, ...input };
    await assertSound(reader, organisationId, { ...rule, placeholders: [], agent_id: "" });
    const branches = (await branchesOf(reader, organisationId)).filter(
      ({ id }) => rule.branch_id === null || id === rule.branch_id.toLowerCase(),
    );
    const tomorrow = { people: 0, without_number: 0 };
    for (const { id } of branches) {
      const counted = await this.#dueTomorrow(organisationId, id, rule.appointment_type_id, timingOf(rule));
      tomorrow.people += counted.people;
      tomorrow.without_number += counted.without_number;
    }
    return { tomorrow };
  }

  async #dueTomorrow(organisationId: string, branchId: string, service: string | null, timing: RuleTiming) {
    const { db, clock } = this.deps;
    const zone = await zoneOf(db.reader, organisationId, branchId);
    const tomorrow = addDays(wallTime(clock.now(), zone).date, 1);
    const [begin, end] = [instantOf(tomorrow, 0, zone), instantOf(addDays(tomorrow, 1), 0, zone)];
    const daysAhead = timing.timing === "day_before" ? timing.days_before : Math.ceil(timing.hours_before / 24) + 1;
    const rows = await expectedAppointments(db.reader, {
      organisationId,
      branchId,
      appointmentTypeId: service?.toLowerCase() ?? null,
      from: tomorrow,
      to: addDays(tomorrow, daysAhead),
      limit: MOST_COUNTED,
    });
    const due = rows.filter((row) => {
      const at = dueAt(timing, row, zone);
      return at >= begin && at < end;
    });
    const without_number = due.filter(({ contact_number }) => contact_number === null).length;
    return { people: due.length - without_number, without_number };
  }
}

async function presentRule(executor: Executor, organisationId: string, id: string): Promise<ReminderRule> {
  const row = await ruleById(executor, organisationId, id);
  if (!row || row.deleted_at !== null) throw unknownRule();
  return row;
}

const unknownRule = () => new AppError("NOT_FOUND", "There is no rule with this id.");

/** The agent needs a number only when it calls, so it may get one later. */
export async function callingAgent(executor: Executor, organisationId: string, id: string): Promise<Agent> {
  const agent = await agentById(executor, organisationId, id);
  if (agent?.type === "outbound") return agent;
  throw invalidField("agent_id", "Choose an agent of this hospital that calls people.");
}

/** Checks of the rule itself, without what it refers to. */
export function assertSoundTimes(rule: Omit<Rule, "agent_id">): void {
  const [from, to] = [minuteOf(rule.call_from), minuteOf(rule.call_to)];
  if (to - from < SHORTEST_HOURS_MINUTES)
    throw invalidField("call_to", "People are called for at least an hour a day.");
  const at = minuteOf(rule.at);
  if (rule.timing === "day_before" && (at < from || at >= to)) {
    throw invalidField("at", "This is outside the hours in which people may be called.");
  }
  const names = rule.placeholders.map(({ placeholder }) => placeholder);
  if (new Set(names).size < names.length) throw invalidField("placeholders", "A placeholder is filled once.");
}

async function assertSound(executor: Executor, organisationId: string, rule: Rule): Promise<void> {
  assertSoundTimes(rule);
  const branchId = rule.branch_id?.toLowerCase() ?? null;
  if (branchId !== null && !(await branchesOf(executor, organisationId)).some(({ id }) => id === branchId)) {
    throw invalidField("branch_id", "There is no such branch.");
  }
  const serviceId = rule.appointment_type_id?.toLowerCase() ?? null;
  if (serviceId !== null && !(await appointmentTypesOf(executor, organisationId)).some(({ id }) => id === serviceId)) {
    throw invalidField("appointment_type_id", "There is no such service.");
  }
}

function timingOf(rule: Omit<Rule, "agent_id" | "placeholders">): RuleTiming {
  return {
    timing: rule.timing,
    days_before: rule.days_before,
    at_minute: minuteOf(rule.at),
    hours_before: rule.hours_before,
    from_minute: minuteOf(rule.call_from),
    to_minute: minuteOf(rule.call_to),
  };
}

function columnsOf(rule: Rule) {
  return {
    branch_id: rule.branch_id?.toLowerCase() ?? null,
    appointment_type_id: rule.appointment_type_id?.toLowerCase() ?? null,
    agent_id: rule.agent_id,
    ...timingOf(rule),
    tries: rule.tries,
    retry_minutes: rule.retry_minutes,
    settle_hours: rule.settle_hours,
    skip_confirmed: rule.skip_confirmed,
    placeholders: rule.placeholders,
    enabled: rule.enabled,
  };
}

function ruleOf(row: ReminderRule): Rule {
  return {
    branch_id: row.branch_id,
    appointment_type_id: row.appointment_type_id,
    agent_id: row.agent_id,
    timing: row.timing,
    days_before: row.days_before,
    at: timeOf(row.at_minute),
    hours_before: row.hours_before,
    call_from: timeOf(row.from_minute),
    call_to: timeOf(row.to_minute),
    tries: row.tries,
    retry_minutes: row.retry_minutes,
    settle_hours: row.settle_hours,
    skip_confirmed: row.skip_confirmed,
    placeholders: row.placeholders,
    enabled: row.enabled,
  };
}
