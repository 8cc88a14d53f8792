// Card of one model server: its settings, and the result of a test.
import { useEffect, useState } from "preact/hooks";
import type { ServerTrial } from "../../../speech/servers/trial/finding.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { ConfirmButton } from "../../kit/dialog.tsx";
import { Badge, Button, Facts, Problem } from "../../kit/parts.tsx";
import { common, said } from "../../words.ts";
import type { ModelServer } from "./server-form.ts";
import { ROLE_WORDS } from "./server-words.ts";

const words = said.modelServers.serverCard;

const TONES = { works: "up", missing: "queued", fails: "down" } as const;

interface ServerCardProps {
  server: ModelServer;
  onEdit: () => void;
  onChanged: () => void;
  /** The trial when it was saved; null without one. */
  tried: ServerTrial | null;
}

export function ServerCard({ server, onEdit, onChanged, tried }: ServerCardProps) {
  const { server_id: id, name } = server;
  const [trial, setTrial] = useState<ServerTrial | null>(null);
  const trying = useAction();
  useEffect(() => {
    if (tried !== null) setTrial(tried);
  }, [tried]);
  const makeDefault = () =>
    trying.run(async () => {
      const changed = await call(api["model-servers"]({ id }).patch({ is_default: true }));
      setTrial(changed.trial ?? null);
      onChanged();
    });
  const tryIt = () =>
    trying.run(async () => {
      setTrial(null);
      setTrial(await call(api["model-servers"]({ id }).try.post()));
    });
  return (
    <section class="card trunk" aria-label={name}>
      <header>
        <h2>
          {name}{" "}
          <Badge
            state={server.is_default ? "up" : "off"}
            text={server.is_default ? words.isDefault : words.notDefault}
          />
        </h2>
        <div class="actions">
          {server.source === "dashboard" && (
            <>
              <ConfirmButton
                look="quiet"
                about={words.removeName(name)}
                title={words.removeTitle(name)}
                text={words.removeText}
                action={words.remove}
                onConfirm={() => call(api["model-servers"]({ id }).delete())}
                done={words.removed(name)}
                onDone={onChanged}
              />
              <Button aria-label={words.edit(name)} onClick={onEdit} label={common.edit} />
            </>
          )}
          <Button
            kind="primary"
            busy={trying.busy}
            aria-label={words.tryName(name)}
            onClick={tryIt}
            label={words.tryIt}
          />
        </div>
      </header>
      {server.source === "settings" && <p class="note">{words.fromSettings(name)}</p>}
      <Facts
        rows={[
          [words.role, ROLE_WORDS[server.role]],
          [words.address, server.base_url ?? server.program ?? ""],
          server.model !== "" && [words.model, server.model],
          server.voice !== "" && [words.voice, server.voice],
          [words.languages, server.languages.length === 0 ? words.every : server.languages.join(", ")],
        ]}
      />
      <Problem text={trying.error} />
      {trial && <TrialResult trial={trial} />}
      {trial && !trial.isUsable && !server.is_default && <p class="note warn">{words.staysOut}</p>}
      {trial?.isUsable && !server.is_default && server.source === "dashboard" && (
        <div class="actions">
          <Button busy={trying.busy} aria-label={words.useName(name)} onClick={makeDefault} label={words.useForAll} />
        </div>
      )}
    </section>
  );
}

function TrialResult({ trial }: { trial: ServerTrial }) {
  return (
    <div role="status">
      <ul class="rows">
        {trial.findings.map(({ verdict, words: found }) => (
          <li key={found}>
            <Badge state={TONES[verdict]} text={words.verdicts[verdict]} /> {found}
          </li>
        ))}
      </ul>
    </div>
  );
}
