// Page of one contact: calls, appointments, do-not-disturb, notes.
import { useRoute } from "preact-iso";
import type { ContactPageData } from "../../dashboard/contact-page.ts";
import { api, call } from "../client.ts";
import { Badge, Card, PageHead, Shown } from "../kit/parts.tsx";
import { Phone } from "../kit/phone.tsx";
import { useChanges, useLoaded } from "../data.ts";
import { formatDate, formatShortTime } from "../format.ts";
import { useSession } from "../session.tsx";
import { appointmentStates, common, said } from "../words.ts";
import { outcomeText, stateText } from "./calls/call-words.ts";
import { CALLS_PATH } from "./calls/filters.ts";
import { useCalmly } from "./calls/use-live.ts";
import { ContactActions } from "./contacts/contact-actions.tsx";
import { Notes } from "./contacts/notes.tsx";
import { CONTACTS_PATH } from "./contacts/paths.ts";
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
  const [name, ...others] = page.names;
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
      <div class="call-layout">
        <div class="call-main">
          <Calls page={page} zone={zone} />
          <Appointments page={page} />
        </div>
        <div class="call-aside">
          <Notes id={id} notes={page.notes} zone={zone} onChanged={onChanged} />
        </div>
      </div>
    </>
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
