// The organisation's own model servers: added, changed and tried.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Button, Card, Shown } from "../../components/parts.tsx";
import { useLoaded } from "../../data.ts";
import { ServerCard } from "../model-servers/server-card.tsx";
import { ServerDialog } from "../model-servers/server-dialog.tsx";
import type { ModelServer } from "../model-servers/server-form.ts";

const words = {
  title: "Model servers",
  note: "Servers of your own that speak the OpenAI-compatible API: vLLM, Ollama, llama.cpp, Speaches. Calls use them for conversation, recognition or voice, and what is built in takes over where they are slow or down. What callers say goes to these servers and nowhere else.",
  add: "Add server",
  empty: "There is no model server: what is built in serves every call.",
};

export function ModelServersTab() {
  const servers = useLoaded(() => call(api["model-servers"].get()), []);
  /** Null: a new one. */
  const [edited, setEdited] = useState<ModelServer | null | undefined>(undefined);
  return (
    <>
      <Card
        title={words.title}
        actions={
          <Button kind="primary" onClick={() => setEdited(null)}>
            {words.add}
          </Button>
        }
      >
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
        />
      ))}
      <ServerDialog server={edited} onClose={() => setEdited(undefined)} onSaved={servers.reload} />
    </>
  );
}
