// Disabling and enabling a weekly window. The dialog first counts the people still booked, and asks whether to move,
// call or keep them. Nothing is deleted.
import type { Slot } from "../../../payloads/slot.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button } from "../../kit/parts.tsx";
import { addDays } from "../../format.ts";
import { useCalendar, type ClosedRange } from "./calendar-context.ts";
import { holidayWords, words } from "./words.ts";

export interface StillBooked {
  people: number;
  last_date: string | null;
}

/** Longest range that can be closed at once. */
const MOST_DAYS = 92;

export function WindowSwitch({ window, onBooked }: { window: Slot; onBooked: (booked: StillBooked) => void }) {
  const { finish } = useCalendar();
  const submission = useAction();
  const target = api.calendar.windows({ slot_id: window.slot_id });
  const isOpen = window.status === "OPEN";
  const disable = async () => {
    const booked = await call(target.booked.get());
    if (booked.people > 0) {
      onBooked(booked);
      return;
    }
    await call(target.disable.post());
    finish(words.windowDisabled);
  };
  const enable = async () => {
    await call(target.patch({ status: "OPEN" }));
    finish(words.windowEnabled);
  };
  return (
    <>
      <Button
        kind={isOpen ? "danger" : "plain"}
        busy={submission.busy}
        onClick={() => void submission.run(isOpen ? disable : enable)}
        label={isOpen ? words.disable : words.enable}
      />
      {submission.error !== null && (
        <p class="note cal-fault" role="alert">
          {submission.error}
        </p>
      )}
    </>
  );
}

export function DecideForBooked({ window, booked }: { window: Slot; booked: StillBooked }) {
  const { finish, open, today } = useCalendar();
  const submission = useAction();
  const keep = () =>
    submission.run(async () => {
      await call(api.calendar.windows({ slot_id: window.slot_id }).disable.post());
      finish(words.windowDisabled);
    });
  const ranges = rangesUntil(today, booked.last_date ?? today);
  const decide = () =>
    open({ kind: "close-days", ranges, windowId: window.calendar_id, isFixed: true, disablesWindow: true });
  return (
    <div class="wide notice warn" role="status">
      <p>{holidayWords.stillBooked(booked.people)}</p>
      {submission.error !== null && <p role="alert">{submission.error}</p>}
      <div class="actions">
        <Button busy={submission.busy} onClick={keep} label={holidayWords.disableAndLeave} />
        <Button kind="primary" onClick={decide} label={holidayWords.decideForThem} />
      </div>
    </div>
  );
}

function rangesUntil(from: string, last: string): ClosedRange[] {
  const to = addDays(from, MOST_DAYS - 1);
  if (to >= last) return [{ from, to: last, name: "" }];
  return [{ from, to, name: "" }, ...rangesUntil(addDays(to, 1), last)];
}
