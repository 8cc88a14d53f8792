// Closing days: which days and branches, and what happens to the people booked there. Shows a preview before any
// change.
import { useState } from "preact/hooks";
import type { CloseInput, ClosurePreview } from "../../../calendar/closure-model.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { CheckBoxes, SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Shown } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { useLoaded } from "../../data.ts";
import { DialAheadNote, useDialAhead } from "../dial-ahead.tsx";
import { branchOptions, useCalendar, type ClosedRange } from "./calendar-context.ts";
import { ChoiceForAll, PeopleChoices, type Choices } from "./closed-people.tsx";
import { formatLongDay } from "./week-dates.ts";
import { holidayWords, words } from "./words.ts";

interface CloseDaysProps {
  ranges: readonly ClosedRange[];
  /** Closes one window only. */
  windowId: string | null;
  /** The days were selected before, for example from a list of holidays. */
  isFixed: boolean;
  /** Also disables the weekly window. */
  disablesWindow?: true;
}

export function CloseDays({ ranges: given, windowId, isFixed, disablesWindow }: CloseDaysProps) {
  const { branch, finish } = useCalendar();
  const [ranges, setRanges] = useState<ClosedRange[]>([...given]);
  const [branchIds, setBranchIds] = useState<string[]>([branch.branch_id]);
  const [chosen, setChosen] = useState<Choices>({ otherwise: "leave", each: {} });
  const [agentId, setAgentId] = useState("");
  const submission = useAction(["agent_id"]);
  const scope = { branch_ids: branchIds, window_id: windowId, ranges: [...ranges] };
  const isSound = branchIds.length > 0 && ranges.every(({ from, to }) => from !== "" && from <= to);
  const preview = useLoaded(
    async () => (isSound ? call(api.calendar.closures.preview.post(scope)) : NOBODY),
    [JSON.stringify(scope)],
  );
  const agents = useLoaded(callingAgents, []);
  const agent = agentId || (agents.data?.[0]?.agent_id ?? "");
  const people = preview.data?.people ?? [];
  const choiceOf = (person: ClosurePreview["people"][number]) => choiceFor(chosen, person);
  const count = (choice: CloseInput["otherwise"]) => people.filter((person) => choiceOf(person) === choice).length;

  const close = async () => {
    const body: CloseInput = {
      ...scope,
      otherwise: chosen.otherwise,
      ...(disablesWindow ? { disables_window: true } : {}),
      ...(count("call") > 0 || chosen.otherwise === "call" ? { agent_id: agent } : {}),
      people: people.map((person) => ({
        appointment_id: person.appointment.appointment_id,
        choice: choiceOf(person),
        slot_id: person.next_place?.slot_id ?? null,
      })),
    };
    if (await submission.run(() => call(api.calendar.closures.post(body))))
      finish(holidayWords.closedDone(count("move"), count("call")));
  };

  return (
    <Form
      submission={submission}
      submit={holidayWords.closeSubmit(count("move"), count("call"), disablesWindow ?? false)}
      onSubmit={close}
    >
      {disablesWindow && <p class="wide note">{holidayWords.disablesToo}</p>}
      {isFixed ? (
        <FixedDays ranges={ranges} />
      ) : (
        <Days range={ranges[0] ?? EMPTY} onRange={(range) => setRanges([range])} />
      )}
      {windowId === null && <Branches branchIds={branchIds} onBranchIds={setBranchIds} />}
      <div class="wide">
        <Shown from={preview}>
          {(shown) => (
            <>
              <p aria-live="polite">
                <strong>{holidayWords.closesWindows(shown.windows)}</strong>{" "}
                {holidayWords.bookedThere(shown.people.length)}
              </p>
              {shown.has_more && <p class="note">{holidayWords.morePeople}</p>}
              {shown.people.length > 0 && (
                <>
                  <ChoiceForAll chosen={chosen} onChosen={setChosen} />
                  {count("call") > 0 && (
                    <SelectField
                      label={holidayWords.callingAgent}
                      hint={holidayWords.callingAgentHint}
                      value={agent}
                      onValue={setAgentId}
                      error={submission.fields["agent_id"]}
                      options={(agents.data ?? []).map(({ agent_id, name }) => [agent_id, name] as const)}
                    />
                  )}
                  <CalledAhead called={people.filter((person) => choiceOf(person) === "call")} agentId={agent} />
                  <PeopleChoices people={shown.people} chosen={chosen} choiceOf={choiceOf} onChosen={setChosen} />
                </>
              )}
            </>
          )}
        </Shown>
      </div>
    </Form>
  );
}

