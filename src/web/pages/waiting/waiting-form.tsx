// Putting somebody on the waiting list, and changing what they wait for.
import { useState } from "preact/hooks";
import type { Waiting } from "../../../waiting-list/model.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { CheckBox, SelectField, TextArea, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { addDays, todayIn } from "../../format.ts";
import { said } from "../../words.ts";
import { branchName, serviceName, type Directory } from "../calendar/calendar-context.ts";
import { sessionName } from "../calendar/words.ts";

const words = said.waiting;

const SESSIONS = ["Morning", "Afternoon", "Evening"] as const;
const FIELDS = ["contact_name", "contact_number", "contact_email", "notes", "from", "to", "agent_id"] as const;
/** Offered at first; anything within a year may be chosen. */
const USUAL_DAYS = 30;

export interface Caller {
  agent_id: string;
  name: string;
}

interface WaitingFormProps {
  directory: Directory;
  agents: readonly Caller[];
  /** Null: somebody new. */
  entry: Waiting | null;
  branchId: string;
  onDone: (said: string) => void;
}

function firstValues(entry: Waiting | null, branchId: string, today: string) {
  return {
    branch_id: entry?.branch_id ?? branchId,
    appointment_type_id: entry?.appointment_type_id ?? "",
    agent_id: entry?.agent_id ?? "",
    contact_name: entry?.contact_name ?? "",
    contact_number: entry?.contact_number ?? "",
    contact_email: entry?.contact_email ?? "",
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
    contact_number: values.contact_number.replaceAll(/[\s()-]/g, ""),
    contact_email: given(values.contact_email),
    from: values.from,
    to: values.to,
    sessions: values.sessions,
    notes: given(values.notes),
  };
}

export function WaitingForm({ directory, agents, entry, branchId, onDone }: WaitingFormProps) {
  const [values, setValues] = useState(() => firstValues(entry, branchId, todayIn(directory.time_zone)));
  const submission = useAction(FIELDS);
  const set = (field: keyof Values) => (value: string) => setValues((before) => ({ ...before, [field]: value }));
  const save = async () => {
    const body = bodyOf(values);
    const send = () =>
      entry === null
        ? call(api["waiting-list"].post(body))
        : call(api["waiting-list"]({ id: entry.waiting_id }).patch(body));
    if (await submission.run(send)) onDone(entry === null ? words.added : words.changed);
  };
  const field = (name: (typeof FIELDS)[number], label: string) => ({
    label,
    value: values[name],
    onValue: set(name),
    error: name === "contact_number" && submission.fields[name] ? words.numberWrong : submission.fields[name],
  });
  return (
    <Form submission={submission} submit={entry === null ? words.add : words.save} onSubmit={save} layout="stack">
      <div class="form">
        <TextField {...field("contact_name", words.name)} maxLength={200} autoComplete="off" />
        <TextField
          {...field("contact_number", words.number)}
          hint={words.numberHint}
          type="tel"
          required
          maxLength={32}
          autoComplete="off"
        />
        <TextField {...field("from", words.from)} type="date" required />
        <TextField {...field("to", words.to)} type="date" required />
        <Choices
          directory={directory}
          agents={agents}
          values={values}
          set={set}
          agentFault={submission.fields["agent_id"]}
        />
        <TimesOfDay
          chosen={values.sessions}
          onChosen={(sessions) => setValues((before) => ({ ...before, sessions }))}
        />
        <TextField {...field("contact_email", words.email)} type="email" maxLength={254} autoComplete="off" />
        <div class="wide">
          <TextArea {...field("notes", words.notes)} rows={2} />
        </div>
      </div>
    </Form>
  );
}

interface ChoicesProps extends Pick<WaitingFormProps, "directory" | "agents"> {
  values: Values;
  set: (field: keyof Values) => (value: string) => void;
  agentFault: string | undefined;
}

function Choices({ directory, agents, values, set, agentFault }: ChoicesProps) {
  return (
    <>
      <SelectField
        label={words.branch}
        value={values.branch_id}
        onValue={set("branch_id")}
        options={directory.branches.map((each) => [each.branch_id, branchName(each)] as const)}
      />
      <SelectField
        label={words.service}
        value={values.appointment_type_id}
        onValue={set("appointment_type_id")}
        options={[
          ["", words.anyService],
          ...directory.services.map(
            ({ appointment_type_id: id }) => [id, serviceName(directory.services, id)] as const,
          ),
        ]}
      />
      <SelectField
        label={words.agent}
        value={values.agent_id}
        onValue={set("agent_id")}
        error={agentFault}
        options={[["", words.anyAgent], ...agents.map(({ agent_id, name }) => [agent_id, name] as const)]}
      />
    </>
  );
}

interface TimesOfDayProps {
  chosen: Waiting["sessions"];
  onChosen: (sessions: Waiting["sessions"]) => void;
}

function TimesOfDay({ chosen, onChosen }: TimesOfDayProps) {
  return (
    <fieldset class="waiting-times">
      <legend>{words.times}</legend>
      {SESSIONS.map((session) => (
        <CheckBox
          key={session}
          label={sessionName(session)}
          checked={chosen.includes(session)}
          onChecked={(isChosen) =>
            onChosen(isChosen ? [...chosen, session] : chosen.filter((each) => each !== session))
          }
        />
      ))}
      <p class="note">{words.timesHint}</p>
    </fieldset>
  );
}
