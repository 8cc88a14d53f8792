// The hospital's name, time zone and callback number.
import { api, call } from "../../client.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { useForm } from "../../kit/use-form.ts";
import { Card, Facts } from "../../kit/parts.tsx";
import { useMay, useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { zonesWith } from "../../zones.ts";
import type { TabProps } from "./settings-data.ts";

const words = said.settings.organisationTab;
const LOCK_MINUTES = [5, 10, 15, 30, 60, 0];

export function OrganisationTab({ settings: { organisation }, reload }: TabProps) {
  const session = useSession();
  const mayEdit = useMay("owner");
  const form = useForm({
    name: organisation.name,
    time_zone: organisation.time_zone,
    callback_number: organisation.callback_number ?? "",
  });

  if (!mayEdit) {
    return (
      <Card title={words.title}>
        <Facts
          rows={[
            [words.name, organisation.name],
            [words.zone, organisation.time_zone],
            [words.callbackNumber, organisation.callback_number ?? words.noCallbackNumber],
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
  const save = () => change(() => call(api.settings.organisation.patch(form.values)), words.saved);
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
          <TextField
            label={words.callbackNumber}
            hint={words.callbackNumberHint}
            type="tel"
            maxLength={30}
            {...form.at("callback_number")}
          />
        </Form>
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
    </>
  );
}
