// Held calls, on their line of the worklist.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { Button } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { sayDone, sayProblem } from "../../said.ts";
import { formatNumber, formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { DialAheadNote, useAskFirst, useDialAhead } from "../dial-ahead.tsx";
import { CALLS_PATH } from "../calls/filters.ts";
import type { WorklistPage } from "../../../worklist/worklist-view.ts";

const words = said.today;

interface HeldProps {
  held: NonNullable<WorklistPage["data"][number]["held"]>;
  onChanged: () => void;
}

/** Releases or cancels one held call, or all. */
function useDecision({ held: { reason }, onChanged }: HeldProps) {
  const { busy, run } = useAction();
  const decide = async (work: () => Promise<string>) => {
    await run(async () => {
      try {
        sayDone(await work());
      } catch (error) {
        sayProblem(error);
      }
    });
    onChanged();
  };
  const choice = (callId?: string) => ({ reason, ...(callId === undefined ? {} : { call_id: callId }) });
  return {
    busy,
    release: (callId?: string) =>
      decide(async () => {
        const { released } = await call(api["held-calls"].release.post(choice(callId)));
        return words.heldReleased(formatNumber(released));
      }),
    cancel: (callId?: string) =>
      decide(async () => {
        const { cancelled } = await call(api["held-calls"].cancel.post(choice(callId)));
        return words.heldCancelled(formatNumber(cancelled));
      }),
  };
}

export function HeldActions(props: HeldProps) {
  const { busy, release, cancel } = useDecision(props);
  const [asked, setAsked] = useState<"release" | "cancel" | null>(null);
  const count = formatNumber(props.held.count);
  const { calls } = props.held;
  const ahead = useDialAhead(asked === "release" ? { call_ids: calls.map(({ call_id }) => call_id) } : null);
  return (
    <>
      <Button busy={busy} onClick={() => setAsked("cancel")} label={words.heldCancelAll} />
      <Button kind="primary" busy={busy} onClick={() => setAsked("release")} label={words.heldReleaseAll} />
      <Confirm
        title={words.heldCancelAll}
        text={words.heldCancelAsk(count)}
        action={words.heldCancelAll}
        open={asked === "cancel"}
        onClose={() => setAsked(null)}
        onConfirm={cancel}
      />
      <Confirm
        title={words.heldReleaseAll}
        text={words.heldReleaseAsk(count)}
        action={words.heldReleaseAll}
        kind="primary"
        open={asked === "release"}
        onClose={() => setAsked(null)}
        onConfirm={release}
      >
        <DialAheadNote ahead={ahead} {...(props.held.count > calls.length && { sample: calls.length })} />
      </Confirm>
    </>
  );
}

export function HeldList(props: HeldProps) {
  const zone = useSession().organisation.time_zone;
  const isStaff = useMay("staff");
  const { busy, release, cancel } = useDecision(props);
  const first = useAskFirst(words.heldRelease);
  const { calls, count } = props.held;
  if (calls.length === 0) return null;
  return (
    <details class="worklist-held">
      <summary>{words.heldSee}</summary>
      <ul>
        {calls.map(({ call_id, contact_name, contact_number, scheduled_at }) => (
          <li key={call_id}>
            <a href={`${CALLS_PATH}/${call_id}`}>{contact_name ?? contact_number}</a> <Phone number={contact_number} />{" "}
            <span class="muted">{words.heldDue(formatShortTime(scheduled_at, zone))}</span>
            {isStaff && (
              <span class="actions">
                <Button
                  kind="quiet"
                  busy={busy}
                  aria-label={`${words.heldCancel}: ${contact_name ?? contact_number}`}
                  onClick={() => cancel(call_id)}
                  label={words.heldCancel}
                />
                <Button
                  kind="quiet"
                  busy={busy}
                  aria-label={`${words.heldRelease}: ${contact_name ?? contact_number}`}
                  onClick={() => first.ask({ call_ids: [call_id] }, () => release(call_id))}
                  label={words.heldRelease}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {first.question}
      {count > calls.length && <p class="muted">{words.heldMore(formatNumber(count - calls.length))}</p>}
    </details>
  );
}
