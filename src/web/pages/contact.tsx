// Page of one contact: calls, appointments, do-not-disturb, notes.
import { useRoute } from "preact-iso";
import type { ContactPageData } from "../../dashboard/contact-page.ts";
import { api, call } from "../client.ts";
import { Badge, Card, PageHead, Shown } from "../kit/parts.tsx";
import { Phone } from "../kit/phone.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { useChanges, useLoaded } from "../data.ts";
import { formatDate, formatShortTime } from "../format.ts";
import { useMay, useSession } from "../session.tsx";
import { appointmentStates, common, said } from "../words.ts";
import { outcomeText, stateText } from "./calls/call-words.ts";
import { CALLS_PATH } from "./calls/filters.ts";
import { useCalmly } from "./calls/use-live.ts";
import { Consents } from "./contacts/consents.tsx";
import { ContactActions } from "./contacts/contact-actions.tsx";
import { HoldNote } from "./contacts/hold-note.tsx";
import { Notes } from "./contacts/notes.tsx";
import { CONTACTS_PATH, contactPath } from "./contacts/paths.ts";
import { SeenBy } from "./contacts/seen-by.tsx";
import { PeopleCard } from "./contacts/people-of-number.tsx";
import { calendarAt } from "./today/paths.ts";

const words = said.contacts;

export function ContactPage() {
  const { id = "" } = useRoute().params;
  // The key discards the state of the previous contact.
  return <OneContact key={id} id={id} />;
}

function OneContact({ id }: { id: string }) {
  const loaded = useLoaded<ContactPageData>(() => call(api.contacts({ contact_id: id }).get()), [id]);
  const reload = useCalmly(loaded.reload);
  useChanges("call", reload);
  useChanges("appointment", reload);
  return (
    <>
      <a class="call-back" href={CONTACTS_PATH}>
        ← {words.back}
      </a>
      {loaded.data === null && <PageHead title={words.title} />}
      <Shown from={loaded} as="cards">
        {(page) => <Everything id={id} page={page} onChanged={loaded.reload} />}
      </Shown>
    </>
  );
}

interface EverythingProps {
  id: string;
  page: ContactPageData;
  onChanged: () => void;
}

function Everything({ id, page, onChanged }: EverythingProps) {
  const zone = useSession().organisation.time_zone;
  const isOwner = useMay("owner");
  const isSeenBy = isOwner && useRoute().query["tab"] === SEEN_BY;
  const [name] = page.names;
  // Of a family that shares the number, the names of this person alone.
  const own = page.people.find(({ names }) => name !== undefined && names.includes(name))?.names ?? page.names;
  const others = own.filter((each) => each !== name);
  const otherNames = others.length === 0 ? "" : ` · ${words.alsoKnownAs(others.join(", "))}`;
  return (
    <>
      <PageHead
        title={name ?? words.noName}
        note={
          <>
            <Phone number={page.number} />
            {`${otherNames}. ${common.zoneNote(zone)}`}
          </>
        }
        actions={<ContactActions id={id} page={page} onChanged={onChanged} />}
      />
      {isOwner && <Tabs id={id} isSeenBy={isSeenBy} />}
      {isSeenBy ? <SeenBy id={id} /> : <History id={id} page={page} zone={zone} onChanged={onChanged} />}
    </>
  );
}

/** In the address: `?tab=seen-by`. */
const SEEN_BY = "seen-by";

function Tabs({ id, isSeenBy }: { id: string; isSeenBy: boolean }) {
  const path = contactPath(id);
  const seenBy = `${path}?tab=${SEEN_BY}`;
  const tabs = [
    { path, text: words.seenBy.history },
    { path: seenBy, text: words.seenBy.title },
  ];
  return <TabRow label={words.seenBy.tabs} tabs={tabs} here={isSeenBy ? seenBy : path} />;
}

function History({ id, page, zone, onChanged }: EverythingProps & { zone: string }) {
  return (
    <div class="call-layout">
      <div class="call-main">
        <Calls page={page} zone={zone} />
        <Appointments page={page} />
      </div>
      <div class="call-aside">
        <PeopleCard people={page.people} />
        <HoldNote holds={page.holds} zone={zone} />
        <Consents
          id={id}
          consents={page.consents}
          listings={page.do_not_disturb_history}
          zone={zone}
          onChanged={onChanged}
        />
        <Notes id={id} notes={page.notes} zone={zone} onChanged={onChanged} />
      </div>
    </div>
  );
}

function Calls({ page: { calls, has_more_calls }, zone }: { page: ContactPageData; zone: string }) {
  return (
    <Card title={words.calls}>
      {calls.length === 0 ? (
        <p class="note">{words.noCalls}</p>
      ) : (
        <ul class="contact-list">
          {calls.map((row) => (
            <li key={row.call_id}>
              <span class="contact-who">
                <a href={`${CALLS_PATH}/${row.call_id}`}>
                  {formatShortTime(row.call_triggered_at ?? row.scheduled_at, zone)}
                </a>
                <Badge state={row.status} text={stateText(row.status)} />
              </span>
              <small>{[row.agent_name, outcomeText(row)].filter(Boolean).join(" · ")}</small>
            </li>
          ))}
        </ul>
      )}
      {has_more_calls && <p class="note">{words.moreCalls}</p>}
    </Card>
  );
}

function Appointments({ page: { appointments } }: { page: ContactPageData }) {
  return (
    <Card title={words.appointments}>
      {appointments.length === 0 ? (
        <p class="note">{words.noAppointments}</p>
      ) : (
        <ul class="contact-list">
          {appointments.map((row) => (
            <li key={row.appointment_id}>
              <span class="contact-who">
                <a href={calendarAt(row)}>{words.at(formatDate(row.date), row.start_time)}</a>
                <Badge state={row.status} text={appointmentStates[row.status] ?? row.status} />
              </span>
              <small>{[row.appointment_type_name, row.notes].filter(Boolean).join(" · ")}</small>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
