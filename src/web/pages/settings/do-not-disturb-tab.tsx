// Do-not-disturb list: search, add, remove, import and export.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, LinkButton, Shown } from "../../kit/parts.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { Phone } from "../../kit/phone.tsx";
import { Table } from "../../kit/table.tsx";
import { sayDone } from "../../said.ts";
import { formatNumber, formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { dialled, spaced } from "../../phone-number.ts";
import { said } from "../../words.ts";
import { MoreRows } from "../../kit/more-rows.tsx";
import { ConsentCard } from "./consent-card.tsx";
import { RegistryCard } from "./registry-card.tsx";
import { CALLS_PATH } from "../calls/filters.ts";
import { NumberImport } from "./number-import.tsx";
import { useDelayed } from "../../kit/use-delayed.ts";
import { useForm } from "../../kit/use-form.ts";
import { usePages } from "../../kit/use-pages.ts";
import { given } from "../../given.ts";

const words = said.settings.doNotDisturbTab;

export function DoNotDisturbTab() {
  return (
    <>
      <DoNotDisturbList />
      <ConsentCard />
      <RegistryCard />
    </>
  );
}

function DoNotDisturbList() {
  const mayEdit = useMay("staff");
  const [search, setSearch] = useState("");
  const [importing, setImporting] = useState(false);
  const [leaving, setLeaving] = useState<string | null>(null);
  const asked = useDelayed(search);
  const list = usePages(
    (cursor) => call(api["do-not-disturb"].get({ query: given({ search: asked, cursor }) })),
    [asked],
  );
  return (
    <Card
      title={words.title}
      actions={
        <>
          {mayEdit && <Button onClick={() => setImporting(true)} label={words.import} />}
          <LinkButton href="/dashboard/api/do-not-disturb/export" download label={words.export} />
        </>
      }
    >
      <p class="note">
        {words.note} {list.first.data !== null && words.total(formatNumber(list.first.data.total))}
      </p>
      {mayEdit && <AddNumber onAdded={list.first.reload} />}
      <div class="filters settings-filter">
        <TextField label={words.search} type="search" value={search} onValue={setSearch} />
      </div>
      <Shown
        from={list.first}
        as="rows"
        isEmpty={() => list.rows.length === 0}
        empty={asked === "" ? words.nobody : words.nothingFound}
      >
        {() => <NumberTable rows={list.rows} onRemove={setLeaving} />}
      </Shown>
      <MoreRows list={list} />
      <Dialog title={words.import} open={importing} onClose={() => setImporting(false)}>
        <NumberImport onImported={list.first.reload} />
      </Dialog>
      <Confirm
        title={words.removeTitle}
        text={words.removeNote(spaced(leaving ?? ""))}
        action={words.remove}
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={() => call(api["do-not-disturb"]({ number: leaving ?? "" }).delete())}
        done={words.removed}
        onDone={list.first.reload}
      />
    </Card>
  );
}

interface NumberTableProps {
  rows: readonly { number: string; added_at: string; source: string | null; call_id: string | null }[];
  onRemove: (number: string) => void;
}

function NumberTable({ rows, onRemove }: NumberTableProps) {
  const mayEdit = useMay("staff");
  const { organisation } = useSession();
  return (
    <Table
      label={words.title}
      class="settings-table"
      rows={rows}
      keyOf={({ number }) => number}
      columns={[
        [words.number, ({ number }) => <Phone number={number} />, { isRowHead: true }],
        [words.added, ({ added_at }) => formatShortTime(added_at, organisation.time_zone)],
        [words.source, ({ source, call_id }) => <Source source={source} callId={call_id} />],
        mayEdit && [
          words.remove,
          ({ number }) => (
            <Button
              kind="quiet"
              aria-label={words.removeNumber(number)}
              onClick={() => onRemove(number)}
              label={words.remove}
            />
          ),
          { class: "number", isTitleHidden: true },
        ],
      ]}
    />
  );
}

/** The call, where the callee asked for it there. */
function Source({ source, callId }: { source: string | null; callId: string | null }) {
  const text = said.consents.sources[source ?? ""] ?? "";
  return callId === null ? <>{text}</> : <a href={`${CALLS_PATH}/${callId}`}>{text}</a>;
}

function AddNumber({ onAdded }: { onAdded: () => void }) {
  const form = useForm({ number: "" });
  const add = async () => {
    const send = async () => {
      const { refused, already } = await call(api["do-not-disturb"].post({ numbers: [dialled(form.values.number)] }));
      if (refused[0]) throw new Error(refused[0].message);
      sayDone(already > 0 ? words.wasThere : words.isAdded);
    };
    if (!(await form.run(send))) return;
    form.reset();
    onAdded();
  };
  return (
    <Form submission={{ ...form, error: null }} submit={words.add} onSubmit={add} layout="line">
      <PhoneField label={words.number} required {...form.at("number")} error={form.error ?? undefined} />
    </Form>
  );
}
