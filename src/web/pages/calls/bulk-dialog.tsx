// Bulk retry and bulk cancel: confirmation, progress bar, and the skipped calls with reasons.
import { useEffect, useRef, useState } from "preact/hooks";
import { api, call, messageOf } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { Button, Facts, Problem } from "../../kit/parts.tsx";
import { formatNumber } from "../../format.ts";
import { common } from "../../words.ts";
import { DialAheadNote, useDialAhead } from "../dial-ahead.tsx";
import { added, commandsOf, MOST_AT_ONCE, NOTHING_YET, type BulkTally } from "./bulk.ts";
import { callWork as words } from "./words.ts";

export type BulkAct = "again" | "cancel";

const ACTS = {
  again: {
    title: words.askAgain,
    text: words.askAgainText,
    confirm: words.doAgain,
    kind: "primary",
    done: words.plannedCount,
  },
  cancel: {
    title: words.askCancel,
    text: words.askCancelText,
    confirm: words.doCancel,
    kind: "danger",
    done: words.cancelledCount,
  },
} as const;

interface BulkDialogProps {
  act: BulkAct;
  ids: readonly string[];
  onClose: () => void;
  /** Called if at least one call was changed. */
  onDone: () => void;
}

export function BulkDialog({ act, ids, onClose, onDone }: BulkDialogProps) {
  const [state, setState] = useState<"asking" | "running" | "over">("asking");
  const [tally, setTally] = useState<BulkTally>(NOTHING_YET);
  const [problem, setProblem] = useState<string | null>(null);
  const isStopped = useRef(false);
  useEffect(() => () => void (isStopped.current = true), []);
  const { title, text, confirm, kind, done } = ACTS[act];

  const isCut = ids.length > MOST_AT_ONCE;
  const ahead = useDialAhead(act === "again" ? { call_ids: ids.slice(0, MOST_AT_ONCE) } : null);

  const run = async () => {
    setState("running");
    let sum = NOTHING_YET;
    try {
      for (const call_ids of commandsOf(ids)) {
        if (isStopped.current) break;
        sum = added(sum, call_ids.length, await call(api.calls[act].post({ call_ids })));
        setTally(sum);
      }
    } catch (error) {
      setProblem(messageOf(error));
    }
    setState("over");
    onDone();
  };

  return (
    <Dialog
      title={state === "over" ? words.report : title(formatNumber(ids.length))}
      open
      onClose={state === "running" ? () => (isStopped.current = true) : onClose}
    >
      <div class="dialog-body" aria-live="polite">
        <Problem text={problem} />
        {state === "asking" && <p>{text}</p>}
        {state === "asking" && <DialAheadNote ahead={ahead} {...(isCut && { sample: MOST_AT_ONCE })} />}
        {state === "running" && (
          <p class="bulk-progress">
            <progress max={ids.length} value={tally.seen} aria-label={words.report} />
            <span>{words.progress(formatNumber(tally.seen), formatNumber(ids.length))}</span>
          </p>
        )}
        {state === "over" && <Report tally={tally} all={ids.length} done={done} />}
        <div class="actions">
          {state === "asking" && (
            <>
              <Button onClick={onClose} label={words.keep} />
              <Button kind={kind} onClick={run} label={confirm} />
            </>
          )}
          {state === "running" && <Button onClick={() => (isStopped.current = true)} label={words.stop} />}
          {state === "over" && <Button kind="primary" onClick={onClose} label={common.close} />}
        </div>
      </div>
    </Dialog>
  );
}

function Report({ tally, all, done }: { tally: BulkTally; all: number; done: (count: string) => string }) {
  const leftOut = Object.entries(tally.leftOut);
  return (
    <>
      <p>
        <strong>{done(formatNumber(tally.done))}</strong>
        {tally.seen < all && ` ${words.stopped(formatNumber(all - tally.seen))}`}
      </p>
      {leftOut.length > 0 && (
        <>
          <h3>{words.leftOut}</h3>
          <Facts
            rows={leftOut.map(([reason, count]) => [words.leftOutReasons[reason] ?? reason, formatNumber(count)])}
          />
        </>
      )}
    </>
  );
}
