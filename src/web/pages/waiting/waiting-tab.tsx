// The waiting list, a tab of the calendar.
import { useState } from "preact/hooks";
import type { Waiting } from "../../../waiting-list/model.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { SelectField } from "../../kit/field.tsx";
import { Button, Card, PageHead, Problem, Shown } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import { useChanges, useLoaded } from "../../data.ts";
import { useMay } from "../../session.tsx";
import { said } from "../../words.ts";
import { useAwaited } from "../calendar/awaited.tsx";
import { branchOptions, type Directory } from "../calendar/calendar-context.ts";
import { CalendarTabs } from "../calendar/calendar-tabs.tsx";
import { MoreRows } from "../../kit/more-rows.tsx";
import { usePages } from "../../kit/use-pages.ts";
import { askAhead, DialAheadNote, isPlain, type DialAhead } from "../dial-ahead.tsx";
import { WaitingForm } from "./waiting-form.tsx";
import { WaitingTable, whomOf, type WaitingTask } from "./waiting-table.tsx";
import { given } from "../../given.ts";

const words = said.waiting;

const PAGE_SIZE = "100";

type Open =
  | { kind: "form"; entry: Waiting | null }
  | { kind: "remove"; entry: Waiting }
  | { kind: "call"; entry: Waiting; ahead: DialAhead }
  | { kind: "all" };

async function loadCallers() {
  const agents = await call(api.agents.get());
  return agents.filter(({ type }) => type === "outbound");
}

export function WaitingTab({ directory }: { directory: Directory }) {
  const may = useMay("staff");
  const [branchId, setBranchId] = useState("");
  const [open, setOpen] = useState<Open | null>(null);
  const list = usePages(
    (cursor) => call(api["waiting-list"].get({ query: given({ limit: PAGE_SIZE, branch_id: branchId, cursor }) })),
    [branchId],
  );
  useChanges("waiting", list.first.reload);

  const { calling, busyId, ask } = useCalling(list.first.reload, setOpen);
  const onTask = ({ do: task, entry }: WaitingTask) => {
    if (task === "call") void ask(entry);
    else setOpen(task === "change" ? { kind: "form", entry } : { kind: "remove", entry });
  };
  /** Places belong to a branch. */
  const callsFor = branchId || (directory.branches.length === 1 ? (directory.branches[0]?.branch_id ?? "") : "");
  const close = () => setOpen(null);
  const done = (text: string) => {
    close();
    sayDone(text);
    list.first.reload();
  };

  return (
    <>
      <PageHead
        title={said.calendar.page.title}
        actions={
          may && (
            <>
              {callsFor !== "" && list.rows.length > 0 && (
                <Button onClick={() => setOpen({ kind: "all" })} label={words.awaited.callAll} />
              )}
              <Button kind="primary" onClick={() => setOpen({ kind: "form", entry: null })} label={words.add} />
            </>
          )
        }
      />
      <CalendarTabs />
      <Card>
        <p class="note">{words.note}</p>
        {directory.branches.length > 1 && (
          <BranchFilter directory={directory} branchId={branchId} onBranch={setBranchId} />
        )}
        <Problem text={calling.error} />
        <Shown from={list.first} as="rows" isEmpty={() => list.rows.length === 0} empty={words.nobody}>
          {() => <WaitingTable rows={list.rows} directory={directory} onTask={onTask} busyId={busyId} />}
        </Shown>
        <MoreRows list={list} />
      </Card>
      <WaitingDialogs
        open={open}
        directory={directory}
        branchId={branchId}
        callsFor={callsFor}
        onClose={close}
        onDone={done}
        onChanged={list.first.reload}
      />
    </>
  );
}

