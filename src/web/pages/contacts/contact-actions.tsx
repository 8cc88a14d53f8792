// Actions on a contact: add to and remove from do-not-disturb, call again, erase.
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ContactPageData } from "../../../dashboard/contact-page.ts";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { Badge, Button, LinkButton } from "../../kit/parts.tsx";
import { formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { spaced } from "../../phone-number.ts";
import { said } from "../../words.ts";
import { CallAgain } from "../calls/call-again.tsx";
import { DoNotDisturb } from "../calls/do-not-disturb.tsx";
import { AddHold } from "../settings/holds-tab.tsx";
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
  const [asking, setAsking] = useState<"again" | "disturb" | "allow" | "erase" | "hold" | null>(null);
  const { number, do_not_disturb_since: since } = page;
  const close = () => setAsking(null);
  // The last finished outbound call provides the values for the next.
  const last = page.calls.find(({ call_direction, status }) => call_direction === "outbound" && isOver(status));
  return (
    <>
      {since !== null && <Badge state="held" text={words.disturbSince(formatShortTime(since, zone))} />}
      {isOwner && <LinkButton href={`/dashboard/api/contacts/${id}/file`} download label={words.download} />}
      {isOwner && <Button onClick={() => setAsking("hold")} label={words.holds.add} />}
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
      {asking === "hold" && <AddHold about={{ contact_number: number }} onClose={close} onAdded={onChanged} />}
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
  return (
    <Confirm
      title={words.allowTitle}
      text={words.allowText(spaced(number))}
      action={words.allowConfirm}
      kind="primary"
      onClose={onClose}
      onConfirm={() => call(api.contacts({ contact_id: id })["do-not-disturb"].put({ on: false }))}
      done={words.allowDone}
      onDone={onDone}
    />
  );
}

function Erase({ id, onClose }: { id: string; onClose: () => void }) {
  const { route } = useLocation();
  return (
    <Confirm
      title={words.eraseTitle}
      text={words.eraseText}
      action={words.eraseConfirm}
      understood={words.understood}
      onClose={onClose}
      onConfirm={() => call(api.contacts({ contact_id: id }).erase.post())}
      done={words.erased}
      onDone={() => route(CONTACTS_PATH, true)}
    >
      <p>{words.eraseStays}</p>
      <p class="note">{words.eraseBeyond}</p>
    </Confirm>
  );
}
