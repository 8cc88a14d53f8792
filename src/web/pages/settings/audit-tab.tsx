// Audit trail: newest first, filtered by action, and complete as CSV.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Card, LinkButton, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useLoaded } from "../../data.ts";
import { addDays, formatTime, zonedToIso } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { MoreRows } from "../../kit/more-rows.tsx";
import { usePages } from "../../kit/use-pages.ts";
import { given } from "../../given.ts";

const words = said.settings.auditTab;

export function AuditTab() {
  const { organisation } = useSession();
  const [filters, setFilters] = useState(EVERYTHING);
  const wanted = wantedBy(filters, organisation.time_zone);
  const list = usePages((cursor) => call(api.audit.get({ query: given({ ...wanted, cursor }) })), [filters]);

  return (
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
      <Shown from={list.first} as="rows" isEmpty={() => list.rows.length === 0} empty={words.nothing}>
        {() => (
          <Table
            label={words.title}
            class="settings-table audit"
            rows={list.rows}
            keyOf={({ id }) => id}
            columns={[
              [words.at, ({ at }) => formatTime(at, organisation.time_zone), "when"],
              [words.who, actorText],
              [words.action, ({ action }) => <code>{action}</code>],
              [words.subject, ({ subject_id, subject_name }) => <Subject id={subject_id} name={subject_name} />],
              [words.detail, ({ detail }) => detailText(detail)],
            ]}
          />
        )}
      </Shown>
      <MoreRows list={list} />
    </Card>
  );
}

const EVERYTHING = { action: "", actor_id: "", from: "", to: "" };
type Wanted = typeof EVERYTHING;

/** Days are in the organisation's zone, the last one inclusive. */
function wantedBy({ action, actor_id, from, to }: Wanted, zone: string): Partial<Wanted> {
  return given({
    action,
    actor_id,
    from: from && zonedToIso(`${from}T00:00`, zone),
    to: to && zonedToIso(`${addDays(to, 1)}T00:00`, zone),
  });
}

function Filters({ filters, onFilters }: { filters: Wanted; onFilters: (filters: Wanted) => void }) {
  const people = useLoaded(() => call(api.people.get()), []);
  const keys = useLoaded(() => call(api.keys.get()), []);
  const set = (name: keyof Wanted) => (value: string) => onFilters({ ...filters, [name]: value });
  const who = [
    ...(people.data ?? []).map(({ person_id, name }) => [person_id, name] as const),
    ...(keys.data ?? []).map(({ key_id, name }) => [key_id, words.keyNamed(name)] as const),
  ];
  return (
    <div class="filters">
      <SelectField
        label={words.filter}
        value={filters.action}
        onValue={set("action")}
        options={[["", words.everything], ...Object.entries(words.filters)]}
      />
      <SelectField
        label={words.person}
        value={filters.actor_id}
        onValue={set("actor_id")}
        options={[["", words.anybody], ...who]}
      />
      <TextField label={words.from} type="date" value={filters.from} onValue={set("from")} />
      <TextField label={words.to} type="date" value={filters.to} onValue={set("to")} />
    </div>
  );
}

function actorText({ actor_kind, actor_name }: { actor_kind: string; actor_name: string | null }): string {
  if (actor_name === null) return words.kinds[actor_kind] ?? actor_kind;
  return actor_kind === "key" ? words.keyNamed(actor_name) : actor_name;
}

/** A call has a page to link to; other subjects are shown by id. */
function Subject({ id, name }: { id: string | null; name: string | null }) {
  if (id === null) return <>–</>;
  if (name !== null) return <span title={id}>{name}</span>;
  const text = <code title={id}>{id.length > 20 ? `${id.slice(0, 9)}…${id.slice(-6)}` : id}</code>;
  return id.startsWith("call_") ? <a href={`/dashboard/calls/${id}`}>{text}</a> : text;
}

function detailText(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join("; ");
}
