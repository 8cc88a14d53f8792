// Packet capture of a trunk's calls, for troubleshooting.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { Button, Problem } from "../../kit/parts.tsx";
import { Radios } from "../../kit/field.tsx";
import { formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import type { Trunk } from "./trunk.ts";

const words = said.trunks.trunkCapture;

const CHOICES = [5, 15, 60];

export function TrunkCapture({ trunk, onChanged }: { trunk: Trunk; onChanged: () => void }) {
  const { organisation } = useSession();
  const mayCapture = useMay("owner");
  const stopping = useAction();
  const stop = () =>
    stopping.run(async () => {
      await call(api.trunks({ id: trunk.trunk_id }).capture.post({ minutes: 0 }));
      onChanged();
    }, words.stopped);
  if (trunk.capture_until === null) return null;
  return (
    <div class="notice warn trunk-captured">
      <span>{words.until(formatShortTime(trunk.capture_until, organisation.time_zone))}</span>
      {mayCapture && <Button busy={stopping.busy} onClick={stop} label={words.stop} />}
      <Problem text={stopping.error} />
    </div>
  );
}

export function CaptureButton({ trunk, onChanged }: { trunk: Trunk; onChanged: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)} aria-label={words.title(trunk.name)} label={words.open} />
      {isAsking && <CaptureDialog trunk={trunk} onClose={() => setAsking(false)} onStarted={onChanged} />}
    </>
  );
}

interface CaptureDialogProps {
  trunk: Trunk;
  onClose: () => void;
  onStarted: () => void;
}

function CaptureDialog({ trunk: { trunk_id, name }, onClose, onStarted }: CaptureDialogProps) {
  const [minutes, setMinutes] = useState(CHOICES[0] ?? 5);
  return (
    <Confirm
      title={words.title(name)}
      text={words.what}
      action={words.start}
      kind="primary"
      onClose={onClose}
      onConfirm={() => call(api.trunks({ id: trunk_id }).capture.post({ minutes }))}
      done={words.started(minutes)}
      onDone={onStarted}
    >
      <p class="notice warn">{words.warning}</p>
      <Radios
        legend={words.howLong}
        name="minutes"
        options={CHOICES.map((count) => [count, words.minutes(count)] as const)}
        value={minutes}
        onValue={setMinutes}
      />
    </Confirm>
  );
}
