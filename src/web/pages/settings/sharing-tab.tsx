// Sharing of calls: whether public links are allowed, and how long new links are valid.
import { api, call } from "../../client.ts";
import { CheckBox, SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Badge, Card } from "../../kit/parts.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useMay } from "../../session.tsx";
import { common, said } from "../../words.ts";
import type { TabProps } from "./settings-data.ts";

const words = said.settings.sharingTab;

export function SharingTab({ settings: { sharing }, reload }: TabProps) {
  const mayEdit = useMay("owner");
  const form = useForm({ enabled: sharing.enabled, expiry: sharing.expiry });
  const save = async () => {
    if (await form.run(() => call(api.settings.sharing.put(form.values)), words.saved)) reload();
  };
  return (
    <Card
      title={words.title}
      actions={<Badge state={sharing.enabled ? "active" : "cancelled"} text={sharing.enabled ? words.on : words.off} />}
    >
      <p class="notice warn">{words.warning}</p>
      <p>{words.whatOn}</p>
      <p>{words.whatOff}</p>
      <Form submission={form} submit={common.save} isDisabled={!mayEdit} onSubmit={save} layout="stack">
        <CheckBox label={words.enable} {...form.box("enabled")} disabled={!mayEdit} />
        <SelectField
          label={words.expiry}
          hint={words.expiryHint}
          options={Object.entries(words.expiries)}
          {...form.at("expiry")}
          disabled={!mayEdit}
        />
        {!mayEdit && <p class="note">{words.ownersOnly}</p>}
      </Form>
    </Card>
  );
}
