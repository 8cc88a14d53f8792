// Override of a window on one date, and its removal.
import type { Slot } from "../../../payloads/slot.ts";
import { api, call } from "../../client.ts";
import { NumberField, SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button } from "../../kit/parts.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useCalendar, type WindowOnDate } from "./calendar-context.ts";
import { formatSlot } from "./week-dates.ts";
import { holidayWords, words } from "./words.ts";

export function DateForm({ slot, window }: { slot: WindowOnDate; window: Slot }) {
  const { finish } = useCalendar();
  const differing = (here: number, own: number) => (here === own ? "" : String(here));
  const form = useForm(
    {
      max_slots: differing(slot.max_slots, window.max_slots),
      ai_slots: differing(slot.ai_slots, window.ai_slots),
      status: slot.status === window.status ? "" : (slot.status as string),
    },
    ["max_slots", "ai_slots", "status"],
  );
  const { status } = form.values;
  const target = api.calendar.tracking({ slot_id: slot.slot_id });

  const save = async () => {
    const number = (text: string) => (text === "" ? null : Number(text));
    const body = {
      max_slots: number(form.values.max_slots),
      ai_slots: number(form.values.ai_slots),
      status: status === "" ? null : (status as Slot["status"]),
    };
    if (await form.run(() => call(target.patch(body)))) finish(words.dateChanged);
  };
  const reset = async () => {
    const body = { max_slots: null, ai_slots: null, status: null };
    if (await form.run(() => call(target.patch(body)))) finish(words.dateReset);
  };

  const closes = (slot.filled_slots ?? 0) > 0 && slot.status === "OPEN" && (status || window.status) === "CLOSED";
  const own = window.status === "OPEN" ? words.open : words.closed;
  return (
    <Form
      submission={form}
      submit={words.saveDate}
      onSubmit={save}
      more={slot.overridden && <Button busy={form.busy} onClick={reset} label={words.resetDate} />}
    >
      <p class="wide">
        <strong>{formatSlot(slot)}</strong> <span class="note">{words.dateIntro}</span>
      </p>
      <NumberField label={words.maxSlots} hint={words.asWindow(window.max_slots)} min={0} {...form.at("max_slots")} />
      <NumberField label={words.aiSlots} hint={words.asWindow(window.ai_slots)} min={0} {...form.at("ai_slots")} />
      <SelectField
        label={words.status}
        {...form.at("status")}
        options={[
          ["", words.asWindowOption(own)],
          ["OPEN", words.open],
          ["CLOSED", words.closed],
        ]}
      />
      {closes && <BookedHere slot={slot} />}
    </Form>
  );
}

/** Closing a date keeps its bookings. This note says so, and links to the decision for each. */
function BookedHere({ slot }: { slot: WindowOnDate }) {
  const { open } = useCalendar();
  const range = { from: slot.date, to: slot.date, name: "" };
  return (
    <div class="wide notice warn" role="status">
      <p>{holidayWords.closesOn(slot.filled_slots ?? 0)}</p>
      <Button
        onClick={() => open({ kind: "close-days", ranges: [range], windowId: slot.calendar_id, isFixed: false })}
        label={holidayWords.decideForThem}
      />
    </div>
  );
}
