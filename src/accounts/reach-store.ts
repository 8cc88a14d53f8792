// Conditions of queries: which rows are within a person's reach. Every list, count and search uses them.
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Reach } from "../core/reach.ts";

type Condition = RawBuilder<SqlBool>;

const NOTHING: Condition = sql<SqlBool>`1 = 0`;

/** `table`: name or alias in the query. */
export function appointmentWithin(reach: Reach, table = "appointments"): Condition {
  if (reach.kind === "branches") return isAmong(sql.ref(`${table}.branch_id`), reach.branches);
  if (reach.kind === "no_patients") return NOTHING;
  const practitioner = sql.ref(`${table}.practitioner_id`);
  return sql<SqlBool>`(${practitioner} = ${reach.practitionerId} and ${sql.ref(`${table}.organisation_id`)} = ${reach.organisationId})`;
}

export function callWithin(reach: Reach, table = "calls"): Condition {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  if (reach.kind === "no_patients") return NOTHING;
  if (reach.kind === "branches") {
    // Calls that are older than their column: the branch was in their values, or it is the one of their agent.
    const branch = sql`coalesce(${of("branch_id")}, case when ${of("additional_info")} like '%"branch_id"%' then ''
      else (select bound.branch_id from agents as bound where bound.id = ${of("agent_id")}) end)`;
    return isAmong(branch, reach.branches);
  }
  // By the appointment's id or its call's, each with an index: all appointments of a doctor are too many for one call.
  // The expressions keep the planner off the indexes of the practitioner and the organisation.
  const theirs = (column: string, value: RawBuilder<unknown>) =>
    sql<SqlBool>`exists (select 1 from appointments as own where ${sql.ref(`own.${column}`)} = ${value}
      and own.organisation_id || '' = ${reach.organisationId} and own.practitioner_id || '' = ${reach.practitionerId})`;
  return sql<SqlBool>`(${theirs("id", of("about_appointment_id"))} or ${theirs("id", of("appointment_id"))}
    or ${theirs("call_id", of("id"))} or ${theirs("wish_call_id", of("id"))})`;
}

/** A row of a campaign: that of its newest call, else of the branch that its values name, else of the campaign. */
export function campaignRowWithin(reach: Reach): Condition {
  if (reach.kind !== "branches") return NOTHING;
  const values = sql`lower(coalesce(campaign_rows.additional_info, ''))`;
  const inside = reach.branches.map((id) => sql`${values} like ${`%"branch_id":"${id}"%`}`);
  const named = sql`(${values} not like '%"branch_id"%' or ${sql.join([NOTHING, ...inside], sql` or `)})`;
  return sql<SqlBool>`case when calls.id is null then ${named} else ${callWithin(reach)} end`;
}

/** A campaign belongs to the branch of its agent. */
export function campaignWithin(reach: Reach, table = "campaigns"): Condition {
  return agentIdWithin(reach, sql.ref(`${table}.agent_id`));
}

export function agentWithin(reach: Reach, table = "agents"): Condition {
  return ofBranches(reach, sql.ref(`${table}.branch_id`));
}

/** Waiting-list entries, windows, calendar links and reminder rules. */
export function rowWithin(reach: Reach, table: string): Condition {
  return ofBranches(reach, sql.ref(`${table}.branch_id`));
}

/** All its branches are within reach. */
export function closureWithin(reach: Reach, table = "closures"): Condition {
  if (reach.kind !== "branches") return NOTHING;
  const parts = (condition: Condition) =>
    sql`(select 1 from closure_branches as part where part.closure_id = ${sql.ref(`${table}.id`)} and ${condition})`;
  const inside = isAmong(sql.ref("part.branch_id"), reach.branches);
  return sql<SqlBool>`(exists ${parts(inside)} and not exists ${parts(sql<SqlBool>`not ${inside}`)})`;
}

/** Items about calls, appointments and campaigns; all others concern the whole organisation. */
export function itemWithin(reach: Reach, table = "worklist_items"): Condition {
  const subject = sql.ref(`${table}.subject_id`);
  return sql<SqlBool>`(exists (select 1 from calls as c where c.id = ${subject} and ${callWithin(reach, "c")})
    or exists (select 1 from appointments as a where a.id = ${subject} and ${appointmentWithin(reach, "a")})
    or exists (select 1 from campaigns as k where k.id = ${subject} and ${campaignWithin(reach, "k")}))`;
}

/** Whether a person is known by a call, an appointment or a waiting-list entry. `number`: a column of the query. */
export function numberWithin(reach: Reach, organisationId: string, number: RawBuilder<unknown>): Condition {
  const of = (table: "calls" | "appointments" | "waiting_list", condition: Condition) =>
    sql<SqlBool>`exists (select 1 from ${sql.table(table)} as known where known.organisation_id = ${organisationId}
      and known.contact_number = ${number} and ${condition})`;
  return sql<SqlBool>`(${of("calls", callWithin(reach, "known"))}
    or ${of("appointments", appointmentWithin(reach, "known"))}
    or ${of("waiting_list", rowWithin(reach, "known"))})`;
}

/** As `numberWithin`, by this name too. */
export function contactWithin(reach: Reach, organisationId: string, table = "contacts"): Condition {
  const [number, name] = [sql.ref(`${table}.contact_number`), sql.ref(`${table}.contact_name`)];
  const of = (from: "calls" | "appointments", condition: Condition) =>
    sql<SqlBool>`exists (select 1 from ${sql.table(from)} as known where known.organisation_id = ${organisationId}
      and known.contact_number = ${number} and coalesce(known.contact_name, '') = ${name} and ${condition})`;
  return sql<SqlBool>`(${of("calls", callWithin(reach, "known"))}
    or ${of("appointments", appointmentWithin(reach, "known"))})`;
}

function agentIdWithin(reach: Reach, agentId: RawBuilder<unknown>): Condition {
  if (reach.kind !== "branches") return NOTHING;
  const inside = isAmong(sql.ref("bound.branch_id"), reach.branches);
  return sql<SqlBool>`${agentId} in (select bound.id from agents as bound where ${inside})`;
}

const ofBranches = (reach: Reach, column: RawBuilder<unknown>): Condition =>
  reach.kind === "branches" ? isAmong(column, reach.branches) : NOTHING;

function isAmong(value: RawBuilder<unknown>, ids: readonly string[]): Condition {
  return ids.length === 0 ? NOTHING : sql<SqlBool>`(${value} in (${sql.join(ids)}))`;
}
