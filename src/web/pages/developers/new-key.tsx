// The form of a new API key.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { addDays, todayIn, zonedToIso } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { Choices } from "../../kit/choices.tsx";
import { said } from "../../words.ts";

const words = said.developers.newKey;

export interface NewKey {
  key_id: string;
  name: string;
  key: string;
}

export function NewKeyForm({ onMade }: { onMade: (key: NewKey) => void }) {
  const { time_zone } = useSession().organisation;
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>([]);
  const [lastDay, setLastDay] = useState("");
  const making = useAction(["name", "scopes", "expires_at"]);
  const catalogue = useLoaded(() => call(api.developers.catalogue.get()), []);
  const make = () =>
    making.run(async () => {
      const expires_at = lastDay === "" ? null : zonedToIso(`${addDays(lastDay, 1)}T00:00`, time_zone);
      onMade(await call(api.keys.post({ name, scopes, expires_at })));
    });
  return (
    <Form submission={making} submit={words.submit} onSubmit={make} layout="stack">
      <TextField
        label={words.name}
        hint={words.nameHint}
        required
        maxLength={100}
        value={name}
        onValue={setName}
        error={making.fields["name"]}
      />
      <Shown from={catalogue}>
        {(known) => (
          <Choices
            legend={words.scopes}
            options={Object.entries(known.scopes)}
            chosen={scopes}
            onChosen={(chosen) => {
              setScopes(chosen);
              making.clear();
            }}
            error={making.fields["scopes"]}
          />
        )}
      </Shown>
      <TextField
        label={words.expiry}
        hint={words.expiryHint(time_zone)}
        type="date"
        min={todayIn(time_zone)}
        value={lastDay}
        onValue={setLastDay}
        error={making.fields["expires_at"]}
      />
    </Form>
  );
}
