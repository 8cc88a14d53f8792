// Schedule of a campaign: name, start, pace, hours, retries. All fields have defaults.
import { CheckBoxes, NumberField, Radios, TextField } from "../../kit/field.tsx";
import { Card, Problem } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { weekdayName } from "../../format.ts";
import { common, said } from "../../words.ts";
import { wallTimeAhead } from "../calls/draft.ts";
import { durationText, RETRY_OUTCOMES, type Plan, type RetryOutcome } from "./plan.ts";

const words = said.campaigns.make;
const HALF_AN_HOUR = 30;
/** The week starts on Monday. */
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
  const { at } = fieldsOf(plan, set, faults);
  return (
    <Card title={words.plan}>
      <div class="form">
        <TextField label={words.name} required maxLength={100} autoComplete="off" {...at("name")} />
        <NumberField
          label={words.pace}
          hint={words.paceHint(durationText(people, plan.perMinute))}
          required
          min={1}
          max={6_000}
          {...at("perMinute", "calls_per_minute")}
        />
      </div>
      <div class="form">
        <Radios
          isRow
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
            {...at("laterAt", "start_at")}
          />
        )}
      </div>
      <Hours {...props} />
      <Retries {...props} />
    </Card>
  );
}

function Hours({ plan, faults, set }: PlanProps) {
  const fault = Object.entries(faults).find(([field]) => field.startsWith("calling_hours"))?.[1] ?? null;
  const { at } = fieldsOf(plan, set);
  return (
    <>
      <Radios
        isRow
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
          <CheckBoxes
            legend={words.days}
            class="choices days"
            options={DAYS.map((day) => [day, weekdayName(day, "long")] as const)}
            chosen={plan.days}
            onChosen={(days) => set({ days })}
          />
          <div class="form">
            <TextField label={words.from} type="time" required {...at("start")} />
            <TextField label={words.to} type="time" required {...at("end")} />
          </div>
          <Problem text={fault} />
        </>
      )}
    </>
  );
}

function Retries({ plan, faults, set }: PlanProps) {
  const fault = Object.entries(faults).find(([field]) => field.startsWith("retry"))?.[1] ?? null;
  const change = (outcome: RetryOutcome, part: Partial<Plan["retry"][RetryOutcome]>) =>
    set({ retry: { ...plan.retry, [outcome]: { ...plan.retry[outcome], ...part } } });
  return (
    <>
      <Radios
        isRow
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
      <Problem text={fault} />
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
