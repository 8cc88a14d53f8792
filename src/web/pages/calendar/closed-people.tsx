// People booked on days to be closed: what happens to all of them, or to each.
import type { CloseInput, ClosurePreview } from "../../../calendar/closure-model.ts";
import { nameOf } from "./calendar-context.ts";
import { formatSlot } from "./week-dates.ts";
import { choices, holidayWords, words } from "./words.ts";

export type Choice = CloseInput["otherwise"];

export interface Choices {
  otherwise: Choice;
  /** By appointment; the others get the choice for all. */
  each: Record<string, Choice>;
}

const ALL: readonly Choice[] = ["move", "call", "leave"];

export function ChoiceForAll({ chosen, onChosen }: { chosen: Choices; onChosen: (chosen: Choices) => void }) {
  return (
    <fieldset class="cal-choice">
      <legend>{holidayWords.chooseForAll}</legend>
      {ALL.map((choice) => (
        <label key={choice} class="cal-slot">
          <input
            type="radio"
            name="closure-choice"
            checked={chosen.otherwise === choice && Object.keys(chosen.each).length === 0}
            onChange={() => onChosen({ otherwise: choice, each: {} })}
          />
          <span>
            {choices[choice].all} <span class="note">{choices[choice].note}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface PeopleChoicesProps {
  people: ClosurePreview["people"];
  chosen: Choices;
  choiceOf: (person: ClosurePreview["people"][number]) => Choice;
  onChosen: (chosen: Choices) => void;
}

export function PeopleChoices({ people, chosen, choiceOf, onChosen }: PeopleChoicesProps) {
  return (
    <ul class="cal-closed-people" aria-label={words.appointments}>
      {people.map((person) => {
        const { appointment, next_place } = person;
        const choice = choiceOf(person);
        return (
          <li key={appointment.appointment_id}>
            <div>
              <strong>{nameOf(appointment)}</strong> <span class="note">{formatSlot(appointment)}</span>
              <p class="note">
                {choice === "move" && next_place !== null && holidayWords.movesTo(formatSlot(next_place))}
                {choice === "call" && holidayWords.isCalled(appointment.contact_number ?? "")}
                {choice === "leave" && holidayWords.isLeft}
              </p>
            </div>
            <select
              aria-label={words.actionFor(holidayWords.choice, nameOf(appointment))}
              value={choice}
              onChange={(event) =>
                onChosen({
                  ...chosen,
                  each: { ...chosen.each, [appointment.appointment_id]: event.currentTarget.value as Choice },
                })
              }
            >
              <option value="move" disabled={next_place === null}>
                {next_place === null ? holidayWords.noPlace : choices.move.one}
              </option>
              <option value="call" disabled={appointment.contact_number === null}>
                {appointment.contact_number === null ? holidayWords.noNumber : choices.call.one}
              </option>
              <option value="leave">{choices.leave.one}</option>
            </select>
          </li>
        );
      })}
    </ul>
  );
}
