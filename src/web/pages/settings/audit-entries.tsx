// Entries of the audit log as sentences, with names and links.
import type { ComponentChildren } from "preact";
import { api, call } from "../../client.ts";
import { formatTime } from "../../format.ts";
import { MoreRows } from "../../kit/more-rows.tsx";
import { Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { usePages } from "../../kit/use-pages.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.auditLog;
const logged = said.auditActions;

const load = (query: Readonly<Record<string, string>>, cursor: string | undefined) =>
  call(api.audit.get({ query: { ...query, ...(cursor === undefined ? {} : { cursor }) } }));
type Entry = Awaited<ReturnType<typeof load>>["data"][number];

interface EntriesProps {
  label: string;
  /** As the API takes it. */
  query: Readonly<Record<string, string>>;
}

export function AuditEntries({ label, query }: EntriesProps) {
  const { organisation } = useSession();
  const list = usePages((cursor) => load(query, cursor), [JSON.stringify(query)]);
  return (
    <>
      <Shown from={list.first} as="rows" isEmpty={() => list.rows.length === 0} empty={words.nothing}>
        {() => (
          <Table
            label={label}
            class="settings-table audit"
            narrow="cards"
            rows={list.rows}
            keyOf={({ id }) => id}
            columns={[
              [words.at, ({ at }) => formatTime(at, organisation.time_zone), "when"],
              [words.action, (entry) => <Sentence entry={entry} />],
              [words.detail, ({ detail }) => detailText(detail, organisation.time_zone)],
            ]}
          />
        )}
      </Shown>
      <MoreRows list={list} />
    </>
  );
}

const PLACE = /(\{who\}|\{subject\})/;

/** "{who} opened the page of {subject}": a sentence of the language, or the act with its subject. */
function Sentence({ entry }: { entry: Entry }) {
  const { action, subject_id, detail } = entry;
  // The file of a person is an act of its own for readers of the log.
  const act = detail["file"] === true ? `${action} file` : action;
  const whole = words.sentences[act];
  const text = whole ?? words.plainly(logged.acts[act] ?? action, subject_id !== null);
  return (
    <span title={action}>
      {text.split(PLACE).map((part): ComponentChildren => {
        if (part === "{who}") return <strong key={part}>{actorText(entry)}</strong>;
        return part === "{subject}" ? <Subject key={part} entry={entry} /> : part;
      })}
    </span>
  );
}

function actorText({ actor_kind, actor_name }: Entry): string {
  if (actor_name === null) return words.kinds[actor_kind] ?? actor_kind;
  return actor_kind === "key" ? words.keyNamed(actor_name) : actor_name;
}

/** An erased patient has neither a name nor a page. */
function Subject({
  entry: { subject_id: id, subject_name: name, is_patient: isPatient, contact_id },
}: {
  entry: Entry;
}) {
  const isOwner = useMay("owner");
  if (id === null) return <>–</>;
  const short = id.length > 20 ? `${id.slice(0, 9)}…${id.slice(-6)}` : id;
  const path = pathTo(id, contact_id, isOwner);
  const shown = name ?? (isPatient ? words.aPatient : <code>{short}</code>);
  return path === null ? <span title={id}>{shown}</span> : <a href={path}>{shown}</a>;
}

/** Auditors do not open patients: for them a patient leads to the entries about this patient. */
function pathTo(id: string, contactId: string | null, isOwner: boolean): string | null {
  if (!isOwner && contactId !== null) return `/dashboard/settings/audit?contact=${contactId}`;
  if (id.startsWith("call_")) return isOwner ? `/dashboard/calls/${id}` : null;
  if (contactId !== null) return `/dashboard/people/${contactId}`;
  return id.startsWith("agt_") ? `/dashboard/agents/${id}` : null;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function detailText(detail: Record<string, unknown>, zone: string): string {
  const shown = (value: unknown): string => {
    const text = String(value);
    return ISO_TIME.test(text) ? formatTime(text, zone) : (logged.values[text] ?? text);
  };
  return Object.entries(detail)
    .filter(([name, value]) => value !== null && name !== "file")
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.map(shown).join(", ") : shown(value);
      return `${logged.details[name] ?? name.replaceAll("_", " ")}: ${text}`;
    })
    .join("; ");
}
