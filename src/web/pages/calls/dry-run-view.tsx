// Dry run of a call: the spoken greeting, the time of dialling, and reasons for a delay.
import { useEffect, useRef } from "preact/hooks";
import type { DryRun } from "../../../calls/model.ts";
import { dialLabel, DialAheadNote, useDialAhead, type DialAheadInput } from "../dial-ahead.tsx";
import { Button, Facts } from "../../kit/parts.tsx";
import { formatTime } from "../../format.ts";
import { holdReasons, said } from "../../words.ts";

const words = said.calls.dryRunView;

interface DryRunViewProps {
  result: DryRun;
  /** Whom the button calls. */
  about: DialAheadInput;
  to: string;
  zone: string;
  busy: boolean;
  onChange: () => void;
  onSend: () => void;
}

export function DryRunView({ result, about, to, zone, busy, onChange, onSend }: DryRunViewProps) {
  const ahead = useDialAhead(about);
  const intro = useRef<HTMLParagraphElement>(null);
  useEffect(() => intro.current?.focus(), []);
  const inWords = ({ reason, message }: DryRun["held_back_by"][number]) => holdReasons[reason] ?? message;
  const holds = result.held_back_by.map(inWords);
  const elsewhere = (result.would_be_held_by ?? []).map(inWords);
  return (
    <div class="dialog-body dry-run">
      <p ref={intro} tabIndex={-1} class="note">
        {words.intro}
      </p>
      <DialAheadNote ahead={ahead} />
      <blockquote>
        <span class="label">{words.greeting}</span>
        <p>{result.greeting}</p>
      </blockquote>
      <Facts
        rows={[
          [words.to, to],
          [
            words.dialledAt,
            result.would_dial_at === null ? (
              <strong class="call-fault">{words.never}</strong>
            ) : (
              `${formatTime(result.would_dial_at, zone)} (${zone})`
            ),
          ],
          [words.heldBack, holds.length === 0 ? words.nothing : <Reasons texts={holds} />],
          elsewhere.length !== 0 && [words.wouldBeHeld, <Reasons key="elsewhere" texts={elsewhere} />],
          [
            words.missing,
            result.missing_placeholders.length === 0 ? (
              words.nothingMissing
            ) : (
              <div class="call-warn">
                {words.missingNote}{" "}
                {result.missing_placeholders.map((name) => (
                  <code key={name}>{`{{${name}}}`}</code>
                ))}
              </div>
            ),
          ],
        ]}
      />
      <div class="actions">
        <Button onClick={onChange} label={words.change} />
        <Button kind="primary" busy={busy} onClick={onSend} label={dialLabel(ahead, words.send, zone)} />
      </div>
    </div>
  );
}

function Reasons({ texts }: { texts: readonly string[] }) {
  return (
    <ul class="call-holds call-warn">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
