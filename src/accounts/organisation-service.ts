// Organisations, the unit of tenant isolation. A new organisation is on the base plan.
import type { Config, PlanName } from "../config/schema.ts";
import { PLAN_NAMES } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import { assertUnchanged } from "../core/entity-tag.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { checkedName } from "../core/names.ts";
import type { Ids } from "../core/ids.ts";
import { isE164 } from "../core/phone.ts";
import { isTimeZone } from "../core/zones.ts";
import type { RecordingMode } from "../payloads/lawful.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Actor } from "../core/actor.ts";
import type { Audit } from "./audit.ts";
import { allOrganisations, insertOrganisation, organisationById, updateOrganisation } from "./organisation-store.ts";
import { ROLES, type Organisation } from "./records.ts";

/** Called in the same transaction when the time zone of an organisation or one of its branches changes. */
export type ZoneWatcher = (tx: Tx, organisationId: string) => Promise<void>;

/** One day; more is equivalent to never. */
const MOST_IDLE_MINUTES = 1_440;

export interface NewOrganisation {
  name: string;
  timeZone: string;
}

/** Omitted fields stay unchanged. */
export interface OrganisationChange extends Partial<NewOrganisation> {
  /** Null if patients have no number to call back. */
  callbackNumber?: string | null;
  /** How calls are recorded; null: as the appliance. */
  recordingMode?: RecordingMode | null;
}

export function createOrganisationService(deps: {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  config: Config;
  /** Services that store times of day. */
  zoneWatchers?: readonly ZoneWatcher[];
}) {
  const { db, clock, ids, audit, config, zoneWatchers = [] } = deps;

  async function createWithin(tx: Tx, { name, timeZone }: NewOrganisation, actor: Actor): Promise<Organisation> {
    const now = clock.now();
    const row: Organisation = {
      id: ids.next("org"),
      name: checkedName("name", name, 200),
      plan: "base",
      time_zone: checkedZone(timeZone),
      created_at: now,
      updated_at: now,
      unlimited_credits: false,
      credit_balance: 0,
      share_calls: false,
      share_expiry: "none",
      idle_lock_minutes: 15,
      callback_number: null,
      recording_mode: null,
      asks_before_calls: false,
      second_factor_roles: [],
    };
    await insertOrganisation(tx, row);
    await audit.record(tx, { organisationId: row.id, actor, action: "organisation.created", subjectId: row.id });
    return row;
  }

  return {
    ...signInRules(deps),
    createWithin,
    create: (input: NewOrganisation, actor: Actor) => db.write((tx) => createWithin(tx, input, actor)),
    list: () => allOrganisations(db.reader),
    limits: (plan: PlanName) => config.plans[plan],

    get: (id: string): Promise<Organisation> => mustFind(db.reader, id),

    async change(id: string, change: OrganisationChange, actor: Actor): Promise<void> {
      const values = checkedChange(change);
      await db.write(async (tx) => {
        assertUnchanged(actor, editedOf(await mustFind(tx, id)));
        await updateOrganisation(tx, id, { ...values, updated_at: clock.now() });
        const detail = change.recordingMode === undefined ? {} : { recording_mode: change.recordingMode };
        await audit.record(tx, { organisationId: id, actor, action: "organisation.changed", subjectId: id, detail });
        for (const watch of zoneWatchers) await watch(tx, id);
      });
    },

    async setPlan(id: string, plan: string, actor: Actor): Promise<void> {
      const known = PLAN_NAMES.find((name) => name === plan);
      if (!known) throw invalidField("plan", `plan must be one of ${PLAN_NAMES.join(", ")}.`);
      await db.write(async (tx) => {
        await mustFind(tx, id);
        await updateOrganisation(tx, id, { plan: known, updated_at: clock.now() });
        await audit.record(tx, {
          organisationId: id,
          actor,
          action: "organisation.plan_changed",
          subjectId: id,
          detail: { plan },
        });
      });
    },
  };
}

/** What the settings edit together. */
export const editedOf = ({ name, time_zone, callback_number, recording_mode }: Organisation) => ({
  name,
  time_zone,
  callback_number,
  recording_mode,
});

export type OrganisationService = ReturnType<typeof createOrganisationService>;

/** Rules of sign-in for the whole organisation. */
function signInRules({ db, clock, audit }: { db: Database; clock: Clock; audit: Audit }) {
  return {
    /** 0 disables the dashboard's idle lock. */
    async setIdleLock(id: string, minutes: number, actor: Actor): Promise<void> {
      if (!Number.isInteger(minutes) || minutes < 0 || minutes > MOST_IDLE_MINUTES)
        throw invalidField("idle_lock_minutes", `idle_lock_minutes must be from 0 to ${MOST_IDLE_MINUTES}.`);
      await db.write(async (tx) => {
        await updateOrganisation(tx, id, { idle_lock_minutes: minutes, updated_at: clock.now() });
        await audit.record(tx, {
          organisationId: id,
          actor,
          action: "organisation.idle_lock_changed",
          subjectId: id,
          detail: { minutes },
        });
      });
    },

    /** Roles that must have a second factor. People without one set it up at their next sign-in. */
    async setSecondFactor(id: string, roles: readonly string[], actor: Actor): Promise<void> {
      const known = ROLES.filter((role) => roles.includes(role));
      if (roles.some((role) => !ROLES.some((each) => each === role)))
        throw invalidField("roles", `roles must be from ${ROLES.join(", ")}.`);
      await db.write(async (tx) => {
        await mustFind(tx, id);
        await updateOrganisation(tx, id, { second_factor_roles: known, updated_at: clock.now() });
        await audit.record(tx, {
          organisationId: id,
          actor,
          action: "organisation.second_factor_changed",
          subjectId: id,
          detail: { roles: known },
        });
      });
    },
  };
}

async function mustFind(executor: Executor, id: string): Promise<Organisation> {
  const row = await organisationById(executor, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no organisation with this id.");
  return row;
}

const checkedChange = ({ name, timeZone, callbackNumber, recordingMode }: OrganisationChange) => ({
  ...(recordingMode !== undefined && { recording_mode: recordingMode }),
  ...(name !== undefined && { name: checkedName("name", name, 200) }),
  ...(timeZone !== undefined && { time_zone: checkedZone(timeZone) }),
  ...(callbackNumber !== undefined && { callback_number: checkedCallbackNumber(callbackNumber) }),
});

/** Accepts spaces and punctuation in typed numbers. */
function checkedCallbackNumber(typed: string | null): string | null {
  const number = (typed ?? "").replaceAll(/[\s().-]/g, "");
  if (number === "") return null;
  if (!isE164(number))
    throw invalidField(
      "callback_number",
      "callback_number must be in E.164 format, for example +912212345678. Leave it empty if there is none.",
    );
  return number;
}

function checkedZone(zone: string): string {
  if (!isTimeZone(zone)) throw invalidField("time_zone", `time_zone must be an IANA name such as "Asia/Kolkata".`);
  return zone;
}
