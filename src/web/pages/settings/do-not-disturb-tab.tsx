// Do-not-disturb list: search, add, remove, import and export.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, LinkButton, Shown } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { Table } from "../../kit/table.tsx";
import { sayDone } from "../../said.ts";
import { formatNumber, formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { MoreRows } from "../../kit/more-rows.tsx";
import { NumberImport } from "./number-import.tsx";
import { useDelayed } from "../../kit/use-delayed.ts";
import { useForm } from "../../kit/use-form.ts";
import { usePages } from "../../kit/use-pages.ts";
import { given } from "../../given.ts";

const words = said.settings.doNotDisturbTab;

export function DoNotDisturbTab() {
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
        text={words.removeNote(leaving ?? "")}
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
  rows: readonly { number: string; added_at: string }[];
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

function AddNumber({ onAdded }: { onAdded: () => void }) {
  const form = useForm({ number: "" });
  const add = async () => {
    const send = async () => {
      const { refused, already } = await call(api["do-not-disturb"].post({ numbers: [form.values.number] }));
      if (refused[0]) throw new Error(refused[0].message);
      sayDone(already > 0 ? words.wasThere : words.isAdded);
    };
    if (!(await form.run(send))) return;
    form.reset();
    onAdded();
  };
  return (
    <Form submission={{ ...form, error: null }} submit={words.add} onSubmit={add} layout="line">
      <TextField
        label={words.number}
        hint={words.numberHint}
        type="tel"
        required
        maxLength={40}
        {...form.at("number")}
        error={form.error ?? undefined}
      />
    </Form>
  );
}
