// Edits a scheduled call: time, name and additional information.
import { useState } from "preact/hooks";
import type { CallView } from "../../../calls/model.ts";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { useForm } from "../../kit/use-form.ts";
import { wallTimeOf, zonedToIso } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common } from "../../words.ts";
import { draftFaults, EMPTY_DRAFT, newInfoRow, type InfoRow } from "./draft.ts";
import { InfoRows } from "./info-rows.tsx";
import { callWork as words } from "./words.ts";

interface EditCallProps {
  call: CallView;
  onClose: () => void;
  onDone: () => void;
}

export function EditCall({ call: subject, onClose, onDone }: EditCallProps) {
  const zone = useSession().organisation.time_zone;
  const plannedFor = wallTimeOf(subject.scheduled_at ?? "", zone);
  const form = useForm(
    () => ({ at: plannedFor, name: subject.contact_name ?? "", rows: rowsOf(subject) }),
    ["scheduled_time", "additional_info", "user_name"],
  );
  const { at, name, rows } = form.values;
  const [rowFault, setRowFault] = useState<string | undefined>();

  const save = async () => {
    const fault = draftFaults({ ...EMPTY_DRAFT, info: rows })["additional_info"];
    setRowFault(fault);
    if (fault !== undefined) return;
    const body = {
      // An unchanged time may be in the past by now, and is not sent, because the API would reject it.
      ...(at === plannedFor ? {} : { scheduled_time: zonedToIso(at, zone) }),
      user_name: name.trim() === "" ? null : name.trim(),
      additional_info: infoOf(rows, subject.additional_info ?? {}),
    };
    const isDone = await form.run(() => call(api.calls({ call_id: subject.call_id }).patch(body)), words.editDone);
    onDone();
    if (isDone) onClose();
  };

  return (
    <FormDialog title={words.editTitle} onClose={onClose} submission={form} submit={common.save} onSubmit={save}>
      <TextField
        label={words.at}
        type="datetime-local"
        required
        hint={common.zoneNote(zone)}
        {...form.at("at")}
        error={form.fields["scheduled_time"]?.replace(/^scheduled_time/, words.theTime)}
      />
      <TextField label={words.name} autoComplete="off" maxLength={200} {...form.at("name")} />
      <InfoRows
        rows={rows}
        error={rowFault ?? form.fields["additional_info"]?.replace(/^additional_info/, words.theInfo)}
        onRows={(changed) => form.set({ rows: changed })}
      />
    </FormDialog>
  );
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Given values, and a row for each placeholder without a value. */
function rowsOf({ additional_info, missing_placeholders }: CallView): InfoRow[] {
  const given = Object.entries(additional_info ?? {}).map(([key, value]) => ({
    ...newInfoRow(key),
    value: textOf(value),
  }));
  return [...given, ...missing_placeholders.filter((name) => name !== "user_name").map((name) => newInfoRow(name))];
}

/** Unchanged values that are not text keep their type. */
function infoOf(rows: readonly InfoRow[], given: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const filled = rows.filter(({ value }) => value !== "");
  if (filled.length === 0) return null;
  return Object.fromEntries(
    filled.map(({ key, value }) => {
      const before = given[key.trim()];
      return [key.trim(), before !== undefined && textOf(before) === value ? before : value];
    }),
  );
}
