// The numbered migrations, embedded as text. Append-only: a released migration is never edited.
import type { Logger } from "../core/logger.ts";
import { DatabaseError } from "./open-fault.ts";
import accounts from "../../migrations/0001_accounts.sql" with { type: "text" };
import calls from "../../migrations/0002_calls.sql" with { type: "text" };
import events from "../../migrations/0003_events.sql" with { type: "text" };
import calendar from "../../migrations/0004_calendar.sql" with { type: "text" };
import dashboard from "../../migrations/0005_dashboard.sql" with { type: "text" };
import telephony from "../../migrations/0006_telephony.sql" with { type: "text" };
import changes from "../../migrations/0007_changes.sql" with { type: "text" };
import knownDevices from "../../migrations/0008_known_devices.sql" with { type: "text" };
import deliveryOrder from "../../migrations/0009_delivery_order.sql" with { type: "text" };
import appointmentRetention from "../../migrations/0010_appointment_retention.sql" with { type: "text" };
import deliveryCounts from "../../migrations/0011_delivery_counts.sql" with { type: "text" };
import symmetricRtp from "../../migrations/0012_symmetric_rtp.sql" with { type: "text" };
import trunkIdentity from "../../migrations/0013_trunk_identity.sql" with { type: "text" };
import callLegs from "../../migrations/0014_call_legs.sql" with { type: "text" };
import trunkSrtp from "../../migrations/0015_trunk_srtp.sql" with { type: "text" };
import trunkCodecs from "../../migrations/0016_trunk_codecs.sql" with { type: "text" };
import pronunciations from "../../migrations/0017_pronunciations.sql" with { type: "text" };
import turnTimes from "../../migrations/0018_turn_times.sql" with { type: "text" };
import modelServers from "../../migrations/0019_model_servers.sql" with { type: "text" };
import agentVersions from "../../migrations/0020_agent_versions.sql" with { type: "text" };
import campaigns from "../../migrations/0021_campaigns.sql" with { type: "text" };
import reminders from "../../migrations/0022_reminders.sql" with { type: "text" };
import waitingList from "../../migrations/0023_waiting_list.sql" with { type: "text" };
import worklistAndPeople from "../../migrations/0024_worklist_and_people.sql" with { type: "text" };
import holidaysAndPlans from "../../migrations/0025_holidays_and_plans.sql" with { type: "text" };
import walk from "../../migrations/0026_walk.sql" with { type: "text" };
import listsAndPeople from "../../migrations/0027_lists_and_people.sql" with { type: "text" };
import demo from "../../migrations/0028_demo.sql" with { type: "text" };
import deliveryRetries from "../../migrations/0029_delivery_retries.sql" with { type: "text" };
import newCalls from "../../migrations/0030_new_calls.sql" with { type: "text" };
import modelSpeech from "../../migrations/0031_model_speech.sql" with { type: "text" };
import erasedSubjects from "../../migrations/0032_erased_subjects.sql" with { type: "text" };
import fileRemovals from "../../migrations/0033_file_removals.sql" with { type: "text" };
import callbackNumber from "../../migrations/0034_callback_number.sql" with { type: "text" };
import heldCalls from "../../migrations/0035_held_calls.sql" with { type: "text" };
import analysisSource from "../../migrations/0036_analysis_source.sql" with { type: "text" };
import auditFilters from "../../migrations/0037_audit_filters.sql" with { type: "text" };
import contacts from "../../migrations/0038_contacts.sql" with { type: "text" };
import readiness from "../../migrations/0039_readiness.sql" with { type: "text" };
import openAnnouncements from "../../migrations/0040_open_announcements.sql" with { type: "text" };
import auditBatches from "../../migrations/0041_audit_batches.sql" with { type: "text" };
import shortNames from "../../migrations/0042_short_names.sql" with { type: "text" };
import schema from "../../migrations/schema.sql" with { type: "text" };

export interface Migration {
  /** Counts from 1 without gaps; stored in the database as `user_version`. */
  version: number;
  name: string;
  sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "accounts", sql: accounts },
  { version: 2, name: "calls", sql: calls },
  { version: 3, name: "events", sql: events },
  { version: 4, name: "calendar", sql: calendar },
  { version: 5, name: "dashboard", sql: dashboard },
  { version: 6, name: "telephony", sql: telephony },
  { version: 7, name: "changes", sql: changes },
  { version: 8, name: "known_devices", sql: knownDevices },
  { version: 9, name: "delivery_order", sql: deliveryOrder },
  { version: 10, name: "appointment_retention", sql: appointmentRetention },
  { version: 11, name: "delivery_counts", sql: deliveryCounts },
  { version: 12, name: "symmetric_rtp", sql: symmetricRtp },
  { version: 13, name: "trunk_identity", sql: trunkIdentity },
  { version: 14, name: "call_legs", sql: callLegs },
  { version: 15, name: "trunk_srtp", sql: trunkSrtp },
  { version: 16, name: "trunk_codecs", sql: trunkCodecs },
  { version: 17, name: "pronunciations", sql: pronunciations },
  { version: 18, name: "turn_times", sql: turnTimes },
  { version: 19, name: "model_servers", sql: modelServers },
  { version: 20, name: "agent_versions", sql: agentVersions },
  { version: 21, name: "campaigns", sql: campaigns },
  { version: 22, name: "reminders", sql: reminders },
  { version: 23, name: "waiting_list", sql: waitingList },
  { version: 24, name: "worklist_and_people", sql: worklistAndPeople },
  { version: 25, name: "holidays_and_plans", sql: holidaysAndPlans },
  { version: 26, name: "walk", sql: walk },
  { version: 27, name: "lists_and_people", sql: listsAndPeople },
  { version: 28, name: "demo", sql: demo },
  { version: 29, name: "delivery_retries", sql: deliveryRetries },
  { version: 30, name: "new_calls", sql: newCalls },
  { version: 31, name: "model_speech", sql: modelSpeech },
  { version: 32, name: "erased_subjects", sql: erasedSubjects },
  { version: 33, name: "file_removals", sql: fileRemovals },
  { version: 34, name: "callback_number", sql: callbackNumber },
  { version: 35, name: "held_calls", sql: heldCalls },
  { version: 36, name: "analysis_source", sql: analysisSource },
  { version: 37, name: "audit_filters", sql: auditFilters },
  { version: 38, name: "contacts", sql: contacts },
  { version: 39, name: "readiness", sql: readiness },
  { version: 40, name: "open_announcements", sql: openAnnouncements },
  { version: 41, name: "audit_batches", sql: auditBatches },
  { version: 42, name: "short_names", sql: shortNames },
];

/** The combined schema of all migrations, without rows: see scripts/schema. */
export const SCHEMA: string = schema;

/** Called before each migration of an upgrade: on a large database one may take minutes. */
export type MigrationNews = (step: { version: number; name: string; left: number }) => void;

export const migrationNews =
  (logger: Logger): MigrationNews =>
  (step) =>
    logger.info("The database schema is being brought up to date.", step);

/** A schema could not be migrated, or belongs to another program. */
export class MigrationError extends DatabaseError {}

export function latestVersion(migrations: readonly Migration[] = MIGRATIONS): number {
  return migrations.at(-1)?.version ?? 0;
}
