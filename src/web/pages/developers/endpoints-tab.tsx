// Webhook endpoints: their events, and the health of their deliveries.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { Button, Card, Shown } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import { useLoaded } from "../../data.ts";
import { useMay } from "../../session.tsx";
import { EndpointCard } from "./endpoint-card.tsx";
import { EndpointForm, type Endpoint } from "./endpoint-form.tsx";
import { OnceCard } from "./once-card.tsx";
import { QuestionCard } from "./question-card.tsx";
import { said } from "../../words.ts";

const words = said.developers.endpointsTab;

interface ShownSecret {
  value: string;
  isRotated: boolean;
}

export function EndpointsTab() {
  const isOwner = useMay("owner");
  const [edited, setEdited] = useState<Endpoint | "new" | null>(null);
  const [secret, setSecret] = useState<ShownSecret | null>(null);
  const endpoints = useLoaded(() => call(api.endpoints.get()), []);
  const catalogue = useLoaded(() => call(api.developers.catalogue.get()), []);

  return (
    <>
      {secret && (
        <OnceCard
          key={secret.value}
          title={secret.isRotated ? words.rotatedTitle : words.madeTitle}
          secrets={[[words.secret, secret.value]]}
          onDone={() => setSecret(null)}
        >
          {secret.isRotated && <p>{words.rotatedNote}</p>}
        </OnceCard>
      )}
      <Card
        title={words.title}
        actions={isOwner && <Button kind="primary" onClick={() => setEdited("new")} label={words.add} />}
      >
        <p class="note">{words.note}</p>
        <Shown from={endpoints} isEmpty={(all) => all.length === 0} empty={<p>{words.empty}</p>}>
          {(all) => (
            <ul class="rows">
              {all.map((endpoint) => (
                <EndpointCard
                  key={endpoint.endpoint_id}
                  endpoint={endpoint}
                  onEdit={() => setEdited(endpoint)}
                  onChanged={endpoints.reload}
                  onSecret={(value) => setSecret({ value, isRotated: true })}
                />
              ))}
            </ul>
          )}
        </Shown>
      </Card>
      <QuestionCard />
      <Dialog
        title={edited === "new" ? words.newTitle : words.editTitle}
        open={edited !== null}
        onClose={() => setEdited(null)}
      >
        <Shown from={catalogue}>
          {({ events }) => (
            <EndpointForm
              endpoint={edited === "new" ? null : edited}
              events={events}
              onSaved={(made) => {
                setEdited(null);
                endpoints.reload();
                if (made === null) sayDone(words.saved);
                else setSecret({ value: made, isRotated: false });
              }}
            />
          )}
        </Shown>
      </Dialog>
    </>
  );
}
