// Version history of an agent: author, time and changes, with difference and restore.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { SelectField } from "../../kit/field.tsx";
import { Button, Card, Problem, Shown } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import { useLoaded } from "../../data.ts";
import { formatTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import type { Agent } from "./agent-form.ts";
import { actorName, fieldName, fieldValue, shortened, type Piece } from "./version-words.ts";

const words = said.agentVersions.list;

const SHOWN_AT_FIRST = 5;

interface Version {
  version: number;
  at: string;
  by: { kind: string; name: string | null };
  restored_from: number | null;
  changed: readonly string[];
}

interface VersionsProps {
  agent: Agent;
  hasUnsaved: boolean;
  onRestored: (agent: Agent) => void;
}

export function AgentVersions({ agent, hasUnsaved, onRestored }: VersionsProps) {
  const { time_zone } = useSession().organisation;
  const versions = useLoaded(
    () => call(api.agents({ id: agent.agent_id }).versions.get()),
    [agent.agent_id, agent.updated_at],
  );
  const [isWhole, setWhole] = useState(false);
  const [shown, setShown] = useState<Version | null>(null);
  const newest = versions.data?.[0]?.version ?? 0;
  return (
    <Card title={words.title}>
      <p class="note">
        {words.note} {common.zoneNote(time_zone)}
      </p>
      <Shown from={versions}>
        {(list) => (
          <>
            <ul class="rows">
              {list.slice(0, isWhole ? list.length : SHOWN_AT_FIRST).map((version) => (
                <li key={version.version} class="version-row">
                  <span class="row-title">
                    {words.version(version.version)}
                    {version.version === newest && <span class="note"> · {words.now}</span>}
                  </span>
                  <span>{whatChanged(version)}</span>
                  <span class="note">
                    {actorName(version.by)}, {formatTime(version.at, time_zone)}
                  </span>
                  <Button
                    aria-label={words.showOne(version.version)}
                    onClick={() => setShown(version)}
                    label={words.show}
                  />
                </li>
              ))}
            </ul>
            {!isWhole && list.length > SHOWN_AT_FIRST && (
              <div class="actions">
                <Button onClick={() => setWhole(true)} label={common.more} />
              </div>
            )}
          </>
        )}
      </Shown>
      <Dialog title={shown ? words.version(shown.version) : ""} open={shown !== null} onClose={() => setShown(null)}>
        {shown && (
          <VersionView
            agentId={agent.agent_id}
            version={shown}
            newest={newest}
            hasUnsaved={hasUnsaved}
            onRestored={(restored) => {
              setShown(null);
              onRestored(restored);
              sayDone(words.done(shown.version));
            }}
          />
        )}
      </Dialog>
    </Card>
  );
}

function whatChanged({ restored_from, changed }: Version): string {
  const names = changed.map(fieldName).join(", ");
  if (restored_from !== null) return `${words.restored(restored_from)}: ${names}`;
  return names || words.first;
}

interface VersionViewProps {
  agentId: string;
  version: Version;
  newest: number;
  hasUnsaved: boolean;
  onRestored: (agent: Agent) => void;
}

function VersionView({ agentId, version: { version }, newest, hasUnsaved, onRestored }: VersionViewProps) {
  const mayEdit = useMay("staff");
  const isNewest = version === newest;
  const [against, setAgainst] = useState(String(isNewest || version > 1 ? version - 1 : newest));
  const restoring = useAction();
  const shown = useLoaded(
    () =>
      call(
        api
          .agents({ id: agentId })
          .versions({ version: String(version) })
          .get({ query: against === "0" ? {} : { against } }),
      ),
    [agentId, version, against],
  );
  const options = [
    ...(version > 1 ? [[String(version - 1), words.before(version - 1)] as const] : []),
    ...(isNewest || newest === version - 1 ? [] : [[String(newest), words.present(newest)] as const]),
  ];
  return (
    <div class="version-view">
      {options.length > 0 && (
        <SelectField label={words.against} value={against} onValue={setAgainst} options={options} />
      )}
      <Shown from={shown} isEmpty={({ differences }) => differences.length === 0} empty={words.nothing}>
        {({ differences }) => (
          <dl class="differences">
            {differences.map(({ field, before, after, pieces }) => (
              <div key={field}>
                <dt>{fieldName(field)}</dt>
                <dd>
                  {pieces ? (
                    <Pieces pieces={pieces} />
                  ) : (
                    <>
                      <del>{fieldValue(field, before)}</del> <ins>{fieldValue(field, after)}</ins>
                    </>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Shown>
      <Problem text={restoring.error} />
      {mayEdit && !isNewest && (
        <>
          <p class="note">{words.restoreNote}</p>
          {hasUnsaved && <p class="missing">{words.unsaved}</p>}
          <Button
            kind="primary"
            busy={restoring.busy}
            // Disabled while loading: a version must be seen before it is restored, and loading content would move the
            // button.
            disabled={shown.loading}
            onClick={() =>
              void restoring.run(async () =>
                onRestored(
                  await call(
                    api
                      .agents({ id: agentId })
                      .versions({ version: String(version) })
                      .restore.post(),
                  ),
                ),
              )
            }
            label={words.restore}
          />
        </>
      )}
    </div>
  );
}

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <p class="difference-text">
      {shortened(pieces).map(({ kind, text }, index) =>
        kind === "same" ? text : kind === "added" ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>,
      )}
    </p>
  );
}
