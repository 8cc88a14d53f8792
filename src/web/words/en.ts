// English texts, by page.
import { agents } from "./en/agents.ts";
import { calendar } from "./en/calendar.ts";
import { callWork } from "./en/call-work.ts";
import { calls } from "./en/calls.ts";
import { campaigns } from "./en/campaigns.ts";
import { contacts } from "./en/contacts.ts";
import { developers } from "./en/developers.ts";
import { door } from "./en/door.ts";
import { holidays } from "./en/holidays.ts";
import { modelServers } from "./en/model-servers.ts";
import { overview } from "./en/overview.ts";
import { plans } from "./en/plans.ts";
import { reminders } from "./en/reminders.ts";
import { settings } from "./en/settings.ts";
import { shared } from "./en/shared.ts";
import { today } from "./en/today.ts";
import { trunks } from "./en/trunks.ts";
import { waiting } from "./en/waiting.ts";

export const en = {
  agents,
  calendar,
  callWork,
  calls,
  campaigns,
  contacts,
  developers,
  door,
  holidays,
  modelServers,
  overview,
  plans,
  reminders,
  settings,
  shared,
  today,
  trunks,
  waiting,
};