/** Calls at once if there is nothing to say about the call; otherwise it is said first. */
function useCalling(reload: () => void, onOpen: (open: Open) => void) {
  const [busyId, setBusyId] = useState<string | null>(null);
  const calling = useAction();
  const callNow = async (entry: Waiting) => {
    setBusyId(entry.waiting_id);
    await calling.run(() => call(api["waiting-list"]({ id: entry.waiting_id }).call.post()), words.callingNow);
    setBusyId(null);
    reload();
  };
  const ask = async (entry: Waiting) => {
    setBusyId(entry.waiting_id);
    const found: DialAhead[] = [];
    await calling.run(async () => void found.push(await askAhead({ waiting_id: entry.waiting_id })));
    setBusyId(null);
    const [ahead] = found;
    if (!ahead) return;
    if (isPlain(ahead)) await callNow(entry);
    else onOpen({ kind: "call", entry, ahead });
  };
  return { calling, busyId, ask };
}

interface WaitingDialogsProps {
  open: Open | null;
  directory: Directory;
  branchId: string;
  /** The branch whose free places are called about. */
  callsFor: string;
  onClose: () => void;
  onDone: (text: string) => void;
  onChanged: () => void;
}

function WaitingDialogs({ open, directory, branchId, callsFor, onClose, onDone, onChanged }: WaitingDialogsProps) {
  const agents = useLoaded(loadCallers, []);
  return (
    <>
      {open?.kind === "all" && <CallAll branchId={callsFor} onClose={onClose} onDone={onChanged} />}
      <Dialog
        title={open?.kind === "form" && open.entry ? words.changeTitle : words.add}
        open={open?.kind === "form"}
        onClose={onClose}
      >
        {open?.kind === "form" && (
          <WaitingForm
            directory={directory}
            agents={agents.data ?? []}
            entry={open.entry}
            branchId={branchId || (directory.branches[0]?.branch_id ?? "")}
            onDone={onDone}
          />
        )}
      </Dialog>
      {open?.kind === "call" && (
        <Confirm
          title={words.callTitle(whomOf(open.entry))}
          text={open.ahead.now > 0 ? words.callAnyway : words.callsLater}
          action={words.callNow}
          kind="primary"
          isDisabled={open.ahead.now === 0}
          onClose={onClose}
          onConfirm={() => call(api["waiting-list"]({ id: open.entry.waiting_id }).call.post())}
          done={words.callingNow}
          onDone={onChanged}
        >
          <DialAheadNote ahead={open.ahead} />
        </Confirm>
      )}
      {open?.kind === "remove" && (
        <Confirm
          title={words.removeTitle}
          text={words.removeNote(whomOf(open.entry))}
          action={words.remove}
          onClose={onClose}
          onConfirm={() => call(api["waiting-list"]({ id: open.entry.waiting_id }).delete())}
          done={words.removed}
          onDone={onChanged}
        />
      )}
    </>
  );
}

/** For places whose opening did not call the list, as when windows were made without calls. */
function CallAll({ branchId, onClose, onDone }: { branchId: string; onClose: () => void; onDone: () => void }) {
  const awaited = useAwaited(branchId);
  const isNobody = awaited?.people === 0;
  return (
    <Confirm
      title={words.awaited.callAllTitle}
      text={isNobody ? words.awaited.callAllNobody : words.awaited.callAllText}
      action={words.awaited.callAll}
      kind="primary"
      isDisabled={awaited === null || isNobody}
      onClose={onClose}
      onConfirm={() => call(api["waiting-list"]["call-all"].post({ branch_id: branchId }))}
      done={words.awaited.calling}
      onDone={onDone}
    >
      <DialAheadNote ahead={awaited?.ahead ?? null} />
    </Confirm>
  );
}

interface BranchFilterProps {
  directory: Directory;
  branchId: string;
  onBranch: (id: string) => void;
}

function BranchFilter({ directory, branchId, onBranch }: BranchFilterProps) {
  const branches = branchOptions(directory.branches);
  return (
    <div class="filters settings-filter">
      <SelectField
        label={words.branch}
        value={branchId}
        onValue={onBranch}
        options={[["", words.allBranches], ...branches]}
      />
    </div>
  );
}
