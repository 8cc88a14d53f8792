// English texts, by page.
import { agentPurpose } from "./en/agent-purpose.ts";
import { agentVersions } from "./en/agent-versions.ts";
import { agents } from "./en/agents.ts";
import { alarms } from "./en/alarms.ts";
import { auditLog } from "./en/audit-log.ts";
import { sharing } from "./en/sharing.ts";
import { auditActions } from "./en/audit-actions.ts";
import { calendar } from "./en/calendar.ts";
import { callQuestion } from "./en/call-question.ts";
import { calleePlace } from "./en/callee-place.ts";
import { callWork } from "./en/call-work.ts";
import { calls } from "./en/calls.ts";
import { campaigns } from "./en/campaigns.ts";
import { consentList } from "./en/consent-list.ts";
import { consents } from "./en/consents.ts";
import { contacts } from "./en/contacts.ts";
import { developers } from "./en/developers.ts";
import { dialAhead } from "./en/dial-ahead.ts";
import { door } from "./en/door.ts";
import { folders } from "./en/folders.ts";
import { holidays } from "./en/holidays.ts";
import { invitations } from "./en/invitations.ts";
import { modelServers } from "./en/model-servers.ts";
import { overview } from "./en/overview.ts";
import { plans } from "./en/plans.ts";
import { recordingMode } from "./en/recording-mode.ts";
import { proof } from "./en/proof.ts";
import { registry } from "./en/registry.ts";
import { reminders } from "./en/reminders.ts";
import { rules } from "./en/rules.ts";
import { settings } from "./en/settings.ts";
import { shared } from "./en/shared.ts";
import { signIn } from "./en/sign-in.ts";
import { sources } from "./en/sources.ts";
import { system } from "./en/system.ts";
import { today } from "./en/today.ts";
import { trunks } from "./en/trunks.ts";
import { waiting } from "./en/waiting.ts";

export const en = {
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
