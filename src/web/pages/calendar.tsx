// Week view of a branch: windows with their occupancy, and the appointments of a day. Its texts are in
// calendar/words.ts.
import { useEffect, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { SelectField } from "../kit/field.tsx";
import { Button, LinkButton, PageHead, Shown } from "../kit/parts.tsx";
import { sayDone } from "../said.ts";
import { useChanges, useLoaded } from "../data.ts";
import { addDays, todayIn } from "../format.ts";
import { useMay } from "../session.tsx";
import {
  branchOptions,
  CalendarContext,
  type Calendar,
  type Directory,
  type Task,
  useCalendar,
} from "./calendar/calendar-context.ts";
import { CalendarTabs } from "./calendar/calendar-tabs.tsx";
import { DayList } from "./calendar/day-list.tsx";
import { DayPanel } from "./calendar/day-panel.tsx";
import { Holidays } from "./calendar/holidays.tsx";
import { calendarLink } from "./calendar/links.ts";
import { loadDay, loadDirectory, loadWeek, type Week } from "./calendar/loading.ts";
import { RemindersTab } from "./calendar/reminders/reminders-tab.tsx";
import { BranchForm } from "./calendar/directory-dialog.tsx";
import { TaskDialog } from "./calendar/task-dialog.tsx";
import { datesOfWeek, formatWeek, isDate, timeIn, weekdayOf, weekOf } from "./calendar/week-dates.ts";
import { WeekGrid } from "./calendar/week-grid.tsx";
import { words } from "./calendar/words.ts";
import { WaitingTab } from "./waiting/waiting-tab.tsx";

export function CalendarPage() {
  const directory = useLoaded(loadDirectory, []);
  const { tab } = useRoute().params;
  if (directory.data !== null && tab === "waiting") return <WaitingTab directory={directory.data} />;
  if (directory.data !== null && tab === "reminders")
    return (
      <>
        <PageHead title={words.title} />
        <CalendarTabs />
        <RemindersTab directory={directory.data} />
      </>
    );
  if (directory.data !== null && directory.data.branches.length > 0)
    return <BranchCalendar directory={directory.data} reloadDirectory={directory.reload} />;
  return (
    <>
      <PageHead title={words.title} />
      <Shown from={directory} as="cards">
        {(data) => <FirstBranch directory={data} onAdded={directory.reload} />}
      </Shown>
    </>
  );
}

function FirstBranch({ directory, onAdded }: { directory: Directory; onAdded: () => void }) {
  const may = useMay("staff");
  const added = () => {
    sayDone(words.branchAdded);
    onAdded();
  };
  return (
    <section class="card cal-first">
      <h2>{words.firstTitle}</h2>
      <p class="note">{words.firstNote}</p>
      {may && <BranchForm branch={null} hospitalZone={directory.time_zone} submit={words.addBranch} onSaved={added} />}
    </section>
  );
}

/** Updates every minute, so that "today" and past windows stay correct on a page that is open all day. */
function useWallClock(zone: string): { today: string; time: string } {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((turn) => turn + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
  return { today: todayIn(zone), time: timeIn(zone) };
}

function BranchCalendar({ directory, reloadDirectory }: { directory: Directory; reloadDirectory: () => void }) {
  const { query } = useLocation();
  const { tab } = useRoute().params;
  const may = useMay("staff");
  const [task, setTask] = useState<Task | null>(null);
  const [round, setRound] = useState(0);
  const asked = query["branch"]?.toLowerCase();
  const branch = directory.branches.find(({ branch_id }) => branch_id === asked) ?? directory.branches[0];
  const { today, time } = useWallClock(branch?.time_zone ?? directory.time_zone);
  const askedDay = isDate(query["day"]) ? query["day"] : null;
  const monday = weekOf(askedDay ?? (isDate(query["week"]) ? query["week"] : today));
  const day = askedDay ?? (datesOfWeek(monday).includes(today) ? today : monday);
  const branchId = branch?.branch_id ?? "";
  const week = useLoaded(() => loadWeek(branchId, monday), [branchId, monday]);
  const appointments = useLoaded(() => loadDay(branchId, day), [branchId, day]);
  const reload = () => {
    week.reload();
    appointments.reload();
  };
  useChanges("appointment", reload);
  useChanges("window", week.reload);

  if (!branch) return null;
  const calendar: Calendar = {
    directory,
    branch,
    today,
    time,
    may,
    open: setTask,
    finish: (done) => {
      setTask(null);
      sayDone(done);
      setRound((before) => before + 1);
      reload();
    },
    reloadDirectory,
  };
  if (tab === "holidays")
    return (
      <CalendarContext.Provider value={calendar}>
        <Holidays round={round} />
        <TaskDialog task={task} onClose={() => setTask(null)} />
      </CalendarContext.Provider>
    );
  if (query["list"] === "1")
    return (
      <CalendarContext.Provider value={calendar}>
        <DayList date={day} />
      </CalendarContext.Provider>
    );
  return (
    <CalendarContext.Provider value={calendar}>
      <Head day={day} />
      <CalendarTabs />
      <div class={`cal-frame ${askedDay === null ? "" : "has-day"}`}>
        <Toolbar monday={monday} />
        <Shown from={week} as="week">
          {(shown) => (
            <>
              <ShownWeek week={shown} isStale={shown.monday !== monday || shown.branchId !== branchId} day={day} />
              <DayPanel
                key={branchId}
                date={day}
                slots={shown.branchId === branchId ? shown.slots.filter(({ date }) => date === day) : []}
                windows={shown.windows}
                appointments={appointments}
                chosenWindow={query["window"] ?? null}
                isAsked={askedDay !== null}
              />
            </>
          )}
        </Shown>
      </div>
      <TaskDialog task={task} onClose={() => setTask(null)} />
    </CalendarContext.Provider>
  );
}

function Head({ day }: { day: string }) {
  const { branch, may, open, today } = useCalendar();
  const from = day < today ? today : day;
  return (
    <PageHead
      title={words.title}
      note={words.zone(branch.time_zone)}
      actions={
        may && (
          <>
            <Button onClick={() => open({ kind: "directory" })} label={words.names} />
            <Button onClick={() => open({ kind: "new-window", day: weekdayOf(day) })} label={words.newWindow} />
            <Button
              kind="primary"
              onClick={() => open({ kind: "new-appointment", slot: null, from })}
              label={words.newAppointment}
            />
          </>
        )
      }
    />
  );
}

function Toolbar({ monday }: { monday: string }) {
  const { directory, branch, today, may, open } = useCalendar();
  const { route } = useLocation();
  const week = (to: string) => calendarLink({ branch: branch.branch_id, week: to });
  return (
    <div class="cal-toolbar">
      <SelectField
        label={words.branch}
        value={branch.branch_id}
        onValue={(id) => route(calendarLink({ branch: id, week: monday }))}
        options={branchOptions(directory.branches)}
      />
      {branch.name === null && may && <Button onClick={() => open({ kind: "directory" })} label={words.nameIt} />}
      <nav class="cal-weeks" aria-label={words.week}>
        <LinkButton href={week(addDays(monday, -7))} aria-label={words.previousWeek} label="‹" />
        <LinkButton
          href={week(weekOf(today))}
          aria-current={monday === weekOf(today) ? "date" : undefined}
          label={words.thisWeek}
        />
        <LinkButton href={week(addDays(monday, 7))} aria-label={words.nextWeek} label="›" />
      </nav>
      <strong class="cal-range" aria-live="polite">
        {formatWeek(monday)}
      </strong>
    </div>
  );
}

function ShownWeek({ week, isStale, day }: { week: Week; isStale: boolean; day: string }) {
  const { may, open } = useCalendar();
  if (week.windows.length === 0 && week.slots.length === 0) {
    return (
      <div class="card cal-overview">
        <div class="empty">
          {words.noWindowsAtAll}
          {may && (
            <Button
              kind="primary"
              onClick={() => open({ kind: "new-window", day: "monday" })}
              label={words.newWindow}
            />
          )}
        </div>
      </div>
    );
  }
  return (
    <div class="cal-overview">
      <WeekGrid monday={week.monday} slots={week.slots} chosenDay={day} isStale={isStale} />
      <p class="note">{words.legend}</p>
    </div>
  );
}
