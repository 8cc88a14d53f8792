// The hospital's name, time zone, callback number and recording mode.
import { RECORDING_MODES } from "../../../payloads/lawful.ts";
import { api, call } from "../../client.ts";
import { basedOn, useConflict } from "../../kit/conflict.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { Form } from "../../kit/form.tsx";
import { useForm } from "../../kit/use-form.ts";
import { sayDone } from "../../said.ts";
import { Card, Facts } from "../../kit/parts.tsx";
import { dialled, spaced } from "../../phone-number.ts";
import { useMay, useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { zonesWith } from "../../zones.ts";
import { BreakGlassCard, SecondFactorCard } from "./sign-in-cards.tsx";
import type { TabProps } from "./settings-data.ts";

const words = said.settings.organisationTab;
const recording = said.recordingMode;
type Organisation = TabProps["settings"]["organisation"];
type EditedOrganisation = Pick<Organisation, "name" | "time_zone" | "callback_number" | "recording_mode" | "version">;
const LOCK_MINUTES = [5, 10, 15, 30, 60, 0];

export function OrganisationTab({ settings: { organisation, recordings }, reload }: TabProps) {
  const session = useSession();
  const mayEdit = useMay("owner");
  const form = useForm(() => valuesOf(organisation));
  const conflict = useConflict({ label: (name) => LABELS[name] });

  if (!mayEdit) {
    return (
      <Card title={words.title}>
        <Facts
          rows={[
            [words.name, organisation.name],
            [words.zone, organisation.time_zone],
            [words.callbackNumber, spaced(organisation.callback_number ?? words.noCallbackNumber)],
            [recording.label, recording.modes[organisation.recording_mode ?? ""] ?? asAppliance(recordings)],
          ]}
        />
        <p class="note">{words.ownersOnly}</p>
      </Card>
    );
  }
  const change = async (work: () => Promise<unknown>, done: string) => {
    if (!(await form.run(work, done))) return;
    reload();
    session.reload();
  };
  const save = async () => {
    const saved = await conflict.save(form, {
      stored: organisation,
      valuesOf,
      typed: { ...form.values, callback_number: dialled(form.values.callback_number) },
      send: (part, version) => call(api.settings.organisation.patch(part, basedOn(version))),
    });
    if (!saved) return;
    sayDone(words.saved);
    reload();
    session.reload();
  };
  const setLock = (minutes: string) =>
    change(() => call(api.settings["idle-lock"].put({ idle_lock_minutes: Number(minutes) })), words.lockSaved);
  return (
    <>
      <Card title={words.title}>
        <Form submission={form} submit={common.save} onSubmit={save} layout="columns">
          <TextField label={words.name} hint={words.nameHint} required maxLength={200} {...form.at("name")} />
          <SelectField
            label={words.zone}
            hint={words.zoneHint}
            options={zonesWith(organisation.time_zone)}
            {...form.at("time_zone")}
          />
          <PhoneField label={words.callbackNumber} hint={words.callbackNumberHint} {...form.at("callback_number")} />
          <RecordingField settings={recordings} {...form.at("recording_mode")} />
        </Form>
        {conflict.dialog}
      </Card>
      <Card title={words.lockTitle}>
        <SelectField
          label={words.lock}
          hint={words.lockHint}
          value={String(organisation.idle_lock_minutes)}
          onValue={setLock}
          disabled={form.busy}
          options={LOCK_MINUTES.map((minutes) => [String(minutes), words.lockMinutes(minutes)] as const)}
          error={form.fields["idle_lock_minutes"]}
        />
      </Card>
      <SecondFactorCard roles={organisation.second_factor_roles} />
      <BreakGlassCard />
    </>
  );
}

const valuesOf = (organisation: EditedOrganisation) => ({
  name: organisation.name,
  time_zone: organisation.time_zone,
  callback_number: organisation.callback_number ?? "",
  recording_mode: organisation.recording_mode ?? "",
});

const LABELS: Readonly<Record<string, string>> = {
  name: words.name,
  time_zone: words.zone,
  callback_number: words.callbackNumber,
  recording_mode: recording.label,
};

const asAppliance = ({ mode }: TabProps["settings"]["recordings"]): string =>
  recording.asAppliance(recording.modes[mode] ?? mode);

/** Its own mode, or that of the appliance. */
function RecordingField({
  settings,
  ...field
}: { settings: TabProps["settings"]["recordings"] } & Pick<Parameters<typeof SelectField>[0], "value" | "onValue">) {
  const { mode, keep_days: days } = settings;
  const hints = [recording.hints[field.value || mode], recording.rules, days > 0 && recording.keptDays(days)];
  return (
    <SelectField
      label={recording.label}
      hint={hints.filter(Boolean).join(" ")}
      options={[
        ["", asAppliance(settings)] as const,
        ...RECORDING_MODES.map((one) => [one, recording.modes[one] ?? one] as const),
      ]}
      {...field}
    />
  );
}
