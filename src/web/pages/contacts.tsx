// Contacts: the most recently called people, and a search by name, number, identifier or appointment. The search text
// stays in the page and never appears in a URL.
import { useState } from "preact/hooks";
import type { FoundContact } from "../../dashboard/contact-page.ts";
import { api, call } from "../client.ts";
import { TextField } from "../kit/field.tsx";
import { Badge, Card, PageHead, Shown } from "../kit/parts.tsx";
import { Phone } from "../kit/phone.tsx";
import { useLoaded } from "../data.ts";
import { formatDate, formatShortTime } from "../format.ts";
import { useSession } from "../session.tsx";
import { said } from "../words.ts";
import { contactPath } from "./contacts/paths.ts";
import { PeopleOfNumber } from "./contacts/people-of-number.tsx";
import { useDelayed } from "../kit/use-delayed.ts";

const words = said.contacts;

export function ContactsPage() {
  const [text, setText] = useState("");
  const asked = useDelayed(text);
  const found = useLoaded((signal) => call(api.contacts.search.post({ text: asked }, { fetch: { signal } })), [asked]);
  return (
    <>
      <PageHead title={words.title} note={words.note} />
      <Card title={asked === "" ? words.recent : words.found}>
        <form role="search" aria-label={words.search} onSubmit={(event) => event.preventDefault()}>
          <TextField
            label={words.search}
            hint={words.searchHint}
            type="search"
            autoComplete="off"
            maxLength={100}
            value={text}
            onValue={setText}
          />
        </form>
        <Shown
          from={found}
          as="rows"
          isEmpty={(people) => people.length === 0}
          empty={asked === "" ? words.nobody : words.noneFound}
        >
          {(people) => <People people={people} />}
        </Shown>
      </Card>
    </>
  );
}

function People({ people }: { people: readonly FoundContact[] }) {
  const zone = useSession().organisation.time_zone;
  return (
    <ul class="contact-list">
      {people.map(({ contact_id, number, name, at, people: who, next_appointment: next, is_do_not_disturb }) => (
        <li key={number}>
          <span class="contact-who">
            <strong>
              {contact_id === null ? (
                (name ?? words.noName)
              ) : (
                <a href={contactPath(contact_id)}>{name ?? words.noName}</a>
              )}
            </strong>
            <Phone number={number} />
            {is_do_not_disturb && <Badge state="held" text={words.isDisturb} />}
          </span>
          {who.some(({ identifiers }) => identifiers.length > 0) && <PeopleOfNumber people={who} />}
          <small>
            {words.last}: {formatShortTime(at, zone)}
            {next && ` · ${words.next}: ${words.at(formatDate(next.date), next.start_time)}`}
          </small>
        </li>
      ))}
    </ul>
  );
}
