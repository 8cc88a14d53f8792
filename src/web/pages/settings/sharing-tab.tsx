// Whether calls get a link that opens without signing in, and how long new links live.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Badge, Button, Card, CheckBox, Problem, SelectField } from "../../components/parts.tsx";
import { useMay } from "../../session.tsx";
import { common, said } from "../../words.ts";
import type { TabProps } from "./settings-data.ts";

const words = said.settings.sharingTab;

export function SharingTab({ settings: { sharing }, reload }: TabProps) {
  const mayEdit = useMay("owner");
  const [enabled, setEnabled] = useState(sharing.enabled);
  const [expiry, setExpiry] = useState<string>(sharing.expiry);
  const { busy, error, fields, run } = useAction();
  const save = async () => {
    if (await run(() => call(api.settings.sharing.put({ enabled, expiry })), words.saved)) reload();
  };
  return (
    <Card
      title={words.title}
      actions={<Badge state={sharing.enabled ? "active" : "cancelled"} text={sharing.enabled ? words.on : words.off} />}
    >
      <p>{words.whatOn}</p>
      <p>{words.whatOff}</p>
      <form
        class="narrow-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {error !== null && <Problem text={error} />}
        <CheckBox label={words.enable} checked={enabled} onChecked={setEnabled} disabled={!mayEdit} />
        <SelectField
          label={words.expiry}
          hint={words.expiryHint}
          value={expiry}
          onValue={setExpiry}
          options={Object.entries(words.expiries)}
          disabled={!mayEdit}
          error={fields["expiry"]}
        />
        {mayEdit ? (
          <div class="actions">
            <Button kind="primary" type="submit" busy={busy}>
              {common.save}
            </Button>
          </div>
        ) : (
          <p class="note">{words.ownersOnly}</p>
        )}
      </form>
    </Card>
  );
}
