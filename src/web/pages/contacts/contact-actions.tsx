// Actions on a contact: call, book and wait as buttons; what is seldom needed, and erasing last, behind ⋯.
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ContactPageData } from "../../../dashboard/contact-page.ts";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { MoreMenu } from "../../kit/more-menu.tsx";
import { Badge, Button, LinkButton } from "../../kit/parts.tsx";
import { formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { spaced } from "../../phone-number.ts";
import { said } from "../../words.ts";
import { CallAgain } from "../calls/call-again.tsx";
import { DoNotDisturb } from "../calls/do-not-disturb.tsx";
import { NewCall } from "../calls/new-call.tsx";
import { AddHold } from "../settings/holds-tab.tsx";
import { CONTACTS_PATH } from "./paths.ts";
import { PersonBooking } from "./person-booking.tsx";
import { MergePeople, RenamePerson } from "./renaming.tsx";

const words = said.contacts;

interface ContactActionsProps {
  id: string;
  page: ContactPageData;
  onChanged: () => void;
}

type Asking = "again" | "call" | "book" | "wait" | "rename" | "merge" | "disturb" | "allow" | "erase" | "hold";

export function ContactActions({ id, page, onChanged }: ContactActionsProps) {
  const { organisation, person } = useSession();
  const isStaff = useMay("staff");
  const isOwner = useMay("owner");
  const [asking, setAsking] = useState<Asking | null>(null);
  const { do_not_disturb_since: since, people } = page;
  const ask = (what: Asking) => () => setAsking(what);
  const last = lastCallOf(page);
  // The names are in the records of every branch.
  const mayRename = isStaff && !person.is_bound;
  return (
    <>
      {since !== null && (
        <Badge state="held" text={words.disturbSince(formatShortTime(since, organisation.time_zone))} />
      )}
      {isStaff && <Button onClick={ask("wait")} label={words.wait} />}
      {isStaff && <Button onClick={ask("book")} label={words.book} />}
      {isStaff && since === null && (
        <Button kind="primary" onClick={ask(last ? "again" : "call")} label={words.callThem} />
      )}
      {isStaff && (
        <MoreMenu>
          {mayRename && <Button onClick={ask("rename")} label={words.renameThem} />}
          {mayRename && people.length > 1 && <Button onClick={ask("merge")} label={words.mergeThem} />}
          {since === null ? (
            <Button onClick={ask("disturb")} label={words.disturb} />
          ) : (
            <Button onClick={ask("allow")} label={words.allow} />
          )}
          {isOwner && <Button onClick={ask("hold")} label={words.holds.add} />}
          {isOwner && <LinkButton href={`/dashboard/api/contacts/${id}/file`} download label={words.download} />}
          {isOwner && <Button kind="danger" onClick={ask("erase")} label={words.erase} />}
        </MoreMenu>
      )}
      {asking !== null && (
        <Asked id={id} page={page} asking={asking} onClose={() => setAsking(null)} onChanged={onChanged} />
      )}
    </>
  );
}

/** The last finished outbound call provides the values for the next. */
const lastCallOf = ({ calls }: ContactPageData) =>
  calls.find(({ call_direction, status }) => call_direction === "outbound" && isOver(status));

interface AskedProps extends ContactActionsProps {
  asking: Asking;
  onClose: () => void;
}

function Asked({ id, page, asking, onClose, onChanged }: AskedProps) {
  const { number, people } = page;
  const last = lastCallOf(page);
  const [name = ""] = page.names;
  const own = Math.max(
    0,
    people.findIndex(({ names }) => names.includes(name)),
  );
  const dialog = { onClose, onDone: onChanged };
  const person = { name, number, identifiers: people[own]?.identifiers ?? [] };
  switch (asking) {
    case "again":
      return last ? <CallAgain call={last} onClose={onClose} /> : null;
    case "call":
      return <CallPerson name={name} number={number} {...dialog} />;
    case "book":
    case "wait":
      return <PersonBooking kind={asking} person={person} {...dialog} />;
    case "rename":
      return <RenamePerson id={id} people={people} own={own} {...dialog} />;
    case "merge":
      return <MergePeople id={id} people={people} own={own} {...dialog} />;
    case "disturb":
      return <DoNotDisturb number={number} {...dialog} />;
    case "allow":
      return <Allow id={id} number={number} {...dialog} />;
    case "hold":
      return <AddHold about={{ contact_number: number }} onClose={onClose} onAdded={onChanged} />;
    case "erase":
      return <Erase id={id} onClose={onClose} />;
  }
}

const isOver = (status: string): boolean => ["completed", "failed", "cancelled", "disallowed"].includes(status);

interface DialogProps {
  onClose: () => void;
  onDone: () => void;
}

/** The first call to somebody who was not called before. */
function CallPerson({ name, number, onClose, onDone }: DialogProps & { name: string; number: string }) {
  const agents = useLoaded(() => call(api.agents.get()), []);
  return <NewCall open agents={agents} onClose={onClose} onCreated={onDone} first={{ name, number }} />;
}

function Allow({ id, number, onClose, onDone }: DialogProps & { id: string; number: string }) {
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
