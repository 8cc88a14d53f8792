// Form of a waiting list entry, new or existing.
import type { Waiting } from "../../../waiting-list/model.ts";
import { api, call } from "../../client.ts";
import { CheckBoxes, SelectField, TextArea, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { useForm } from "../../kit/use-form.ts";
import { addDays, todayIn } from "../../format.ts";
import { dialled } from "../../phone-number.ts";
import { said } from "../../words.ts";
import { branchOptions, serviceOptions, type Directory } from "../calendar/calendar-context.ts";
import { PlaceFields } from "../place-fields.tsx";
import { sessionName } from "../calendar/words.ts";

const words = said.waiting;

const SESSIONS = ["Morning", "Afternoon", "Evening"] as const;
const FIELDS = [
  "contact_name",
  "contact_number",
  "contact_email",
  "contact_time_zone",
  "contact_region",
  "notes",
  "from",
  "to",
  "agent_id",
] as const;
/** Default; up to a year can be chosen. */
const USUAL_DAYS = 30;

export interface Caller {
  agent_id: string;
  name: string;
}

interface WaitingFormProps {
  directory: Directory;
  agents: readonly Caller[];
  /** Null: a new entry. */
  entry: Waiting | null;
  branchId: string;
  onDone: (said: string) => void;
  /** Somebody who is known already. */
  person?: { name: string; number: string };
}

function firstValues(entry: Waiting | null, branchId: string, today: string, person?: WaitingFormProps["person"]) {
  return {
    branch_id: entry?.branch_id ?? branchId,
    appointment_type_id: entry?.appointment_type_id ?? "",
    agent_id: entry?.agent_id ?? "",
    contact_name: entry?.contact_name ?? person?.name ?? "",
    contact_number: entry?.contact_number ?? person?.number ?? "",
    contact_email: entry?.contact_email ?? "",
    contact_time_zone: entry?.contact_time_zone ?? "",
    contact_region: entry?.contact_region ?? "",
    from: entry?.from ?? today,
    to: entry?.to ?? addDays(today, USUAL_DAYS),
    notes: entry?.notes ?? "",
    sessions: entry?.sessions ?? [],
  };
}

type Values = ReturnType<typeof firstValues>;

function bodyOf(values: Values) {
  const given = (text: string) => text.trim() || null;
  return {
    branch_id: values.branch_id,
    appointment_type_id: given(values.appointment_type_id),
    agent_id: given(values.agent_id),
    contact_name: given(values.contact_name),
    contact_number: dialled(values.contact_number),
    contact_email: given(values.contact_email),
    contact_time_zone: given(values.contact_time_zone),
    contact_region: given(values.contact_region),
    from: values.from,
    to: values.to,
    sessions: values.sessions,
    notes: given(values.notes),
  };
}

export function WaitingForm({ directory, agents, entry, branchId, onDone, person }: WaitingFormProps) {
  const form = useForm(() => firstValues(entry, branchId, todayIn(directory.time_zone), person), FIELDS);
  const { at } = form;
  const save = async () => {
    const body = bodyOf(form.values);
    const send = () =>
      entry === null
        ? call(api["waiting-list"].post(body))
        : call(api["waiting-list"]({ id: entry.waiting_id }).patch(body));
    if (await form.run(send)) onDone(entry === null ? words.added : words.changed);
  };
  const numberWrong = form.fields["contact_number"] ? words.numberWrong : undefined;
  return (
    <Form submission={form} submit={entry === null ? words.add : words.save} onSubmit={save} layout="stack">
      <div class="form">
        <TextField label={words.name} {...at("contact_name")} maxLength={200} autoComplete="off" />
        <PhoneField label={words.number} {...at("contact_number")} error={numberWrong} required />
        <TextField label={words.from} {...at("from")} type="date" required />
        <TextField label={words.to} {...at("to")} type="date" required />
        <SelectField label={words.branch} options={branchOptions(directory.branches)} {...at("branch_id")} />
        <SelectField
          label={words.service}
          options={[["", words.anyService], ...serviceOptions(directory.services)]}
          {...at("appointment_type_id")}
        />
        <SelectField
          label={words.agent}
          options={[["", words.anyAgent], ...agents.map(({ agent_id, name }) => [agent_id, name] as const)]}
          {...at("agent_id")}
        />
        <CheckBoxes
          legend={words.times}
          class="waiting-times"
          options={SESSIONS.map((session) => [session, sessionName(session)] as const)}
          chosen={form.values.sessions}
          onChosen={(sessions) => form.set({ sessions })}
        >
          <p class="note">{words.timesHint}</p>
        </CheckBoxes>
        <TextField label={words.email} {...at("contact_email")} type="email" maxLength={254} autoComplete="off" />
        <PlaceFields number={form.values.contact_number} zone={at("contact_time_zone")} region={at("contact_region")} />
        <div class="wide">
          <TextArea label={words.notes} {...at("notes")} rows={2} />
        </div>
      </div>
    </Form>
  );
}
