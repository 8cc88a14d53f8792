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
import consents from "../../migrations/0043_consents.sql" with { type: "text" };
import purpose from "../../migrations/0044_purpose.sql" with { type: "text" };
import registryResults from "../../migrations/0045_registry_results.sql" with { type: "text" };
import saidOnCalls from "../../migrations/0046_said_on_calls.sql" with { type: "text" };
import proofs from "../../migrations/0047_proofs.sql" with { type: "text" };
import calleePlaces from "../../migrations/0048_callee_places.sql" with { type: "text" };
import ruleChanges from "../../migrations/0049_rule_changes.sql" with { type: "text" };
import retentionHolds from "../../migrations/0050_retention_holds.sql" with { type: "text" };
import recordingModes from "../../migrations/0051_recording_modes.sql" with { type: "text" };
import consentEvents from "../../migrations/0052_consent_events.sql" with { type: "text" };
import callQuestions from "../../migrations/0053_call_questions.sql" with { type: "text" };
import dialledNumbers from "../../migrations/0054_dialled_numbers.sql" with { type: "text" };
import asksConsent from "../../migrations/0055_asks_consent.sql" with { type: "text" };
import doNotDisturbChanges from "../../migrations/0056_do_not_disturb_changes.sql" with { type: "text" };
import registryOfResults from "../../migrations/0057_registry_of_results.sql" with { type: "text" };
import erasedRefusals from "../../migrations/0058_erased_refusals.sql" with { type: "text" };
import identifiers from "../../migrations/0059_identifiers.sql" with { type: "text" };
import sources from "../../migrations/0060_sources.sql" with { type: "text" };
import contactPlaces from "../../migrations/0061_contact_places.sql" with { type: "text" };
import hl7 from "../../migrations/0062_hl7.sql" with { type: "text" };
import sourceFiles from "../../migrations/0063_source_files.sql" with { type: "text" };
import fhirWrites from "../../migrations/0064_fhir_writes.sql" with { type: "text" };
import signIn from "../../migrations/0065_sign_in.sql" with { type: "text" };
import auditChain from "../../migrations/0066_audit_chain.sql" with { type: "text" };
import alarms from "../../migrations/0067_alarms.sql" with { type: "text" };
import branchesOfPeople from "../../migrations/0068_branches_of_people.sql" with { type: "text" };
import directories from "../../migrations/0069_directories.sql" with { type: "text" };
import refreshSent from "../../migrations/0072_refresh_sent.sql" with { type: "text" };
import singleShares from "../../migrations/0071_single_shares.sql" with { type: "text" };
import personKeys from "../../migrations/0070_person_keys.sql" with { type: "text" };
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
  { version: 43, name: "consents", sql: consents },
  { version: 44, name: "purpose", sql: purpose },
  { version: 45, name: "registry_results", sql: registryResults },
  { version: 46, name: "said_on_calls", sql: saidOnCalls },
  { version: 47, name: "proofs", sql: proofs },
  { version: 48, name: "callee_places", sql: calleePlaces },
  { version: 49, name: "rule_changes", sql: ruleChanges },
  { version: 50, name: "retention_holds", sql: retentionHolds },
  { version: 51, name: "recording_modes", sql: recordingModes },
  { version: 52, name: "consent_events", sql: consentEvents },
  { version: 53, name: "call_questions", sql: callQuestions },
  { version: 54, name: "dialled_numbers", sql: dialledNumbers },
  { version: 55, name: "asks_consent", sql: asksConsent },
  { version: 56, name: "do_not_disturb_changes", sql: doNotDisturbChanges },
  { version: 57, name: "registry_of_results", sql: registryOfResults },
  { version: 58, name: "erased_refusals", sql: erasedRefusals },
  { version: 59, name: "identifiers", sql: identifiers },
  { version: 60, name: "sources", sql: sources },
  { version: 61, name: "contact_places", sql: contactPlaces },
  { version: 62, name: "hl7", sql: hl7 },
  { version: 63, name: "source_files", sql: sourceFiles },
  { version: 64, name: "fhir_writes", sql: fhirWrites },
  { version: 65, name: "sign_in", sql: signIn },
  { version: 66, name: "audit_chain", sql: auditChain },
  { version: 67, name: "alarms", sql: alarms },
  { version: 68, name: "branches_of_people", sql: branchesOfPeople },
  { version: 69, name: "directories", sql: directories },
  { version: 70, name: "person_keys", sql: personKeys },
  { version: 71, name: "single_shares", sql: singleShares },
  { version: 72, name: "refresh_sent", sql: refreshSent },
];

/** The combined schema of all migrations, without rows: see scripts/schema. */
export const SCHEMA: string = schema;

/** Called before each migration of an upgrade: on a large database one may take minutes. */
export type MigrationNews = (step: { version: number; name: string; left: number }) => void;

export const migrationNews =
  (logger: Logger): MigrationNews =>
  (step) =>
    logger.info("The database schema is being upgraded.", step);

/** A schema could not be migrated, or belongs to another program. */
export class MigrationError extends DatabaseError {}

export function latestVersion(migrations: readonly Migration[] = MIGRATIONS): number {
  return migrations.at(-1)?.version ?? 0;
}