/** When the people who are called hear of it. */
function CalledAhead({ called, agentId }: { called: ClosurePreview["people"]; agentId: string }) {
  const asked = called.slice(0, MOST_ASKED).map(({ appointment }) => appointment.appointment_id);
  const ahead = useDialAhead(
    asked.length === 0 || agentId === "" ? null : { agent_id: agentId, appointment_ids: asked },
  );
  return <DialAheadNote ahead={ahead} {...(called.length > asked.length && { sample: asked.length })} />;
}

function FixedDays({ ranges }: { ranges: readonly ClosedRange[] }) {
  return (
    <ul class="wide cal-fixed-days">
      {ranges.map(({ from, to, name }) => (
        <li key={`${from} ${name}`}>
          {from === to ? formatLongDay(from) : holidayWords.fromTo(formatLongDay(from), formatLongDay(to))}
          {name !== "" && <span class="note"> {name}</span>}
        </li>
      ))}
    </ul>
  );
}

function Branches({ branchIds, onBranchIds }: { branchIds: readonly string[]; onBranchIds: (ids: string[]) => void }) {
  const { branches } = useCalendar().directory;
  if (branches.length < 2) return null;
  return (
    <CheckBoxes
      legend={words.branches}
      class="wide cal-branches"
      options={branchOptions(branches)}
      chosen={branchIds}
      onChosen={onBranchIds}
    />
  );
}

/** The route's limit. */
const MOST_ASKED = 250;
const EMPTY: ClosedRange = { from: "", to: "", name: "" };
const NOBODY: ClosurePreview = { windows: 0, people: [], has_more: false };

function Days({ range, onRange }: { range: ClosedRange; onRange: (range: ClosedRange) => void }) {
  const { today } = useCalendar();
  const { at } = fieldsOf(range, (change) => onRange({ ...range, ...change }));
  return (
    <>
      <TextField
        label={holidayWords.firstDay}
        type="date"
        required
        min={today}
        {...at("from")}
        onValue={(from) => onRange({ ...range, from, to: range.to < from ? from : range.to })}
      />
      <TextField label={holidayWords.lastDay} type="date" required min={range.from} {...at("to")} />
      <div class="wide">
        <TextField
          label={holidayWords.closureName}
          hint={holidayWords.closureNameHint}
          maxLength={100}
          {...at("name")}
        />
      </div>
    </>
  );
}

/** A contact without a number cannot be called, and cannot be moved if no slot is free. */
function choiceFor(
  { otherwise, each }: Choices,
  { appointment, next_place }: ClosurePreview["people"][number],
): CloseInput["otherwise"] {
  const wanted = each[appointment.appointment_id] ?? otherwise;
  if (wanted === "call" && appointment.contact_number === null) return "leave";
  if (wanted === "move" && next_place === null) return "leave";
  return wanted;
}

async function callingAgents() {
  const agents = await call(api.agents.get());
  const isForThis = ({ prompt }: { prompt: string }) => prompt.includes("{{closed_for}}");
  // Agents created for closed days come first (agents/library/closed-day.ts).
  return agents
    .filter(({ type }) => type === "outbound")
    .toSorted((a, b) => Number(isForThis(b)) - Number(isForThis(a)));
}
