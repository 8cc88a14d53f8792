// Archived agents, and restoring one.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button, Problem } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.agents.archivedAgents;

export function ArchivedAgents({ onBack }: { onBack: () => void }) {
  const zone = useSession().organisation.time_zone;
  const isStaff = useMay("staff");
  const archived = useLoaded(() => call(api.agents.archived.get()), []);
  const [busyId, setBusyId] = useState<string | null>(null);
  const { error, run } = useAction();
  const rows = archived.data ?? [];
  const bringBack = async (id: string, name: string) => {
    setBusyId(id);
    if (await run(() => call(api.agents({ id }).unarchive.post()), words.isBack(name))) onBack();
    setBusyId(null);
    archived.reload();
  };
  if (rows.length === 0) return null;
  return (
    <details class="card archived-agents">
      <summary>{words.title(rows.length)}</summary>
      <Problem text={error} />
      <ul class="rows">
        {rows.map(({ agent_id, name, archived_at }) => (
          <li key={agent_id} class="archived-agent">
            <span>
              <span class="row-title">{name}</span>{" "}
              <span class="note">{words.since(formatShortTime(archived_at, zone))}</span>
            </span>
            {isStaff && (
              <Button
                busy={busyId === agent_id}
                aria-label={words.bringBackName(name)}
                onClick={() => void bringBack(agent_id, name)}
                label={words.bringBack}
              />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
