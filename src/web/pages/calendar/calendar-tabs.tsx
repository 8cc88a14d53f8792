// The parts of the calendar, each with an address of its own.
import { useLocation } from "preact-iso";
import { TabRow } from "../../kit/tab-row.tsx";
import { words as reminderWords } from "./reminders/words.ts";
import { said } from "../../words.ts";
import { holidayWords } from "./words.ts";

const TABS = [
  ["/dashboard/calendar", holidayWords.tabWeek],
  ["/dashboard/calendar/reminders", reminderWords.tab],
  ["/dashboard/calendar/waiting", said.waiting.tab],
  ["/dashboard/calendar/holidays", holidayWords.tabHolidays],
] as const;

export function CalendarTabs() {
  const { path } = useLocation();
  const here = path.replace(/\/$/, "");
  return (
    <TabRow label={holidayWords.tabs} here={here}>
      {TABS.map(([page, text]) => (
        <a key={page} href={page} aria-current={here === page ? "page" : undefined}>
          {text}
        </a>
      ))}
    </TabRow>
  );
}
