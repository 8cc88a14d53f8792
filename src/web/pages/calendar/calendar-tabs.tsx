// Tabs of the calendar, each with its own address.
import { useLocation } from "preact-iso";
import { TabRow } from "../../kit/tab-row.tsx";
import { said } from "../../words.ts";
import { pathOf, tabsOf, type TabName } from "../../pages.ts";
import { words as reminderWords } from "./reminders/words.ts";
import { holidayWords } from "./words.ts";

const NAMES: Record<TabName<"calendar">, string> = {
  week: holidayWords.tabWeek,
  reminders: reminderWords.tab,
  waiting: said.waiting.tab,
  holidays: holidayWords.tabHolidays,
};

export function CalendarTabs() {
  const here = useLocation().path.replace(/\/$/, "");
  // The calendar opens with the week.
  const tabs = tabsOf("calendar").map(({ name, path }) => ({
    path: name === "week" ? pathOf("calendar") : path,
    text: NAMES[name],
  }));
  return <TabRow label={holidayWords.tabs} here={here} tabs={tabs} />;
}
