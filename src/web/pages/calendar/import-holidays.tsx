// Holiday import from a calendar file: read, review, and close the selected days.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { readHolidays, type FoundHolidays } from "./read-holidays.ts";
import { CheckBox, FileField } from "../../kit/field.tsx";
import { Button, Problem } from "../../kit/parts.tsx";
import { useCalendar } from "./calendar-context.ts";
import { formatLongDay } from "./week-dates.ts";
import { holidayWords, planWords } from "./words.ts";

const keyOf = ({ from, name }: FoundHolidays["holidays"][number]) => `${from} ${name}`;
/** Limit of ranges closed in one request. */
const MOST_CHOSEN = 60;

export function ImportHolidays() {
  const { open } = useCalendar();
  const submission = useAction();
  const [found, setFound] = useState<FoundHolidays | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const read = (file: File | null) => {
    if (!file) return;
    void submission.run(async () => {
      const answer = await readHolidays(file);
      setFound(answer);
      setChosen(new Set(answer.holidays.slice(0, MOST_CHOSEN).map(keyOf)));
    });
  };
  const ranges = (found?.holidays ?? []).filter((holiday) => chosen.has(keyOf(holiday)));
  const toggle = (key: string, isIn: boolean) => {
    const next = new Set(chosen);
    if (isIn) next.add(key);
    else next.delete(key);
    setChosen(next);
  };
  return (
    <div class="cal-question">
      <Problem text={submission.error} />
      <FileField label={planWords.file} hint={planWords.fileHint} accept=".ics,text/calendar" onFile={read} />
      {found && found.holidays.length === 0 && <p>{planWords.noHolidays}</p>}
      {found && found.unread > 0 && <p class="note">{planWords.unread(found.unread)}</p>}
      {found && found.holidays.length > 0 && (
        <>
          <ul class="cal-closed-people" aria-label={holidayWords.tabHolidays}>
            {found.holidays.map((holiday) => (
              <li key={keyOf(holiday)}>
                <CheckBox
                  label={[
                    holiday.from === holiday.to
                      ? formatLongDay(holiday.from)
                      : holidayWords.fromTo(formatLongDay(holiday.from), formatLongDay(holiday.to)),
                    holiday.from.slice(0, 4),
                    ...(holiday.name === "" ? [] : [`· ${holiday.name}`]),
                  ].join(" ")}
                  checked={chosen.has(keyOf(holiday))}
                  onChecked={(isIn) => toggle(keyOf(holiday), isIn)}
                />
              </li>
            ))}
          </ul>
          {ranges.length > MOST_CHOSEN && <p class="note">{planWords.mostAtOnce(MOST_CHOSEN)}</p>}
          <div class="actions">
            <Button
              kind="primary"
              disabled={ranges.length === 0 || ranges.length > MOST_CHOSEN}
              onClick={() => open({ kind: "close-days", ranges, windowId: null, isFixed: true })}
              label={planWords.goOnWith(ranges.length)}
            />
          </div>
        </>
      )}
    </div>
  );
}
