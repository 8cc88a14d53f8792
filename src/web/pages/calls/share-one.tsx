// Sharing of this call alone: create the link, copy it, revoke it.
import { useState } from "preact/hooks";
import type { CallPageData } from "../../../dashboard/call-page.ts";
import { api, call } from "../../client.ts";
import { formatTime } from "../../format.ts";
import { ConfirmButton, FormDialog } from "../../kit/dialog.tsx";
import { SelectField } from "../../kit/field.tsx";
import { Button, Card } from "../../kit/parts.tsx";
import { useForm } from "../../kit/use-form.ts";
import { said } from "../../words.ts";
import { LinkRow } from "./share-link.tsx";

const words = said.sharing.one;
const PRESET_DAYS = "7";

interface ShareOneProps {
  callId: string;
  share: CallPageData["single_share"];
  zone: string;
  onChanged: () => void;
}

export function ShareOne({ callId, share, zone, onChanged }: ShareOneProps) {
  const [isSharing, setSharing] = useState(false);
  const link = api.calls({ call_id: callId }).share;
  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      {share === null ? (
        <div class="actions">
          <Button onClick={() => setSharing(true)} label={words.share} />
        </div>
      ) : (
        <>
          <LinkRow url={share.url} label={words.label} />
          <p class="note">{words.until(formatTime(share.expires_at, zone))}</p>
          <div class="actions">
            <ConfirmButton
              title={words.revokeTitle}
              text={words.revokeText}
              action={words.revoke}
              onConfirm={() => call(link.delete())}
              done={words.revoked}
              onDone={onChanged}
            />
          </div>
        </>
      )}
      {isSharing && <NewShare callId={callId} onClose={() => setSharing(false)} onShared={onChanged} />}
    </Card>
  );
}

function NewShare({ callId, onClose, onShared }: { callId: string; onClose: () => void; onShared: () => void }) {
  const form = useForm({ days: PRESET_DAYS });
  const share = async () => {
    const days = Number(form.values.days);
    if (!(await form.run(() => call(api.calls({ call_id: callId }).share.post({ days })), words.done))) return;
    onClose();
    onShared();
  };
  return (
    <FormDialog title={words.dialog} onClose={onClose} submission={form} submit={words.confirm} onSubmit={share}>
      <p class="notice warn">{words.warning}</p>
      <SelectField label={words.days} options={Object.entries(words.choices)} {...form.at("days")} />
    </FormDialog>
  );
}
