// Who did what: newest first, by action, and all of it as CSV.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Card, SelectField, Shown } from "../../components/parts.tsx";
import { useLoaded } from "../../data.ts";
import { formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { MoreRows } from "./more-rows.tsx";
import { usePages } from "./use-pages.ts";

const words = said.settings.auditTab;

export function AuditTab() {
  const { organisation } = useSession();
  const [action, setAction] = useState("");
  const wanted = action === "" ? {} : { action };
  const people = useLoaded(() => call(api.people.get()), []);
  const list = usePages(
    (cursor) => call(api.audit.get({ query: { ...wanted, ...(cursor === undefined ? {} : { cursor }) } })),
    [action],
  );
  const nameOf = (kind: string, id: string | null) =>
    people.data?.find(({ person_id }) => person_id === id)?.name ?? words.kinds[kind] ?? kind;

  return (
    <Card
      title={words.title}
      actions={
        <a
          class="button as-link"
          href={`/dashboard/api/audit/export?${new URLSearchParams(wanted).toString()}`}
          download
        >
          {words.export}
        </a>
      }
    >
      <p class="note">
        {words.note} {common.zoneNote(organisation.time_zone)}
      </p>
      <div class="filters settings-filter">
        <SelectField
          label={words.filter}
          value={action}
          onValue={setAction}
          options={[["", words.everything], ...Object.entries(words.filters)]}
        />
      </div>
      <Shown from={list.first} isEmpty={() => list.rows.length === 0} empty={words.nothing}>
        {() => (
          <div class="table-wrap settings-table" tabIndex={0} role="region" aria-label={words.title}>
            <table class="audit">
              <thead>
                <tr>
                  <th scope="col">{words.at}</th>
                  <th scope="col">{words.who}</th>
                  <th scope="col">{words.action}</th>
                  <th scope="col">{words.subject}</th>
                  <th scope="col">{words.detail}</th>
                </tr>
              </thead>
              <tbody>
                {list.rows.map((entry) => (
                  <tr key={entry.id}>
                    <td class="when">{formatTime(entry.at, organisation.time_zone)}</td>
                    <td>{nameOf(entry.actor_kind, entry.actor_id)}</td>
                    <td>
                      <code>{entry.action}</code>
                    </td>
                    <td>
                      <Subject id={entry.subject_id} />
                    </td>
                    <td>{detailText(entry.detail)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
      <MoreRows list={list} />
    </Card>
  );
}

/** A call can be looked at; of everything else the id is what there is. */
function Subject({ id }: { id: string | null }) {
  if (id === null) return <>–</>;
  const text = <code title={id}>{id.length > 20 ? `${id.slice(0, 9)}…${id.slice(-6)}` : id}</code>;
  return id.startsWith("call_") ? <a href={`/dashboard/calls/${id}`}>{text}</a> : text;
}

function detailText(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join("; ");
}
