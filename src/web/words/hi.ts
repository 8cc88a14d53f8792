// Hindi texts, by page. Missing pages fall back to English.
import { en } from "./en.ts";
import { agentPurpose } from "./hi/agent-purpose.ts";
import { agentVersions } from "./hi/agent-versions.ts";
import { agents } from "./hi/agents.ts";
import { alarms } from "./hi/alarms.ts";
import { auditLog } from "./hi/audit-log.ts";
import { sharing } from "./hi/sharing.ts";
import { auditActions } from "./hi/audit-actions.ts";
import { calendar } from "./hi/calendar.ts";
import { callQuestion } from "./hi/call-question.ts";
import { calleePlace } from "./hi/callee-place.ts";
import { callWork } from "./hi/call-work.ts";
import { calls } from "./hi/calls.ts";
import { campaigns } from "./hi/campaigns.ts";
import { consentList } from "./hi/consent-list.ts";
import { consents } from "./hi/consents.ts";
import { contacts } from "./hi/contacts.ts";
import { developers } from "./hi/developers.ts";
import { dialAhead } from "./hi/dial-ahead.ts";
import { door } from "./hi/door.ts";
import { folders } from "./hi/folders.ts";
import { holidays } from "./hi/holidays.ts";
import { invitations } from "./hi/invitations.ts";
import { modelServers } from "./hi/model-servers.ts";
import { overview } from "./hi/overview.ts";
import { plans } from "./hi/plans.ts";
import { recordingMode } from "./hi/recording-mode.ts";
import { proof } from "./hi/proof.ts";
import { registry } from "./hi/registry.ts";
import { reminders } from "./hi/reminders.ts";
import { rules } from "./hi/rules.ts";
import { settings } from "./hi/settings.ts";
import { shared } from "./hi/shared.ts";
import { signIn } from "./hi/sign-in.ts";
import { sources } from "./hi/sources.ts";
import { system } from "./hi/system.ts";
import { today } from "./hi/today.ts";
import { trunks } from "./hi/trunks.ts";
import { waiting } from "./hi/waiting.ts";
import type { Words } from "./translated.ts";

export const hi: Words = {
  ...en,
  agentPurpose,
  agentVersions,
  agents,
  alarms,
  auditActions,
  calendar,
  callQuestion,
  calleePlace,
  callWork,
  calls,
  campaigns,
  consentList,
  auditLog,
  sharing,
  consents,
  contacts,
  developers,
  dialAhead,
  door,
  folders,
  holidays,
  invitations,
  modelServers,
  overview,
  plans,
  recordingMode,
  proof,
  registry,
  reminders,
  rules,
  settings,
  shared,
  signIn,
  sources,
  system,
  today,
  trunks,
  waiting,
};
