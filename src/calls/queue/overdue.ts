// Detects that no call could be dialled for a while (the appliance was off, or its clock was not trusted). Holds the
// calls that became overdue meanwhile, before anything is dialled.
import { commonHours } from "../../agents/calling-hours.ts";
import { agentById } from "../../agents/store.ts";
import { MINUTE_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Config } from "../../config/schema.ts";
import type { Database } from "../../db/database.ts";
import { heartbeats, recordHeartbeat } from "../../db/heartbeat-store.ts";
import type { Agent } from "../../agents/records.ts";
import type { Call } from "../call/records.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { ruleChangesOf } from "../../rules/book/change-store.ts";
import { legalHoursOf } from "../../rules/book/legal-hours.ts";
import { NO_CHANGES, type OrganisationChanges } from "../../rules/book/rule-book.ts";
import { holdForPerson } from "./held-store.ts";
import { isOverdueAfter, latestMs, type Absence } from "./lateness.ts";
import { OVERDUE } from "./policy.ts";
import { dueCallsAfter, type QueuePlace } from "./queue-store.ts";

export interface OverdueDeps {
  db: Database;
  clock: Clock;
  config: Config;
  logger: Logger;
}

/** Key of the last moment at which due calls were dialled. */
const ALIVE = "dispatcher";
/** Key used by databases of earlier versions. */
const FORMERLY = "clock";

/** The dispatcher runs at least every 30 s. */
const ABSENCE_MS = 2 * MINUTE_MS;
const SAVE_EVERY_MS = MINUTE_MS;
/** Keeps a transaction at about ten milliseconds. */
const BATCH = 200;

interface Batch {
  held: number;
  /** Start of the next batch; null if none is left. */
  last: QueuePlace | null;
}

export function createOverdue({ db, clock, config, logger }: OverdueDeps) {
  /** Undefined until read from the database. */
  let aliveAt: number | null | undefined;
  let savedAtElapsedMs = -Infinity;

  const latestMsOf = (agent: Pick<Agent, "latest_minutes">) => latestMs(agent, config.calls.latest_minutes);

  async function hold(absence: Absence): Promise<void> {
    let held = 0;
    let batch: Batch = { held: 0, last: null };
    do {
      const { last } = batch;
      batch = await db.write((tx) => holdSome(tx, absence, last));
      held += batch.held;
    } while (batch.last);
    if (held > 0)
      logger.warn("Calls are overdue, because none could be started for a while. They wait for a person on Today.", {
        calls: held,
        minutes: Math.round((absence.now - absence.since) / MINUTE_MS),
      });
  }

  async function holdSome(tx: Tx, absence: Absence, after: QueuePlace | null): Promise<Batch> {
    const due = await dueCallsAfter(tx, absence.now, after, BATCH);
    const agents = new Map<string, Agent | undefined>();
    const changes = new Map<string, OrganisationChanges>();
    const late: string[] = [];
    for (const call of due) {
      if (!agents.has(call.agent_id))
        agents.set(call.agent_id, await agentById(tx, call.organisation_id, call.agent_id));
      const agent = agents.get(call.agent_id);
      if (!agent) continue;
      const { organisation_id } = call;
      if (!changes.has(organisation_id)) changes.set(organisation_id, await ruleChangesOf(tx, organisation_id));
      if (isLate(absence, call, agent, changes.get(organisation_id) ?? NO_CHANGES)) late.push(call.id);
    }
    await holdForPerson(tx, late, OVERDUE, absence.now);
    const last = due.length < BATCH ? null : placeOf(due.at(-1));
    return { held: late.length, last };
  }

  function isLate(absence: Absence, call: Call, agent: Agent, changes: OrganisationChanges): boolean {
    const own = commonHours(agent.calling_hours, call.calling_hours);
    const { contact_number: number, contact_region: region } = call;
    const legal = legalHoursOf({ number, region, purpose: agent.purpose }, changes);
    return isOverdueAfter(absence, call, config.rules.enforce ? commonHours(own, legal) : null, latestMsOf(agent));
  }

  return {
    latestMsOf,

    /** Runs before each round of the dispatcher. */
    async look(): Promise<void> {
      const now = clock.now();
      aliveAt ??= await storedAliveAt(db.reader);
      if (aliveAt !== null && now - aliveAt > ABSENCE_MS) await hold({ since: aliveAt, now });
      aliveAt = now;
      const elapsedMs = clock.elapsedMs();
      if (elapsedMs - savedAtElapsedMs < SAVE_EVERY_MS) return;
      savedAtElapsedMs = elapsedMs;
      await db.write((tx) => recordHeartbeat(tx, ALIVE, now));
    },
  };
}

export type Overdue = ReturnType<typeof createOverdue>;

const placeOf = (call: Call | undefined): QueuePlace | null =>
  call ? { state: call.state, nextAt: call.next_at, id: call.id } : null;

async function storedAliveAt(executor: Executor): Promise<number | null> {
  const rows = await heartbeats(executor);
  const atOf = (name: string) => rows.find((row) => row.name === name)?.at ?? null;
  return atOf(ALIVE) ?? atOf(FORMERLY);
}
