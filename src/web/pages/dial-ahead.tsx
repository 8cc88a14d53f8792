// What a button says before it dials: when the calls really go out, and which calls to the same numbers are pending.
// Nothing while all of them go out at once.
import { useState } from "preact/hooks";
import type { DialAhead } from "../../calls/dial-ahead.ts";
import type { DialAheadInput } from "../../dashboard/dial-ahead-subjects.ts";
import { api, call } from "../client.ts";
import { useLoaded } from "../data.ts";
import { formatShortTime } from "../format.ts";
import { Confirm } from "../kit/dialog.tsx";
import { Badge } from "../kit/parts.tsx";
import { Phone } from "../kit/phone.tsx";
import { useMay, useSession } from "../session.tsx";
import { callStates, holdReasons, said } from "../words.ts";

const words = said.dialAhead;

export type { DialAhead, DialAheadInput };

/** Asks again whenever `about` changes; null while there is nothing to dial. */
export function useDialAhead(about: DialAheadInput | null): DialAhead | null {
  const isStaff = useMay("staff");
  const asked = isStaff ? about : null;
  const key = JSON.stringify(asked);
  const loaded = useLoaded(async () => ({ key, ahead: asked === null ? null : await askAhead(asked) }), [key]);
  // An answer to an earlier question says nothing about this one.
  return loaded.data?.key === key ? loaded.data.ahead : null;
}

export const askAhead = (about: DialAheadInput): Promise<DialAhead> => call(api["dial-ahead"].post(about));

/** Every call goes out at once, and none is pending: there is nothing to say. */
export const isPlain = ({ later, held, pending }: DialAhead): boolean => later + held + pending.length === 0;

/** For a button that dials without a dialog of its own: it dials at once if there is nothing to say first. */
export function useAskFirst(title: string) {
  const [asked, setAsked] = useState<{ ahead: DialAhead; dial: () => Promise<void> } | null>(null);
  return {
    async ask(about: DialAheadInput, dial: () => Promise<void>): Promise<void> {
      const ahead = await askAhead(about).catch(() => null);
      // Without an answer the server still applies its rules to the call itself.
      if (ahead === null || isPlain(ahead)) await dial();
      else setAsked({ ahead, dial });
    },
    question: asked && (
      <Confirm
        title={title}
        text={said.calls.dryRunView.intro}
        action={title}
        kind="primary"
        onClose={() => setAsked(null)}
        onConfirm={asked.dial}
      >
        <DialAheadNote ahead={asked.ahead} />
      </Confirm>
    ),
  };
}

/** When the first call goes out, if none goes out at once. */
export const laterAt = (ahead: DialAhead | null): string | null =>
  ahead !== null && ahead.now === 0 && ahead.held === 0 ? ahead.first_at : null;

/** The label of the button that dials: with the time, if the call goes out later. */
export function dialLabel(ahead: DialAhead | null, label: string, zone: string): string {
  const at = laterAt(ahead);
  return at === null ? label : words.callAt(formatShortTime(at, zone));
}

interface DialAheadNoteProps {
  ahead: DialAhead | null;
  /** Set if only the first people of a longer list were asked about. */
  sample?: number;
}

export function DialAheadNote({ ahead, sample }: DialAheadNoteProps) {
  const zone = useSession().organisation.time_zone;
  return (
    <div class="dial-ahead" role="status" aria-label={words.label}>
      {ahead !== null && !isPlain(ahead) && (
        <div class="notice warn">
          {sample !== undefined && <p class="note">{words.sample(sample)}</p>}
          {outlookTexts(ahead, zone).map((text) => (
            <p key={text}>
              <strong>{text}</strong>
            </p>
          ))}
          {ahead.reasons.length > 0 && ahead.later + ahead.held > 0 && (
            <p>{words.because(ahead.reasons.map(reasonText).join("; "))}</p>
          )}
          {ahead.pending.length > 0 && <Pending ahead={ahead} zone={zone} />}
        </div>
      )}
    </div>
  );
}

function Pending({ ahead: { pending }, zone }: { ahead: DialAhead; zone: string }) {
  const isOne = new Set(pending.map(({ contact_number }) => contact_number)).size === 1;
  return (
    <>
      <p>{isOne ? words.pending : words.pendingMany}</p>
      <ul class="dial-ahead-pending">
        {pending.map(({ call_id, status, agent_name, scheduled_at, contact_number }) => (
          <li key={call_id}>
            <a href={`/dashboard/calls/${call_id}`}>
              {words.pendingAt(agent_name, formatShortTime(scheduled_at, zone))}
            </a>{" "}
            {!isOne && <Phone number={contact_number} />} <Badge state={status} text={callStates[status] ?? status} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** One sentence for those that wait, one for those that do not go out. */
export function outlookTexts({ now, later, held, first_at }: DialAhead, zone: string): string[] {
  const isOne = now + later + held === 1;
  const at = formatShortTime(first_at, zone);
  const waiting =
    later === 0
      ? []
      : [
          isOne
            ? words.laterOne(at, zone)
            : now === 0
              ? words.laterAll(later, at, zone)
              : words.laterSome(now, later, at, zone),
        ];
  return [...waiting, ...(held === 0 ? [] : [isOne ? words.heldOne : words.heldSome(held)])];
}

const reasonText = (reason: string): string => holdReasons[reason] ?? words.refusals[reason] ?? reason;
