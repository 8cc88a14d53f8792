// When and how: name, start, pace, hours, calling again. Everything has a sensible value already.
import { CheckBox, TextField } from "../../kit/field.tsx";
import { Card, Problem } from "../../kit/parts.tsx";
import { weekdayName } from "../../format.ts";
import { common, said } from "../../words.ts";
import { wallTimeAhead } from "../calls/draft.ts";
import { Choice } from "./choice.tsx";
import { durationText, RETRY_OUTCOMES, type Plan, type RetryOutcome } from "./plan.ts";

const words = said.campaigns.make;
const HALF_AN_HOUR = 30;
/** The week begins on Monday. */
const DAYS = [1, 2, 3, 4, 5, 6, 0];

interface PlanProps {
  plan: Plan;
  people: number;
  zone: string;
  faults: Record<string, string>;
  set: (change: Partial<Plan>) => void;
}

export function PlanCard(props: PlanProps) {
  const { plan, people, zone, faults, set } = props;
  return (
    <Card title={words.plan}>
      <div class="form">
        <TextField
          label={words.name}
          required
          maxLength={100}
          autoComplete="off"
          error={faults["name"]}
          value={plan.name}
          onValue={(name) => set({ name })}
        />
        <TextField
          label={words.pace}
          hint={words.paceHint(durationText(people, plan.perMinute))}
          type="number"
          required
          min={1}
          max={6_000}
          error={faults["calls_per_minute"]}
          value={plan.perMinute}
          onValue={(perMinute) => set({ perMinute })}
        />
      </div>
      <div class="form">
        <Choice
          legend={words.when}
          name="campaign-when"
          options={[
            ["now", words.now],
            ["later", words.later],
          ]}
          value={plan.when}
          onValue={(when) => set({ when, laterAt: plan.laterAt || wallTimeAhead(HALF_AN_HOUR, zone) })}
        />
        {plan.when === "later" && (
          <TextField
            label={words.laterAt}
            type="datetime-local"
            required
            hint={common.zoneNote(zone)}
            error={faults["start_at"]}
            value={plan.laterAt}
            onValue={(laterAt) => set({ laterAt })}
          />
        )}
      </div>
      <Hours {...props} />
      <Retries {...props} />
    </Card>
  );
}

function Hours({ plan, faults, set }: PlanProps) {
  const fault = Object.entries(faults).find(([field]) => field.startsWith("calling_hours"))?.[1];
  const toggle = (day: number, isOn: boolean) =>
    set({ days: isOn ? [...plan.days, day] : plan.days.filter((other) => other !== day) });
  return (
    <>
      <Choice
        legend={words.callingHours}
        name="campaign-hours"
        options={[
          ["agent", words.agentHours],
          ["own", words.ownHours],
        ]}
        value={plan.hours}
        onValue={(hours) => set({ hours })}
      />
      {plan.hours === "own" && (
        <>
          <p class="note">{words.hoursNote}</p>
          <fieldset class="choices days">
            <legend>{words.days}</legend>
            {DAYS.map((day) => (
              <CheckBox
                key={day}
                label={weekdayName(day, "long")}
                checked={plan.days.includes(day)}
                onChecked={(isOn) => toggle(day, isOn)}
              />
            ))}
          </fieldset>
          <div class="form">
            <TextField label={words.from} type="time" required value={plan.start} onValue={(start) => set({ start })} />
            <TextField label={words.to} type="time" required value={plan.end} onValue={(end) => set({ end })} />
          </div>
          {fault !== undefined && <Problem text={fault} />}
        </>
      )}
    </>
  );
}

function Retries({ plan, faults, set }: PlanProps) {
  const fault = Object.entries(faults).find(([field]) => field.startsWith("retry"))?.[1];
  const change = (outcome: RetryOutcome, part: Partial<Plan["retry"][RetryOutcome]>) =>
    set({ retry: { ...plan.retry, [outcome]: { ...plan.retry[outcome], ...part } } });
  return (
    <>
      <Choice
        legend={words.retries}
        name="campaign-retries"
        options={[
          ["agent", words.agentRetries],
          ["own", words.ownRetries],
        ]}
        value={plan.retries}
        onValue={(retries) => set({ retries })}
      />
      {plan.retries === "own" && (
        <div class="retry-rules">
          <span class="label" aria-hidden="true" />
          <span class="label" aria-hidden="true">
            {words.attempts}
          </span>
          <span class="label" aria-hidden="true">
            {words.minutesBetween}
          </span>
          {RETRY_OUTCOMES.map((outcome) => (
            <RetryRow
              key={outcome}
              outcome={outcome}
              rule={plan.retry[outcome]}
              onRule={(part) => change(outcome, part)}
            />
          ))}
        </div>
      )}
      {fault !== undefined && <Problem text={fault} />}
    </>
  );
}

interface RetryRowProps {
  outcome: RetryOutcome;
  rule: Plan["retry"][RetryOutcome];
  onRule: (part: Partial<Plan["retry"][RetryOutcome]>) => void;
}

function RetryRow({ outcome, rule, onRule }: RetryRowProps) {
  const name = words.retryNames[outcome] ?? outcome;
  return (
    <>
      <span>{name}</span>
      <input
        type="number"
        required
        min={0}
        max={10}
        aria-label={words.attemptsAfter(name)}
        value={rule.attempts}
        onInput={(event) => onRule({ attempts: event.currentTarget.value })}
      />
      <input
        type="number"
        required
        min={1}
        max={10_080}
        aria-label={words.minutesAfter(name)}
        value={rule.minutes}
        onInput={(event) => onRule({ minutes: event.currentTarget.value })}
      />
    </>
  );
}
