// Rules of an agent: retries, calling hours, booking, and transfer.
import { api, call } from "../../client.ts";
import { CheckBox, CheckBoxes, NumberField, SelectField, TextField } from "../../kit/field.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { Card, Problem } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { useLoaded } from "../../data.ts";
import type { AgentForm } from "./agent-form.ts";
import { weekdayName } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";

const words = said.agents.agentRules;

const DAYS = [1, 2, 3, 4, 5, 6, 0];

export interface RulesProps {
  form: AgentForm;
  set: (change: Partial<AgentForm>) => void;
  fields: Record<string, string>;
  disabled: boolean;
}

export function RetryPolicy({ form, set, fields, disabled }: RulesProps) {
  const { at } = fieldsOf(form, set, fields);
  return (
    <Card title={words.retry}>
      <div class="form">
        <NumberField
          label={words.attempts}
          hint={words.attemptsHint}
          min={0}
          max={10}
          required
          disabled={disabled}
          {...at("retryAttempts")}
        />
        <NumberField label={words.minutes} min={1} max={10_080} required disabled={disabled} {...at("retryMinutes")} />
      </div>
      <CheckBoxes
        legend={words.outcomes}
        options={Object.entries(words.outcomeNames)}
        disabled={disabled}
        chosen={form.retryOutcomes}
        onChosen={(retryOutcomes) => set({ retryOutcomes })}
      />
      <p class="note">
        {fields["retry_outcomes"] ??
          (form.retryAttempts !== "0" && form.retryOutcomes.length === 0 ? words.neverRetries : "")}
      </p>
    </Card>
  );
}

export function CallingHours({ form, set, fields, disabled }: RulesProps) {
  const { demo, simulated } = useSession();
  const { at, box } = fieldsOf(form, set, fields);
  return (
    <Card title={words.hours}>
      <CheckBox label={words.hoursOn} disabled={disabled} {...box("hasHours")} />
      <p class="note">{words.hoursNote}</p>
      {demo && simulated && <p class="note">{words.hoursDemo}</p>}
      {form.hasHours && (
        <>
          <CheckBoxes
            legend={words.days}
            class="choices days"
            options={DAYS.map((day) => [day, weekdayName(day, "long")] as const)}
            disabled={disabled}
            chosen={form.days}
            onChosen={(days) => set({ days })}
          />
          <div class="form">
            <TextField label={words.from} type="time" required disabled={disabled} {...at("start")} />
            <TextField label={words.to} type="time" required disabled={disabled} {...at("end")} />
          </div>
          <Problem text={hoursFault(fields)} />
        </>
      )}
      <NumberField
        label={words.latest}
        hint={words.latestHint}
        min={5}
        max={10_080}
        disabled={disabled}
        {...at("latestMinutes")}
      />
    </Card>
  );
}

/** The server names nested fields: calling_hours, calling_hours.days. */
function hoursFault(fields: Record<string, string>): string | null {
  return Object.entries(fields).find(([field]) => field.startsWith("calling_hours"))?.[1] ?? null;
}

export function BookingCalendar({ form, set, fields, disabled }: RulesProps) {
  const directory = useLoaded(async () => {
    const [{ branches }, services] = await Promise.all([
      call(api.calendar.configuration.get()),
      call(api.calendar.services.get()),
    ]);
    return { branches, services };
  }, []);
  const branches = directory.data?.branches.map(
    ({ branch_id, name }) => [branch_id, name ?? words.unnamed(branch_id)] as const,
  );
  const services = directory.data?.services.map(
    ({ appointment_type_id, appointment_type_name }) =>
      [appointment_type_id, appointment_type_name ?? words.unnamed(appointment_type_id)] as const,
  );
  const { at } = fieldsOf(form, set, fields);
  return (
    <Card title={words.booking}>
      <p class="note">{words.bookingNote}</p>
      <Problem text={directory.error} onRetry={directory.reload} />
      <div class="form">
        <SelectField
          label={words.branch}
          disabled={disabled || directory.loading}
          options={[["", words.noBooking], ...withChosen(branches, form.branchId)]}
          {...at("branchId")}
        />
        <SelectField
          label={words.service}
          disabled={disabled || directory.loading}
          options={[["", words.anyService], ...withChosen(services, form.serviceId)]}
          {...at("serviceId", "appointment_type_id")}
        />
      </div>
    </Card>
  );
}

export function Transfer({ form, set, fields, disabled }: RulesProps) {
  const { at } = fieldsOf(form, set, fields);
  return (
    <Card title={words.person}>
      <p class="note">{words.personNote}</p>
      <PhoneField
        type="text"
        label={words.transferTo}
        hint={words.transferHint}
        maxLength={200}
        disabled={disabled}
        {...at("transferTo")}
      />
    </Card>
  );
}

/** Keeps the selected value among the options even if the calendar no longer has it or is still loading. */
function withChosen(
  options: readonly (readonly [string, string])[] | undefined,
  chosen: string,
): readonly (readonly [string, string])[] {
  if (chosen === "") return options ?? [];
  if (!options) return [[chosen, `${common.loading}…`]];
  return options.some(([value]) => value === chosen) ? options : [...options, [chosen, words.unknown(chosen)]];
}
