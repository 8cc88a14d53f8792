// API keys. A new key is shown once; the others are listed by name, scopes and last use.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { Badge, Button, Card, Facts, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { formatTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { NewKeyForm, type NewKey } from "./new-key.tsx";
import { OnceCard } from "./once-card.tsx";

const words = said.developers.keysTab;

interface ApiKey {
  key_id: string;
  name: string;
  scopes: string[];
  status: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

export function KeysTab() {
  const isOwner = useMay("owner");
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<NewKey | null>(null);
  const [toRevoke, setToRevoke] = useState<ApiKey | null>(null);
  const keys = useLoaded(() => call(api.keys.get()), []);

  return (
    <>
      {made && (
        <OnceCard
          key={made.key_id}
          title={words.madeTitle(made.name)}
          secrets={[[words.secret, made.key]]}
          onDone={() => setMade(null)}
        />
      )}
      <Card
        title={words.title}
        actions={isOwner && <Button kind="primary" onClick={() => setAdding(true)} label={words.add} />}
      >
        <p class="note">{words.note}</p>
        <Shown from={keys} isEmpty={(all) => all.length === 0} empty={<p>{words.empty}</p>}>
          {(all) => (
            <ul class="rows">
              {byUse(all).map((key) => (
                <KeyRow key={key.key_id} apiKey={key} onRevoke={isOwner ? () => setToRevoke(key) : null} />
              ))}
            </ul>
          )}
        </Shown>
      </Card>
      <Dialog title={words.newTitle} open={isAdding} onClose={() => setAdding(false)}>
        <NewKeyForm
          onMade={(key) => {
            setAdding(false);
            setMade(key);
            keys.reload();
          }}
        />
      </Dialog>
      <Confirm
        title={words.revokeTitle(toRevoke?.name ?? "")}
        text={words.revokeText}
        action={words.revoke}
        open={toRevoke !== null}
        onClose={() => setToRevoke(null)}
        onConfirm={() => call(api.keys({ id: toRevoke?.key_id ?? "" }).delete())}
        done={words.revokeDone(toRevoke?.name ?? "")}
        onDone={keys.reload}
      />
    </>
  );
}

/** Active keys first. */
const byUse = (keys: readonly ApiKey[]) =>
  keys.toSorted((a, b) => Number(b.status === "active") - Number(a.status === "active"));

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: (() => void) | null }) {
  const { time_zone } = useSession().organisation;
  return (
    <li class="item">
      <header>
        <h3>{apiKey.name}</h3>
        <Badge state={apiKey.status} text={words.states[apiKey.status] ?? apiKey.status} />
        {onRevoke && apiKey.status === "active" && (
          <Button kind="danger" onClick={onRevoke} aria-label={`${words.revoke} ${apiKey.name}`} label={words.revoke} />
        )}
      </header>
      <Facts
        rows={[
          [
            words.scopes,
            <span key="scopes" class="codes">
              {apiKey.scopes.map((scope) => (
                <code key={scope}>{scope}</code>
              ))}
            </span>,
          ],
          [words.lastUsed, apiKey.last_used_at === null ? words.never : formatTime(apiKey.last_used_at, time_zone)],
          apiKey.revoked_at === null
            ? [
                words.expires,
                apiKey.expires_at === null ? words.expiresNever : formatTime(apiKey.expires_at, time_zone),
              ]
            : [words.revokedAt, formatTime(apiKey.revoked_at, time_zone)],
          [words.created, apiKey.created_at ? formatTime(apiKey.created_at, time_zone) : common.none],
        ]}
      />
    </li>
  );
}
