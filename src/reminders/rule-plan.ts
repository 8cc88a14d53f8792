// Applies a new, changed or disabled rule to all upcoming appointments, in batches.
import { wallTime } from "../core/zones.ts";
import { appointmentOf } from "../calendar/appointment-store.ts";
import { branchesOf, zoneOf } from "../calendar/directory-store.ts";
import type { Tx } from "../db/tables.ts";
import { isOn, type ReminderPlanning } from "./planning.ts";
import type { PlanPlace, ReminderRule } from "./records.ts";
import { markCompared, openOfOlderRule } from "./reminder-store.ts";
import { expectedAppointments, updateRule } from "./rule-store.ts";

export const FROM_THE_START: PlanPlace = {};
/** Keeps a write command short. */
const BATCH = 100;

/** Runs one batch. Returns whether more is left for the rule. */
export async function planBatch(tx: Tx, planning: ReminderPlanning, rule: ReminderRule, now: number): Promise<boolean> {
  const { organisation_id: organisationId } = rule;
  const older = await openOfOlderRule(tx, rule.id, rule.revision, BATCH);
  for (const row of older) {
    const appointment = await appointmentOf(tx, organisationId, row.appointment_id);
    if (appointment) await planning.plan(tx, appointment, [rule]);
  }
  await markCompared(
    tx,
    older.map(({ id }) => id),
    rule.revision,
  );
  if (older.length === BATCH) return true;
  if (!isOn(rule)) return done(tx, rule);
  return walk(tx, planning, rule, now);
}

async function walk(tx: Tx, planning: ReminderPlanning, rule: ReminderRule, now: number): Promise<boolean> {
  const place = rule.plan_after ?? FROM_THE_START;
  const branches = await branchIdsOf(tx, rule);
  const branchId = place.branch ?? branches[0];
  if (branchId === undefined) return done(tx, rule);
  const { date, start_time, id } = place;
  const isOnTheWay = date !== undefined && start_time !== undefined && id !== undefined;
  const page = await expectedAppointments(tx, {
    organisationId: rule.organisation_id,
    branchId,
    appointmentTypeId: rule.appointment_type_id,
    from: wallTime(now, await zoneOf(tx, rule.organisation_id, branchId)).date,
    after: isOnTheWay ? { date, start_time, id } : undefined,
    limit: BATCH,
  });
  for (const appointment of page) await planning.plan(tx, appointment, [rule]);
  const last = page.at(-1);
  if (page.length === BATCH && last) {
    const { date, start_time, id } = last;
    await updateRule(tx, rule.id, { plan_after: { branch: branchId, date, start_time, id } });
    return true;
  }
  const next = branches[branches.indexOf(branchId) + 1];
  if (next === undefined) return done(tx, rule);
  await updateRule(tx, rule.id, { plan_after: { branch: next } });
  return true;
}

async function branchIdsOf(tx: Tx, rule: ReminderRule): Promise<string[]> {
  if (rule.branch_id !== null) return [rule.branch_id];
  return (await branchesOf(tx, rule.organisation_id)).map(({ id }) => id);
}

async function done(tx: Tx, rule: ReminderRule): Promise<false> {
  await updateRule(tx, rule.id, { plan_after: null });
  return false;
}
