// Model servers of the organisation: add, change and test.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Button, Card, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { ServerCard } from "../model-servers/server-card.tsx";
import { ServerDialog, type SavedServer } from "../model-servers/server-dialog.tsx";
import type { ModelServer } from "../model-servers/server-form.ts";
import { said } from "../../words.ts";

const words = said.settings.modelServersTab;

export function ModelServersTab() {
  const servers = useLoaded(() => call(api["model-servers"].get()), []);
  /** Null: a new server. */
  const [edited, setEdited] = useState<ModelServer | null | undefined>(undefined);
  /** What the server that was saved last answered to its trial. */
  const [saved, setSaved] = useState<SavedServer | null>(null);
  return (
    <>
      <Card title={words.title} actions={<Button kind="primary" onClick={() => setEdited(null)} label={words.add} />}>
        <p class="note">{words.note}</p>
        <Shown from={servers} isEmpty={(list) => list.length === 0} empty={words.empty}>
          {() => null}
        </Shown>
      </Card>
      {servers.data?.map((server) => (
        <ServerCard
          key={server.server_id}
          server={server}
          onEdit={() => setEdited(server)}
          onChanged={servers.reload}
          tried={saved?.server_id === server.server_id ? (saved.trial ?? null) : null}
        />
      ))}
      <ServerDialog
        server={edited}
        onClose={() => setEdited(undefined)}
        onSaved={(done) => {
          setSaved(done);
          servers.reload();
        }}
      />
    </>
  );
}
