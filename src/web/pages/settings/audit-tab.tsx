// Audit trail: newest first, by patient, act, actor and day, and complete as CSV.
import { useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { addDays, zonedToIso } from "../../format.ts";
import { given } from "../../given.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Button, Card, LinkButton } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { useDelayed } from "../../kit/use-delayed.ts";
import { useMay, useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { AuditEntries } from "./audit-entries.tsx";
import { BreachCard } from "./breach-card.tsx";

const words = said.auditLog;

export function AuditTab() {
  const { contact = "" } = useRoute().query;
  // The key discards the filters of the previous patient.
  return <Log key={contact} contact={contact} />;
}

function Log({ contact }: { contact: string }) {
  const { organisation } = useSession();
  const [filters, setFilters] = useState({ ...EVERYTHING, contact_id: contact });
  const wanted = wantedBy(filters, organisation.time_zone);

  return (
    <>
      <Card
        title={words.title}
        actions={
          <LinkButton
            href={`/dashboard/api/audit/export?${new URLSearchParams(wanted).toString()}`}
            download
            label={words.export}
          />
        }
      >
        <p class="note">
          {words.note} {common.zoneNote(organisation.time_zone)}
        </p>
        <Filters filters={filters} onFilters={setFilters} />
        <AuditEntries label={words.title} query={wanted} />
      </Card>
      <BreachCard />
    </>
  );
}

const EVERYTHING = { action: "", actor_id: "", actor_kind: "", subject_id: "", contact_id: "", from: "", to: "" };
type Wanted = typeof EVERYTHING;

/** Days are in the organisation's zone, the last one inclusive. */
function wantedBy({ from, to, ...others }: Wanted, zone: string): Record<string, string> {
  const wanted = given({
    ...others,
    subject_id: others.subject_id.trim(),
    from: from && zonedToIso(`${from}T00:00`, zone),
    to: to && zonedToIso(`${addDays(to, 1)}T00:00`, zone),
  });
  return Object.fromEntries(Object.entries(wanted).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

interface FiltersProps {
  filters: Wanted;
  onFilters: (filters: Wanted) => void;
}

function Filters({ filters, onFilters }: FiltersProps) {
  const people = useLoaded(() => call(api.people.get()), []);
  const keys = useLoaded(() => call(api.keys.get()), []);
  const set = (name: keyof Wanted) => (value: string) => onFilters({ ...filters, [name]: value });
  const who = [
    ...(people.data ?? []).map(({ person_id, name }) => [person_id, name] as const),
    ...(keys.data ?? []).map(({ key_id, name }) => [key_id, words.keyNamed(name)] as const),
  ];
  return (
    <div class="filters">
      <Patient contactId={filters.contact_id} onContact={set("contact_id")} />
      <SelectField
        label={words.filter}
        value={filters.action}
        onValue={set("action")}
        options={[["", words.everything], ...Object.entries(words.filters)]}
      />
      <SelectField
        label={words.kind}
        value={filters.actor_kind}
        onValue={set("actor_kind")}
        options={[["", words.everyKind], ...Object.entries(words.kindFilters)]}
      />
      <SelectField
        label={words.person}
        value={filters.actor_id}
        onValue={set("actor_id")}
        options={[["", words.anybody], ...who]}
      />
      <TextField label={words.record} value={filters.subject_id} onValue={set("subject_id")} maxLength={64} />
      <TextField label={words.from} type="date" value={filters.from} onValue={set("from")} />
      <TextField label={words.to} type="date" value={filters.to} onValue={set("to")} />
    </div>
  );
}

/** Auditors do not search patients; a link leads them to the entries about one. */
function Patient({ contactId, onContact }: { contactId: string; onContact: (contactId: string) => void }) {
  const mayPick = useMay("owner");
  if (contactId !== "") return <Button onClick={() => onContact("")} label={words.allPatients} />;
  return mayPick ? <PickPatient onContact={onContact} /> : null;
}

const LEAST_TYPED = 2;
const MOST_OFFERED = 5;

function PickPatient({ onContact }: { onContact: (contactId: string) => void }) {
  const [text, setText] = useState("");
  const wanted = useDelayed(text);
  const isEnough = wanted.length >= LEAST_TYPED;
  const found = useLoaded(
    async () => (isEnough ? (await call(api.contacts.search.post({ text: wanted }))).slice(0, MOST_OFFERED) : []),
    [wanted],
  );
  return (
    <div class="audit-patient">
      <TextField label={words.patient} value={text} onValue={setText} maxLength={100} autoComplete="off" />
      {isEnough && (
        <ul class="contact-list" aria-label={words.patient}>
          {found.data?.length === 0 && <li class="note">{words.noPatient}</li>}
          {found.data?.map(({ contact_id, name, number }) => (
            <li key={number}>
              <button
                type="button"
                class="link"
                disabled={contact_id === null}
                onClick={() => onContact(contact_id ?? "")}
              >
                {name ?? <Phone number={number} />}
              </button>{" "}
              {name !== null && (
                <small>
                  <Phone number={number} />
                </small>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
