// Closed days: upcoming ones with their progress, and reopening.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { CheckBox } from "../../kit/field.tsx";
import { Badge, Button, Card, PageHead, Problem, Shown } from "../../kit/parts.tsx";
import { useChanges, useLoaded } from "../../data.ts";
import { branchName, nameOf, useCalendar, type Task } from "./calendar-context.ts";
import { CalendarTabs } from "./calendar-tabs.tsx";
import { Feeds } from "./feeds.tsx";
import { calendarLink } from "./links.ts";
import { formatLongDay, formatSlot, weekOf } from "./week-dates.ts";
import { closureStates, holidayWords, planWords, words } from "./words.ts";

export type Closure = Awaited<ReturnType<typeof loadClosures>>[number];

const loadClosures = () => call(api.calendar.closures.get());

export function Holidays({ round }: { round: number }) {
  const { directory, may, open, today } = useCalendar();
  const closures = useLoaded(loadClosures, [round]);
  useChanges("window", closures.reload);
  const closeDays: Task = {
    kind: "close-days",
    ranges: [{ from: today, to: today, name: "" }],
    windowId: null,
    isFixed: false,
  };
  return (
    <>
      <PageHead
        title={words.title}
        note={holidayWords.note}
        actions={
          may && (
            <>
              {directory.branches.length > 1 && (
                <Button onClick={() => open({ kind: "copy-plan" })} label={planWords.copyPlan} />
              )}
              <Button onClick={() => open({ kind: "import-holidays" })} label={planWords.importHolidays} />
              <Button kind="primary" onClick={() => open(closeDays)} label={holidayWords.closeDays} />
            </>
          )
        }
      />
      <CalendarTabs />
      <Card>
        <Shown from={closures} isEmpty={(rows) => rows.length === 0} empty={holidayWords.noClosures}>
          {(rows) => (
            <ul class="cal-closures">
              {rows.map((closure) => (
                <ClosureRow key={closure.closure_id} closure={closure} onReopened={closures.reload} />
              ))}
            </ul>
          )}
        </Shown>
      </Card>
      <Feeds />
    </>
  );
}

function ClosureRow({ closure, onReopened }: { closure: Closure; onReopened: () => void }) {
  const { directory, may } = useCalendar();
  const [isAsked, setIsAsked] = useState(false);
  const { from, to, name, state, people, branch_ids } = closure;
  const days = from === to ? formatLongDay(from) : holidayWords.fromTo(formatLongDay(from), formatLongDay(to));
  const where = directory.branches.filter(({ branch_id }) => branch_ids.includes(branch_id)).map(branchName);
  const happened = [
    ...(people.moved > 0 ? [holidayWords.movedCount(people.moved)] : []),
    ...(people.called > 0 ? [holidayWords.calledCount(people.called)] : []),
    ...(people.left > 0 ? [holidayWords.leftCount(people.left)] : []),
    ...(people.waiting > 0 ? [holidayWords.waitingCount(people.waiting)] : []),
  ];
  const isOpen = state === "reopening" || state === "reopened";
  return (
    <li>
      <div class="cal-closure">
        <strong>{days}</strong> {name !== null && <span>{name}</span>}{" "}
        <Badge
          state={isOpen ? "cancelled" : state === "closed" ? "completed" : "held"}
          text={closureStates[state] ?? state}
        />
        <p class="note">{[where.join(", "), ...happened].join(" · ")}</p>
        {!isOpen && people.refused > 0 && <NeedsYou closure={closure} />}
        {closure.campaign_id !== null && (
          <a href={`/dashboard/campaigns/${closure.campaign_id}`}>{holidayWords.toCalls}</a>
        )}
      </div>
      {may && !isOpen && !isAsked && (
        <Button
          aria-label={words.actionFor(holidayWords.reopen, days)}
          onClick={() => setIsAsked(true)}
          label={holidayWords.reopen}
        />
      )}
      {isAsked && !isOpen && <Reopen closure={closure} onDone={onReopened} onKeep={() => setIsAsked(false)} />}
    </li>
  );
}

function Reopen({ closure, onDone, onKeep }: { closure: Closure; onDone: () => void; onKeep: () => void }) {
  const { finish } = useCalendar();
  const [keepsCalling, setKeepsCalling] = useState(false);
  const submission = useAction();
  const target = api.calendar.closures({ id: closure.closure_id });
  const reopen = async () => {
    if (!(await submission.run(() => call(target.reopen.post({ keeps_calling: keepsCalling }))))) return;
    finish(holidayWords.reopened);
    onDone();
  };
  return (
    <div class="notice" role="group" aria-label={holidayWords.reopenTitle}>
      <strong>{holidayWords.reopenTitle}</strong>
      <p>{holidayWords.reopenNote}</p>
      {closure.campaign_id !== null && (
        <>
          <p>{holidayWords.callsStop}</p>
          <CheckBox label={holidayWords.keepCalling} checked={keepsCalling} onChecked={setKeepsCalling} />
        </>
      )}
      <Problem text={submission.error} />
      <div class="actions">
        <Button onClick={onKeep} label={holidayWords.keepClosed} />
        <Button kind="primary" busy={submission.busy} onClick={reopen} label={holidayWords.reopen} />
      </div>
    </div>
  );
}

/** People who could be neither moved nor called are still booked on a closed day. */
function NeedsYou({ closure }: { closure: Closure }) {
  const [isShown, setIsShown] = useState(false);
  const people = useLoaded(
    async () => (isShown ? call(api.calendar.closures({ id: closure.closure_id }).refused.get()) : []),
    [isShown, closure.closure_id],
  );
  return (
    <div class="notice warn">
      <strong>{holidayWords.needsYou(closure.people.refused)}</strong>
      <p>{holidayWords.needsYouNote}</p>
      {!isShown && <Button onClick={() => setIsShown(true)} label={holidayWords.whoNeeds} />}
      {isShown && (
        <Shown from={people}>
          {(rows) => (
            <ul>
              {rows.map((each) => (
                <li key={each.appointment_id}>
                  <a href={calendarLink({ branch: each.branch_id, week: weekOf(each.date), day: each.date })}>
                    {nameOf(each)}
                  </a>{" "}
                  {formatSlot(each)}
                </li>
              ))}
            </ul>
          )}
        </Shown>
      )}
    </div>
  );
}
