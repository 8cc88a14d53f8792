// Who on the waiting list is called about places before they open, and calling them about the places that are free.
import type { Audit } from "../accounts/audit.ts";
import type { CallingHours } from "../agents/calling-hours.ts";
import type { Agent } from "../agents/records.ts";
import { datesOn, localNow } from "../calendar/days.ts";
import { zoneOf } from "../calendar/directory-store.ts";
import type { BookingWindow } from "../calendar/records.ts";
import { windowsOf } from "../calendar/window-store.ts";
import type { Config } from "../config/schema.ts";
import type { Actor } from "../core/actor.ts";
import type { CalleePlace } from "../core/callee-zone.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import { noteOpening } from "./offer-store.ts";
import { callerOf } from "./offers.ts";
import type { WaitingEntry } from "./records.ts";
import { hoursFor, suits, waitingSettings } from "./rules.ts";
import { entryOf, listEntries } from "./store.ts";

export interface AwaitedDeps {
  db: Database;
  clock: Clock;
  config: Config;
  audit: Audit;
  wake: () => void;
}

/** A window as it is or will be. */
export type AwaitedWindow = Pick<BookingWindow, "day" | "session" | "appointment_type_id">;

/** Somebody whom the waiting list would call. */
export interface WaitingCallee {
  agentId: string;
  number: string;
  place: CalleePlace;
  source: "waiting_list";
  ownHours: CallingHours | null;
}

/** More are not counted. */
const MOST_COUNTED = 1_000;

export class AwaitedPlaces {
  constructor(private readonly deps: AwaitedDeps) {}

  /** Who would be called at once about a free place; empty if no agent can call. */
  async calleeOf(organisationId: string, id: string): Promise<WaitingCallee[]> {
    const entry = await entryOf(this.deps.db.reader, organisationId, id);
    if (!entry) throw new AppError("NOT_FOUND", "Nobody with this id is on the waiting list.");
    return this.#calleesOf([entry]);
  }

  /** People whom such windows suit, in order of turn; without windows, those of the branch that are open. */
  async peopleFor(
    organisationId: string,
    branchId: string,
    windows?: readonly AwaitedWindow[],
  ): Promise<WaitingCallee[]> {
    const { db, clock } = this.deps;
    const branch_id = branchId.toLowerCase();
    const { date: today } = localNow(clock, await zoneOf(db.reader, organisationId, branch_id));
    const open = windows ?? (await windowsOf(db.reader, organisationId, branch_id)).filter(isOpen);
    const waiting = { organisationId, branchId: branch_id, states: ["waiting"] as const, limit: MOST_COUNTED };
    const entries = await listEntries(db.reader, waiting);
    const suited = entries.filter((entry) => open.some((window) => suitsOnce(entry, { ...window, branch_id }, today)));
    return this.#calleesOf(suited);
  }

  /** Calls the people whom the free places of a branch suit, as when these places had just opened. */
  async callAll(organisationId: string, branchId: string, actor: Actor): Promise<{ windows: number }> {
    const { db, clock, audit, wake } = this.deps;
    const branch_id = branchId.toLowerCase();
    const windows = await db.write(async (tx) => {
      const open = (await windowsOf(tx, organisationId, branch_id)).filter(isOpen);
      const now = clock.now();
      for (const { id } of open)
        await noteOpening(tx, { window_id: id, date: "", organisation_id: organisationId }, now);
      const detail = { count: open.length };
      await audit.record(tx, { organisationId, actor, action: "waiting.called", subjectId: branch_id, detail });
      return open.length;
    });
    wake();
    return { windows };
  }

  async #calleesOf(entries: readonly WaitingEntry[]): Promise<WaitingCallee[]> {
    const { db, config } = this.deps;
    const settings = waitingSettings(config);
    const callers = new Map<string | null, Caller>();
    const callees: WaitingCallee[] = [];
    for (const entry of entries) {
      const agent = callers.get(entry.agent_id) ?? (await callerOf(db.reader, entry));
      callers.set(entry.agent_id, agent);
      if (!agent) continue;
      callees.push({
        agentId: agent.id,
        number: entry.contact_number,
        place: { timeZone: entry.contact_time_zone, region: entry.contact_region },
        source: "waiting_list",
        ownHours: hoursFor(agent, settings),
      });
    }
    return callees;
  }
}

type Caller = Agent | undefined;

export const createAwaitedPlaces = (deps: AwaitedDeps): AwaitedPlaces => new AwaitedPlaces(deps);

const isOpen = ({ status }: Pick<BookingWindow, "status">): boolean => status === "OPEN";

/** Whether a date of the window is among the days wanted, from today on. */
function suitsOnce(entry: WaitingEntry, window: AwaitedWindow & { branch_id: string }, today: string): boolean {
  const from = entry.from_date < today ? today : entry.from_date;
  if (entry.to_date < from) return false;
  const [date] = datesOn(window.day, { from, to: entry.to_date });
  return date !== undefined && suits(entry, window, date);
}
