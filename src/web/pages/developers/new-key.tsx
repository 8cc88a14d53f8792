// Form of a new API key.
import { api, call } from "../../client.ts";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { addDays, todayIn, zonedToIso } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { Choices } from "../../kit/choices.tsx";
import { useForm } from "../../kit/use-form.ts";
import { said } from "../../words.ts";

const words = said.developers.newKey;

export interface NewKey {
  key_id: string;
  name: string;
  key: string;
}

export function NewKeyForm({ onMade }: { onMade: (key: NewKey) => void }) {
  const { time_zone } = useSession().organisation;
  const form = useForm({ name: "", scopes: [] as string[], expires_at: "" }, ["name", "scopes", "expires_at"]);
  const catalogue = useLoaded(() => call(api.developers.catalogue.get()), []);
  const make = () =>
    form.run(async () => {
      const lastDay = form.values.expires_at;
      const expires_at = lastDay === "" ? null : zonedToIso(`${addDays(lastDay, 1)}T00:00`, time_zone);
      onMade(await call(api.keys.post({ ...form.values, expires_at })));
    });
  return (
    <Form submission={form} submit={words.submit} onSubmit={make} layout="stack">
      <TextField label={words.name} hint={words.nameHint} required maxLength={100} {...form.at("name")} />
      <Shown from={catalogue}>
        {(known) => (
          <Choices
            legend={words.scopes}
            options={Object.entries(known.scopes)}
            chosen={form.values.scopes}
            onChosen={(scopes) => {
              form.set({ scopes });
              form.clear();
            }}
            error={form.fields["scopes"]}
          />
        )}
      </Shown>
      <TextField
        label={words.expiry}
        hint={words.expiryHint(time_zone)}
        type="date"
        min={todayIn(time_zone)}
        {...form.at("expires_at")}
      />
    </Form>
  );
}
