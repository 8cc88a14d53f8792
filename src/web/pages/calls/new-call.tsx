// Creates a call in steps: fill in, dry run, send. The input is kept until it is sent.
import { useState } from "preact/hooks";
import type { DryRun } from "../../../calls/model.ts";
import { ApiError, api, call, messageOf } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { Problem, Shown } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import type { Loaded } from "../../data.ts";
import { formatTime } from "../../format.ts";
import { dialled, spaced } from "../../phone-number.ts";
import { useSession } from "../../session.tsx";
import { aheadOf, bodyOf, draftFaults, EMPTY_DRAFT, faultsAfter, fieldFaults, type Draft } from "./draft.ts";
import { DryRunView } from "./dry-run-view.tsx";
import { NewCallForm, type CallableAgent } from "./new-call-form.tsx";
import { said } from "../../words.ts";

const words = said.calls.newCall;

interface NewCallProps {
  open: boolean;
  agents: Loaded<(CallableAgent & { type: string })[]>;
  onClose: () => void;
  onCreated: () => void;
  /** Values to begin with. */
  first?: Partial<Draft>;
}

export function NewCall({ open, agents, onClose, onCreated, first }: NewCallProps) {
  const zone = useSession().organisation.time_zone;
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, ...first });
  const [checked, setChecked] = useState<DryRun | null>(null);
  const { faults, setFaults, problem, setProblem, busy, attempt, blame, step } = useSteps(() => setChecked(null));

  const check = () => {
    const wrong = draftFaults(draft);
    if (Object.keys(wrong).length > 0) blame(wrong);
    else void step(async () => setChecked(await call(api.calls["dry-run"].post(bodyOf(draft, zone)))));
  };

  const send = () =>
    void step(async () => {
      const created = await call(api.calls.post(bodyOf(draft, zone)));
      sayDone(words.done(formatTime(checked?.would_dial_at ?? created.scheduled_at, zone)));
      setDraft(EMPTY_DRAFT);
      setChecked(null);
      onClose();
      onCreated();
    });

  const close = () => {
    setChecked(null);
    setProblem(null);
    onClose();
  };

  return (
    <Dialog title={checked ? words.checkTitle : words.title} open={open} onClose={close}>
      <Problem text={problem} />
      <Shown from={agents} isEmpty={(all) => !all.some(({ type }) => type === "outbound")} empty={words.noAgents}>
        {(all) =>
          checked ? (
            <DryRunView
              result={checked}
              about={aheadOf(bodyOf(draft, zone))}
              to={[draft.name, spaced(dialled(draft.number))].filter((text) => text !== "").join(", ")}
              zone={zone}
              busy={busy}
              onChange={() => setChecked(null)}
              onSend={send}
            />
          ) : (
            <NewCallForm
              draft={draft}
              agents={all.filter(({ type }) => type === "outbound")}
              faults={faults}
              zone={zone}
              busy={busy}
              attempt={attempt}
              onChange={(part) => {
                setDraft((before) => ({ ...before, ...part }));
                setFaults((before) => faultsAfter(before, part));
              }}
              onSubmit={check}
              onClose={close}
            />
          )
        }
      </Shown>
    </Dialog>
  );
}

/** Runs one step at a time. Field errors return to the form. */
function useSteps(backToForm: () => void) {
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const blame = (wrong: Record<string, string>) => {
    setFaults(wrong);
    setAttempt((count) => count + 1);
  };
  const step = async (work: () => Promise<void>) => {
    setProblem(null);
    setBusy(true);
    try {
      await work();
      setFaults({});
    } catch (error) {
      const wrong = error instanceof ApiError ? fieldFaults(error.fault) : {};
      blame(wrong);
      if (Object.keys(wrong).length > 0) backToForm();
      else setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { faults, setFaults, problem, setProblem, busy, attempt, blame, step };
}
