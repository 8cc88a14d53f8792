// SIP trunks: the current state of each, and adding and changing them.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Button, Card, Shown } from "../../kit/parts.tsx";
import { useLoaded, useWhileSeen } from "../../data.ts";
import { useMay } from "../../session.tsx";
import { CarrierBanner } from "../trunks/carrier-banner.tsx";
import { TrunkCard } from "../trunks/trunk-card.tsx";
import { TrunkDialog } from "../trunks/trunk-dialog.tsx";
import type { Trunk } from "../trunks/trunk.ts";
import { said } from "../../words.ts";

const words = said.settings.trunksTab;

const LOOK_EVERY_MS = 3_000;
/** A reachable trunk answers within moments of being saved. */
const LOOK_AFTER_SAVING_MS = 500;

export function TrunksTab() {
  const isOwner = useMay("owner");
  const trunks = useLoaded(() => call(api.trunks.get()), []);
  /** Null: a new trunk. */
  const [edited, setEdited] = useState<Trunk | null | undefined>(undefined);
  useWhileSeen(trunks.reload, LOOK_EVERY_MS);
  const { data } = trunks;
  const lookAfterSaving = () => {
    trunks.reload();
    setTimeout(trunks.reload, LOOK_AFTER_SAVING_MS);
  };
  return (
    <>
      <Card
        title={words.title}
        actions={isOwner && <Button kind="primary" onClick={() => setEdited(null)} label={words.add} />}
      >
        <p class="note">{words.note}</p>
        <Shown from={trunks}>
          {(answer) => (
            <>
              <CarrierBanner {...answer} />
              {answer.trunks.length === 0 && <p class="empty">{words.empty}</p>}
            </>
          )}
        </Shown>
      </Card>
      {data?.trunks.map((trunk) => (
        <TrunkCard
          key={trunk.trunk_id}
          trunk={trunk}
          answer={data}
          onEdit={() => setEdited(trunk)}
          onChanged={trunks.reload}
        />
      ))}
      <TrunkDialog trunk={edited} onClose={() => setEdited(undefined)} onSaved={lookAfterSaving} />
    </>
  );
}
