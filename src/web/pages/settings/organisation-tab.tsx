// What the hospital is known by: its name, time zone and callback number.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
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
  const [name, setName] = useState(organisation.name);
  const [zone, setZone] = useState(organisation.time_zone);
  const [number, setNumber] = useState(organisation.callback_number ?? "");
  const { busy, error, fields, run } = useAction();

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
  const save = async () => {
    const change = { name, time_zone: zone, callback_number: number };
    const isSaved = await run(() => call(api.settings.organisation.patch(change)), words.saved);
    if (!isSaved) return;
    reload();
    session.reload();
  };
  const setLock = async (minutes: number) => {
    const work = () => call(api.settings["idle-lock"].put({ idle_lock_minutes: minutes }));
    if (!(await run(work, words.lockSaved))) return;
    reload();
    session.reload();
  };
  return (
    <>
      <Card title={words.title}>
        <Form submission={{ busy, error, fields }} submit={common.save} onSubmit={save} layout="columns">
          <TextField
            label={words.name}
            hint={words.nameHint}
            required
            maxLength={200}
            value={name}
            onValue={setName}
            error={fields["name"]}
          />
          <SelectField
            label={words.zone}
            hint={words.zoneHint}
            value={zone}
            onValue={setZone}
            options={zonesWith(organisation.time_zone)}
            error={fields["time_zone"]}
          />
          <TextField
            label={words.callbackNumber}
            hint={words.callbackNumberHint}
            type="tel"
            maxLength={30}
            value={number}
            onValue={setNumber}
            error={fields["callback_number"]}
          />
        </Form>
      </Card>
      <Card title={words.lockTitle}>
        <SelectField
          label={words.lock}
          hint={words.lockHint}
          value={String(organisation.idle_lock_minutes)}
          onValue={(minutes) => void setLock(Number(minutes))}
          disabled={busy}
          options={LOCK_MINUTES.map((minutes) => [String(minutes), words.lockMinutes(minutes)] as const)}
          error={fields["idle_lock_minutes"]}
        />
      </Card>
    </>
  );
}
