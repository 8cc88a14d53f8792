// What can be done for a person: never call again, call again after all, erase.
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ContactPageData } from "../../../dashboard/contact-page.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { CheckBox } from "../../kit/field.tsx";
import { Badge, Button } from "../../kit/parts.tsx";
import { formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { CallAgain } from "../calls/call-again.tsx";
import { DoNotDisturb } from "../calls/do-not-disturb.tsx";
import { CONTACTS_PATH } from "./paths.ts";

const words = said.contacts;

interface ContactActionsProps {
  id: string;
  page: ContactPageData;
  onChanged: () => void;
}

export function ContactActions({ id, page, onChanged }: ContactActionsProps) {
  const zone = useSession().organisation.time_zone;
  const isStaff = useMay("staff");
  const isOwner = useMay("owner");
  const [asking, setAsking] = useState<"again" | "disturb" | "allow" | "erase" | null>(null);
  const { number, do_not_disturb_since: since } = page;
  const close = () => setAsking(null);
  // With what was given last.
  const last = page.calls.find(({ call_direction, status }) => call_direction === "outbound" && isOver(status));
  return (
    <>
      {since !== null && <Badge state="held" text={words.disturbSince(formatShortTime(since, zone))} />}
      {isOwner && <Button kind="danger" onClick={() => setAsking("erase")} label={words.erase} />}
      {isStaff &&
        (since === null ? (
          <Button onClick={() => setAsking("disturb")} label={words.disturb} />
        ) : (
          <Button onClick={() => setAsking("allow")} label={words.allow} />
        ))}
      {isStaff && last && since === null && (
        <Button kind="primary" onClick={() => setAsking("again")} label={words.callThem} />
      )}
      {asking === "again" && last && <CallAgain call={last} onClose={close} />}
      {asking === "disturb" && <DoNotDisturb number={number} onClose={close} onDone={onChanged} />}
      {asking === "allow" && <Allow id={id} number={number} onClose={close} onDone={onChanged} />}
      {asking === "erase" && <Erase id={id} onClose={close} />}
    </>
  );
}

const isOver = (status: string): boolean => ["completed", "failed", "cancelled", "disallowed"].includes(status);

interface AllowProps {
  id: string;
  number: string;
  onClose: () => void;
  onDone: () => void;
}

function Allow({ id, number, onClose, onDone }: AllowProps) {
  const { busy, error, fields, run } = useAction();
  const allow = async () => {
    const send = () => call(api.contacts({ contact_id: id })["do-not-disturb"].put({ on: false }));
    if (!(await run(send, words.allowDone))) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={words.allowTitle}
      onClose={onClose}
      submission={{ busy, error, fields }}
      submit={words.allowConfirm}
      onSubmit={allow}
    >
      <p>{words.allowText(number)}</p>
    </FormDialog>
  );
}

function Erase({ id, onClose }: { id: string; onClose: () => void }) {
  const { route } = useLocation();
  const [understood, setUnderstood] = useState(false);
  const { busy, error, fields, run } = useAction();
  const erase = async () => {
    if (await run(() => call(api.contacts({ contact_id: id }).erase.post()), words.erased)) route(CONTACTS_PATH, true);
  };
  return (
    <FormDialog
      title={words.eraseTitle}
      onClose={onClose}
      submission={{ busy, error, fields }}
      submit={words.eraseConfirm}
      kind="danger"
      isDisabled={!understood}
      onSubmit={erase}
    >
      <p>{words.eraseText}</p>
      <p>{words.eraseStays}</p>
      <p class="note">{words.eraseBeyond}</p>
      <CheckBox label={words.understood} checked={understood} onChecked={setUnderstood} />
    </FormDialog>
  );
}
