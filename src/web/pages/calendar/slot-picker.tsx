// Picker for free slots, four weeks at a time.
import { useId, useState } from "preact/hooks";
import type { DatedSlot } from "../../../calendar/model.ts";
import { api, call } from "../../client.ts";
import { SelectField } from "../../kit/field.tsx";
import { Button, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { addDays } from "../../format.ts";
import { branchOptions, serviceName, useCalendar } from "./calendar-context.ts";
import { formatDayAndMonth, formatHours, formatLongDay } from "./week-dates.ts";
import { sessionName, words } from "./words.ts";

const DAYS_SHOWN = 28;

interface SlotPickerProps {
  from: string;
  /** Only windows with this service. */
  serviceId?: string | null;
  /** The appointment's own slot, which is not offered. */
  except?: string | null;
  chosen: DatedSlot | null;
  onChoose: (slot: DatedSlot | null) => void;
  /** Incremented when a slot turned out to be taken, to reload the list. */
  round: number;
}

export function SlotPicker({ from: firstFrom, serviceId = null, except, chosen, onChoose, round }: SlotPickerProps) {
  const { directory, branch, today } = useCalendar();
  const [branchId, setBranchId] = useState(branch.branch_id);
  const [from, setFrom] = useState(firstFrom < today ? today : firstFrom);
  const group = useId();
  const to = addDays(from, DAYS_SHOWN - 1);
  const open = useLoaded(async () => {
    const query = { branch_id: branchId, from, to, ...(serviceId === null ? {} : { appointment_type_id: serviceId }) };
    return call(api.calendar.availability.get({ query }));
  }, [branchId, from, serviceId, round]);
  const show = (date: string) => {
    onChoose(null);
    setFrom(date < today ? today : date);
  };

  return (
    <div class="cal-picker">
      {directory.branches.length > 1 && (
        <SelectField
          label={words.branch}
          value={branchId}
          onValue={(id) => {
            onChoose(null);
            setBranchId(id);
          }}
          options={branchOptions(directory.branches)}
        />
      )}
      <div class="cal-picker-head">
        <span class="label">{words.chooseSlot}</span>
        <span class="note">{words.placesFrom(formatDayAndMonth(from), formatDayAndMonth(to))}</span>
        <div class="actions">
          <Button
            disabled={from <= today}
            onClick={() => show(addDays(from, -DAYS_SHOWN))}
            label={words.earlierDates}
          />
          <Button onClick={() => show(addDays(from, DAYS_SHOWN))} label={words.laterDates} />
        </div>
      </div>
      <div class="cal-slots">
        <Shown from={open} isEmpty={(slots) => slots.length === 0} empty={words.noSlots}>
          {(slots) =>
            byDate(slots).map(([date, ofDate]) => (
              <fieldset key={date}>
                <legend>{formatLongDay(date)}</legend>
                {ofDate.map((slot) => (
                  <OpenSlot
                    key={slot.slot_id}
                    slot={slot}
                    group={group}
                    left={slot.slot_id === except ? 0 : (slot.available_slots ?? 0)}
                    isChosen={chosen?.slot_id === slot.slot_id}
                    onChoose={() => onChoose(slot)}
                  />
                ))}
              </fieldset>
            ))
          }
        </Shown>
      </div>
    </div>
  );
}

function OpenSlot({
  slot,
  group,
  left,
  isChosen,
  onChoose,
}: {
  slot: DatedSlot;
  group: string;
  left: number;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { directory } = useCalendar();
  const what = [
    sessionName(slot.session),
    ...(slot.batch === null ? [] : [slot.batch]),
    ...(slot.appointment_type === null ? [] : [serviceName(directory.services, slot.appointment_type)]),
  ].join(" · ");
  return (
    <label class={`cal-slot ${left === 0 ? "none-left" : ""}`}>
      <input type="radio" name={group} checked={isChosen} disabled={left === 0} onChange={onChoose} />
      <span>
        {formatHours(slot)} <span class="note">{what}</span>
      </span>
      <span class="cal-left">{words.slotsLeft(left)}</span>
    </label>
  );
}

function byDate(slots: readonly DatedSlot[]): [date: string, slots: DatedSlot[]][] {
  const dates = new Map<string, DatedSlot[]>();
  for (const slot of slots) dates.set(slot.date, [...(dates.get(slot.date) ?? []), slot]);
  return [...dates];
}
