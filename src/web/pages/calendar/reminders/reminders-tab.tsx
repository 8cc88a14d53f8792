// Reminders: rules, upcoming calls and history.
import { useEffect, useState } from "preact/hooks";
import type { ReminderView, RuleView } from "../../../../reminders/model.ts";
import { useAction } from "../../../action.ts";
import { api, call } from "../../../client.ts";
import { Dialog } from "../../../kit/dialog.tsx";
import { Badge, Button, Card, Shown } from "../../../kit/parts.tsx";
import { sayDone } from "../../../said.ts";
import { Table } from "../../../kit/table.tsx";
import { useChanges, useLoaded } from "../../../data.ts";
import { formatDate, formatShortTime } from "../../../format.ts";
import { useMay } from "../../../session.tsx";
import { common } from "../../../words.ts";
import { serviceName, type Directory } from "../calendar-context.ts";
import { calendarLink } from "../links.ts";
import { weekOf } from "../week-dates.ts";
import { words as calendarWords } from "../words.ts";
import { RuleEditor } from "./rule-editor.tsx";
import { ruleSentence } from "./rule-form.ts";
import { words } from "./words.ts";

const PER_PAGE = 20;
const MOST_SHOWN = 100;
const LOOK_AGAIN_MS = 1_000;

export function RemindersTab({ directory }: { directory: Directory }) {
  const may = useMay("staff");
  const [edited, setEdited] = useState<RuleView | "new" | null>(null);
  /** Incremented with each change on this page, to reload the lists. */
  const [round, setRound] = useState(0);
  const rules = useLoaded(() => call(api.reminders.rules.get()), []);
  const agents = useLoaded(() => call(api.reminders.agents.get()), []);
  useChanges("appointment", rules.reload);
  useChanges("call", rules.reload);
  // A changed rule is applied to appointments in batches, and no event reports the last batch.
  const isApplied = rules.data?.every(({ is_planned }) => is_planned) ?? true;
  useEffect(() => {
    if (isApplied) return undefined;
    const timer = setTimeout(() => {
      rules.reload();
      setRound((before) => before + 1);
    }, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isApplied, rules.data]);
  const done = (said: string) => {
    setEdited(null);
    sayDone(said);
    rules.reload();
    setRound((before) => before + 1);
  };
  return (
    <div class="rem-page">
      <Card
        title={words.rules}
        actions={may && <Button kind="primary" onClick={() => setEdited("new")} label={words.newRule} />}
      >
        <Shown from={rules} isEmpty={(list) => list.length === 0} empty={words.noRules}>
          {(list) => (
            <ul class="rem-rules" aria-label={words.rules}>
              {list.map((rule) => (
                <RuleRow
                  key={rule.rule_id}
                  rule={rule}
                  directory={directory}
                  may={may}
                  onEdit={() => setEdited(rule)}
                  onDone={done}
                />
              ))}
            </ul>
          )}
        </Shown>
      </Card>
      <ReminderCard view="next" directory={directory} round={round} />
      <ReminderCard view="past" directory={directory} round={round} />
      <Dialog
        title={edited === "new" ? words.newRule : words.changeRule}
        open={edited !== null}
        onClose={() => setEdited(null)}
      >
        <Shown from={agents}>
          {(known) => (
            <RuleEditor
              rule={edited === "new" ? null : edited}
              agents={known}
              directory={directory}
              branchId={directory.branches.length === 1 ? (directory.branches[0]?.branch_id ?? null) : null}
              onDone={done}
            />
          )}
        </Shown>
      </Dialog>
    </div>
  );
}

interface RuleRowProps {
  rule: RuleView;
  directory: Directory;
  may: boolean;
  onEdit: () => void;
  onDone: (said: string) => void;
}

function RuleRow({ rule, directory, may, onEdit, onDone }: RuleRowProps) {
  const action = useAction();
  const sentence = ruleSentence(rule, directory);
  const zone = directory.branches.find(({ branch_id }) => branch_id === rule.branch_id)?.time_zone;
  const toggle = async () => {
    const enabled = !rule.enabled;
    const work = () => call(api.reminders.rules({ id: rule.rule_id }).patch({ enabled }));
    if (await action.run(work)) onDone(enabled ? words.switchedOn : words.switchedOff);
  };
  const waiting =
    rule.waiting === 0
      ? words.nobodyWaits
      : words.waiting(rule.waiting, formatShortTime(rule.first_at, zone ?? directory.time_zone));
  return (
    <li>
      <div class="rem-rule">
        <Badge state={rule.enabled ? "active" : "off"} text={rule.enabled ? words.on : words.off} />
        <p>{sentence}</p>
        <p class="note">{rule.is_planned ? waiting : words.planning}</p>
      </div>
      {may && (
        <div class="actions">
          <Button
            busy={action.busy}
            aria-label={words.actionFor(rule.enabled ? words.switchOff : words.switchOn, sentence)}
            onClick={toggle}
            label={rule.enabled ? words.switchOff : words.switchOn}
          />
          <Button aria-label={words.actionFor(words.changeRule, sentence)} onClick={onEdit} label={words.changeRule} />
        </div>
      )}
    </li>
  );
}

interface CardProps {
  view: "next" | "past";
  directory: Directory;
  round: number;
}

function ReminderCard({ view, directory, round }: CardProps) {
  const [most, setMost] = useState(PER_PAGE);
  const list = useLoaded(() => call(api.reminders.get({ query: { view, limit: String(most) } })), [view, most, round]);
  useChanges("appointment", list.reload);
  useChanges("call", list.reload);
  return (
    <Card title={words[view]}>
      <Shown
        from={list}
        isEmpty={({ data }) => data.length === 0}
        empty={view === "next" ? words.noNext : words.noPast}
      >
        {(shown) => (
          <ReminderTable
            list={shown}
            view={view}
            directory={directory}
            most={most}
            onMore={() => setMost(Math.min(MOST_SHOWN, most + PER_PAGE))}
          />
        )}
      </Shown>
    </Card>
  );
}

interface TableProps {
  list: { data: ReminderView[]; next_cursor: string | null };
  view: "next" | "past";
  directory: Directory;
  most: number;
  onMore: () => void;
}

function ReminderTable({ list, view, directory, most, onMore }: TableProps) {
  const isNext = view === "next";
  const timeOf = ({ branch_id, due_at, updated_at }: ReminderView) => {
    const branch = directory.branches.find((each) => each.branch_id === branch_id);
    return formatShortTime(isNext ? due_at : updated_at, branch?.time_zone ?? directory.time_zone);
  };
  return (
    <>
      <Table
        label={isNext ? words.next : words.past}
        class="rem-table"
        narrow="both"
        rows={list.data}
        keyOf={({ reminder_id }) => reminder_id}
        columns={[
          [isNext ? words.calledAt : words.when, timeOf],
          [words.who, (reminder) => <Who reminder={reminder} isNext={isNext} />],
          [words.appointment, (reminder) => <Booked reminder={reminder} directory={directory} />],
          [isNext ? words.state : words.outcome, (reminder) => <Fate reminder={reminder} />],
          [words.how, (reminder) => <How reminder={reminder} />],
        ]}
      />
      {list.next_cursor !== null && most < MOST_SHOWN && <Button onClick={onMore} label={common.more} />}
    </>
  );
}

function Who({ reminder: { contact_name, contact_number }, isNext }: { reminder: ReminderView; isNext: boolean }) {
  return (
    <>
      {contact_name ?? contact_number ?? calendarWords.noName}{" "}
      {isNext && contact_number === null && <Badge state="held" text={words.missingNumber} />}
    </>
  );
}

function Booked({ reminder, directory }: { reminder: ReminderView; directory: Directory }) {
  const { branch_id, date, start_time, appointment_type_id: service } = reminder;
  return (
    <>
      <a href={calendarLink({ branch: branch_id, week: weekOf(date), day: date })}>
        {formatDate(date)}, {start_time}
      </a>
      {service !== null && ` · ${serviceName(directory.services, service)}`}
    </>
  );
}

function How({ reminder: { by_hand, attempts, call_id } }: { reminder: ReminderView }) {
  const how = [by_hand ? words.byHand : words.byRule, ...(attempts > 0 ? [words.triesMade(attempts)] : [])];
  return (
    <>
      {how.join(", ")}
      {call_id !== null && (
        <>
          {" · "}
          <a href={`/dashboard/calls/${call_id}`}>{words.toCall}</a>
        </>
      )}
    </>
  );
}

const GOOD: readonly string[] = ["confirmed", "moved", "reached", "already_confirmed"];
const QUIET: readonly string[] = ["done", "cancelled"];
const outcomes: Readonly<Record<string, string>> = words.outcomes;

function Fate({ reminder: { state, outcome } }: { reminder: ReminderView }) {
  if (outcome === null) return <Badge state={state === "calling" ? "live" : "queued"} text={words.states[state]} />;
  const tone = GOOD.includes(outcome) ? "confirmed" : state === "cancelled" ? "cancelled" : "held";
  return <Badge state={QUIET.includes(state) ? tone : "live"} text={outcomes[outcome] ?? outcome} />;
}
