// Manual reminders: one appointment, a whole day, or selected appointments of a day.
import { useState } from "preact/hooks";
import type { Appointment } from "../../../../payloads/appointment.ts";
import { useAction } from "../../../action.ts";
import { api, call } from "../../../client.ts";
import { CheckBox, SelectField } from "../../../kit/field.tsx";
import { Button, Problem, Shown } from "../../../kit/parts.tsx";
import { Skeleton } from "../../../kit/skeleton.tsx";
import { useLoaded } from "../../../data.ts";
import { dialLabel, DialAheadNote, useDialAhead } from "../../dial-ahead.tsx";
import { nameOf, useCalendar } from "../calendar-context.ts";
import { firstAgent } from "./rule-form.ts";
import { words } from "./words.ts";

async function loadCallers() {
  const [agents, rules] = await Promise.all([call(api.reminders.agents.get()), call(api.reminders.rules.get())]);
  return { agents, hasRule: rules.some(({ enabled }) => enabled) };
}

type Callers = Awaited<ReturnType<typeof loadCallers>>;

interface RemindProps {
  appointments: readonly Appointment[];
  /** Set if these are all appointments of a day of the branch. */
  day: string | null;
}

export function RemindDialog(props: RemindProps) {
  const callers = useLoaded(loadCallers, []);
  return <Shown from={callers}>{(known) => <RemindForm {...props} callers={known} />}</Shown>;
}

function RemindForm({ appointments, day, callers }: RemindProps & { callers: Callers }) {
  const { finish, branch } = useCalendar();
  const { agents, hasRule } = callers;
  const [agent, setAgent] = useState(hasRule ? "" : (firstAgent(agents)?.agent_id ?? ""));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [skipsConfirmed, setSkipsConfirmed] = useState(appointments.length > 1);
  const action = useAction();
  const chosen = appointments.map(({ appointment_id }) => appointment_id).filter((id) => !left.has(id));
  const wish = {
    ...(day !== null && left.size === 0 ? { branch_id: branch.branch_id, date: day } : { appointment_ids: chosen }),
    agent_id: agent === "" ? null : agent,
    skip_confirmed: skipsConfirmed,
  };
  const check = useLoaded(
    async () => (chosen.length === 0 ? { planned: 0, skipped: {} } : call(api.reminders.check.post(wish))),
    [JSON.stringify(wish)],
  );
  const people = check.data?.planned ?? 0;
  const asked = chosen.slice(0, MOST_ASKED);
  const ahead = useDialAhead(
    people === 0 ? null : { appointment_ids: asked, ...(agent === "" ? {} : { agent_id: agent }) },
  );
  const remind = async () => {
    if (await action.run(() => call(api.reminders.post(wish)))) finish(words.reminded(people));
  };
  return (
    <div class="form rem-remind">
      <p class="note wide">{words.remindNote}</p>
      <SelectField
        label={words.agent}
        value={agent}
        onValue={setAgent}
        hint={agents.length === 0 ? words.agentHint : undefined}
        options={[
          ...(hasRule ? [["", words.asRule] as const] : []),
          ...agents.map(
            ({ agent_id, name, has_number }) => [agent_id, has_number ? name : words.noNumber(name)] as const,
          ),
        ]}
      />
      {appointments.length > 1 && (
        <fieldset class="rem-choice wide">
          <legend>{words.choose}</legend>
          {appointments.map((appointment) => (
            <CheckBox
              key={appointment.appointment_id}
              label={`${appointment.start_time} ${nameOf(appointment)}`}
              checked={!left.has(appointment.appointment_id)}
              onChecked={(isChosen) => setLeft(withOrWithout(left, appointment.appointment_id, !isChosen))}
            />
          ))}
          <CheckBox label={words.skipThem} checked={skipsConfirmed} onChecked={setSkipsConfirmed} />
        </fieldset>
      )}
      <div class="wide" role="status">
        <Problem text={check.error} />
        {check.error === null && (check.data ? <p>{found(check.data)}</p> : <Skeleton shape="line" />)}
      </div>
      <div class="wide">
        <DialAheadNote ahead={ahead} {...(chosen.length > asked.length && { sample: asked.length })} />
      </div>
      <Problem text={action.error} />
      <div class="actions wide">
        <Button
          kind="primary"
          data-first
          busy={action.busy}
          disabled={people === 0 || check.error !== null}
          onClick={remind}
          label={dialLabel(ahead, words.callNow(people), branch.time_zone)}
        />
      </div>
    </div>
  );
}

/** The route's limit. */
const MOST_ASKED = 250;

interface Found {
  planned: number;
  skipped: Partial<Record<keyof typeof words.skipped, number>>;
}

function found({ planned, skipped }: Found): string {
  const left = (Object.keys(words.skipped) as (keyof typeof words.skipped)[]).flatMap((reason) => {
    const count = skipped[reason] ?? 0;
    return count === 0 ? [] : [words.skipped[reason](count)];
  });
  return [words.will(planned), ...left].join(" ");
}

function withOrWithout(set: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}
