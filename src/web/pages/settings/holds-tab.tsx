// Retention holds: what must not be erased, why, and until when.
import { useState } from "preact/hooks";
import type { Hold } from "../../../rules/holds/model.ts";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Badge, Button, Card, Shown } from "../../kit/parts.tsx";
import { MoreRows } from "../../kit/more-rows.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { Phone } from "../../kit/phone.tsx";
import { Table } from "../../kit/table.tsx";
import { useForm } from "../../kit/use-form.ts";
import { usePages } from "../../kit/use-pages.ts";
import { addDays, formatShortTime, zonedToIso } from "../../format.ts";
import { given } from "../../given.ts";
import { dialled } from "../../phone-number.ts";
import { sayDone } from "../../said.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { CALLS_PATH } from "../calls/filters.ts";

const words = said.settings.holdsTab;

export function HoldsTab() {
  const [isAdding, setAdding] = useState(false);
  const [releasing, setReleasing] = useState<string | null>(null);
  const list = usePages((cursor) => call(api.holds.get({ query: given({ cursor }) })), []);
  return (
    <Card title={words.title} actions={<Button kind="primary" onClick={() => setAdding(true)} label={words.add} />}>
      <p class="note">{words.note}</p>
      <Shown from={list.first} as="rows" isEmpty={() => list.rows.length === 0} empty={words.none}>
        {() => <HoldTable rows={list.rows} onRelease={setReleasing} />}
      </Shown>
      <MoreRows list={list} />
      {isAdding && <AddHold onClose={() => setAdding(false)} onAdded={list.first.reload} />}
      {releasing !== null && (
        <ReleaseHold id={releasing} onClose={() => setReleasing(null)} onReleased={list.first.reload} />
      )}
    </Card>
  );
}

function HoldTable({ rows, onRelease }: { rows: readonly Hold[]; onRelease: (id: string) => void }) {
  const zone = useSession().organisation.time_zone;
  const end = ({ in_force, until, released_at }: Hold) => {
    if (released_at !== null) return words.releasedAt(formatShortTime(released_at, zone));
    if (until === null) return words.untilReleased;
    return in_force ? words.until(formatShortTime(until, zone)) : words.endedAt(formatShortTime(until, zone));
  };
  return (
    <Table
      label={words.title}
      class="settings-table holds-table"
      narrow="cards"
      rows={rows}
      keyOf={({ hold_id }) => hold_id}
      columns={[
        [words.subject, (hold) => <Subject hold={hold} />, { isRowHead: true }],
        [words.reason, ({ reason }) => reason, "reason"],
        [words.since, ({ created_at }) => formatShortTime(created_at, zone)],
        [
          words.end,
          (hold) => (hold.in_force ? <Badge state="held" text={end(hold)} /> : <span class="note">{end(hold)}</span>),
        ],
        [
          words.release,
          ({ hold_id, in_force, reason }) =>
            in_force && (
              <Button
                kind="quiet"
                aria-label={words.releaseOf(reason)}
                onClick={() => onRelease(hold_id)}
                label={words.release}
              />
            ),
          { class: "number", isTitleHidden: true },
        ],
      ]}
    />
  );
}

function Subject({ hold: { subject, call_id, contact_number } }: { hold: Hold }) {
  if (call_id !== null) return <a href={`${CALLS_PATH}/${call_id}`}>{words.subjects.call}</a>;
  if (contact_number !== null) return <Phone number={contact_number} />;
  return <>{words.subjects[subject]}</>;
}

interface AddHoldProps {
  /** What the hold is about, on the page of a call or a person. */
  about?: { call_id: string } | { contact_number: string };
  onClose: () => void;
  onAdded: () => void;
}

type Subject = "call" | "person" | "organisation";

export function AddHold({ about, onClose, onAdded }: AddHoldProps) {
  const zone = useSession().organisation.time_zone;
  const form = useForm({ subject: "person", call_id: "", contact_number: "", reason: "", until: "" });
  const { subject, call_id, contact_number, reason, until } = form.values;
  const given = () => {
    if (about)
      return "call_id" in about ? { subject: "call" as const, ...about } : { subject: "person" as const, ...about };
    if (subject === "call") return { subject: "call" as const, call_id: call_id.trim() };
    if (subject === "person") return { subject: "person" as const, contact_number: dialled(contact_number) };
    return { subject: "organisation" as const };
  };
  const add = async () => {
    // The last day counts in full.
    const end = until === "" ? {} : { until: zonedToIso(`${addDays(until, 1)}T00:00`, zone) };
    const send = async () => void (await call(api.holds.post({ ...given(), reason, ...end })));
    if (!(await form.run(send))) return;
    sayDone(words.added);
    onClose();
    onAdded();
  };
  const options: readonly (readonly [Subject, string])[] = [
    ["person", words.subjects.person],
    ["call", words.subjects.call],
    ["organisation", words.subjects.organisation],
  ];
  return (
    <FormDialog title={words.add} onClose={onClose} submission={form} submit={words.addIt} onSubmit={add}>
      {!about && <SelectField label={words.subject} options={options} {...form.at("subject")} />}
      {!about && subject === "person" && <PhoneField label={words.number} required {...form.at("contact_number")} />}
      {!about && subject === "call" && (
        <TextField label={words.callId} required maxLength={64} {...form.at("call_id")} />
      )}
      <TextField
        label={words.reason}
        hint={words.reasonHint}
        required
        minLength={3}
        maxLength={500}
        {...form.at("reason")}
      />
      <TextField label={words.lastDay} hint={words.lastDayHint} type="date" {...form.at("until")} />
    </FormDialog>
  );
}

function ReleaseHold({ id, onClose, onReleased }: { id: string; onClose: () => void; onReleased: () => void }) {
  const form = useForm({ reason: "" });
  const release = async () => {
    const send = async () => void (await call(api.holds({ hold_id: id }).release.post(form.values)));
    if (!(await form.run(send))) return;
    sayDone(words.released);
    onClose();
    onReleased();
  };
  return (
    <FormDialog
      title={words.releaseTitle}
      onClose={onClose}
      submission={form}
      submit={words.release}
      kind="danger"
      onSubmit={release}
    >
      <p>{words.releaseNote}</p>
      <TextField label={words.reason} required minLength={3} maxLength={500} {...form.at("reason")} />
    </FormDialog>
  );
}
