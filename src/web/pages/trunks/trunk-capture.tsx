// Packets of a trunk's calls, kept for as long as somebody looks for a fault.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Problem } from "../../kit/parts.tsx";
import { sayDone } from "../../kit/toasts.tsx";
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
      sayDone(words.stopped);
      onChanged();
    });
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
  const close = () => setAsking(false);
  return (
    <>
      <Button onClick={() => setAsking(true)} aria-label={words.title(trunk.name)} label={words.open} />
      <Dialog title={words.title(trunk.name)} open={isAsking} onClose={close}>
        <CaptureForm
          id={trunk.trunk_id}
          onStarted={() => {
            close();
            onChanged();
          }}
        />
      </Dialog>
    </>
  );
}

function CaptureForm({ id, onStarted }: { id: string; onStarted: () => void }) {
  const [minutes, setMinutes] = useState(CHOICES[0] ?? 5);
  const starting = useAction();
  const start = () =>
    starting.run(async () => {
      await call(api.trunks({ id }).capture.post({ minutes }));
      sayDone(words.started(minutes));
      onStarted();
    });
  return (
    <Form submission={starting} submit={words.start} onSubmit={start} layout="stack">
      <p>{words.what}</p>
      <p class="notice warn">{words.warning}</p>
      <fieldset class="choices">
        <legend>{words.howLong}</legend>
        {CHOICES.map((count) => (
          <label key={count} class="checkbox">
            <input type="radio" name="minutes" checked={count === minutes} onChange={() => setMinutes(count)} />
            <span>{words.minutes(count)}</span>
          </label>
        ))}
      </fieldset>
    </Form>
  );
}
