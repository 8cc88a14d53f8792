// Hindi texts, by page. Missing pages fall back to English.
import { en } from "./en.ts";
import { agents } from "./hi/agents.ts";
import { calendar } from "./hi/calendar.ts";
import { callWork } from "./hi/call-work.ts";
import { calls } from "./hi/calls.ts";
import { campaigns } from "./hi/campaigns.ts";
import { contacts } from "./hi/contacts.ts";
import { developers } from "./hi/developers.ts";
import { door } from "./hi/door.ts";
import { holidays } from "./hi/holidays.ts";
import { modelServers } from "./hi/model-servers.ts";
import { overview } from "./hi/overview.ts";
import { plans } from "./hi/plans.ts";
import { reminders } from "./hi/reminders.ts";
import { settings } from "./hi/settings.ts";
import { shared } from "./hi/shared.ts";
import { today } from "./hi/today.ts";
import { trunks } from "./hi/trunks.ts";
import { waiting } from "./hi/waiting.ts";
import type { Words } from "./translated.ts";

export const hi: Words = {
  ...en,
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
