// Whether calls get a link that opens without signing in, and how long new links live.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { CheckBox, SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Badge, Card } from "../../kit/parts.tsx";
import { useMay } from "../../session.tsx";
import { common, said } from "../../words.ts";
import type { TabProps } from "./settings-data.ts";

const words = said.settings.sharingTab;

export function SharingTab({ settings: { sharing }, reload }: TabProps) {
  const mayEdit = useMay("owner");
  const [enabled, setEnabled] = useState(sharing.enabled);
  const [expiry, setExpiry] = useState<string>(sharing.expiry);
  const saving = useAction();
  const save = async () => {
    if (await saving.run(() => call(api.settings.sharing.put({ enabled, expiry })), words.saved)) reload();
  };
  return (
    <Card
      title={words.title}
      actions={<Badge state={sharing.enabled ? "active" : "cancelled"} text={sharing.enabled ? words.on : words.off} />}
    >
      <p>{words.whatOn}</p>
      <p>{words.whatOff}</p>
      <Form submission={saving} submit={common.save} isDisabled={!mayEdit} onSubmit={save} layout="stack">
        <CheckBox label={words.enable} checked={enabled} onChecked={setEnabled} disabled={!mayEdit} />
        <SelectField
          label={words.expiry}
          hint={words.expiryHint}
          value={expiry}
          onValue={setExpiry}
          options={Object.entries(words.expiries)}
          disabled={!mayEdit}
          error={saving.fields["expiry"]}
        />
        {!mayEdit && <p class="note">{words.ownersOnly}</p>}
      </Form>
    </Card>
  );
}
