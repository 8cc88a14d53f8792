// Numbers that are never called: search, add, remove, import and export.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Dialog, FormDialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, Shown } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { sayDone } from "../../kit/toasts.tsx";
import { formatNumber, formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { MoreRows } from "../../kit/more-rows.tsx";
import { NumberImport } from "./number-import.tsx";
import { useDelayed } from "../../kit/use-delayed.ts";
import { usePages } from "../../kit/use-pages.ts";

const words = said.settings.doNotDisturbTab;

export function DoNotDisturbTab() {
  const mayEdit = useMay("staff");
  const [search, setSearch] = useState("");
  const [importing, setImporting] = useState(false);
  const [leaving, setLeaving] = useState<string | null>(null);
  const asked = useDelayed(search);
  const list = usePages(
    (cursor) =>
      call(
        api["do-not-disturb"].get({
          query: { ...(asked === "" ? {} : { search: asked }), ...(cursor === undefined ? {} : { cursor }) },
        }),
      ),
    [asked],
  );
  return (
    <Card
      title={words.title}
      actions={
        <>
          {mayEdit && <Button onClick={() => setImporting(true)} label={words.import} />}
          <a class="button as-link" href="/dashboard/api/do-not-disturb/export" download>
            {words.export}
          </a>
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
      <RemoveDialog number={leaving} onClose={() => setLeaving(null)} onRemoved={list.first.reload} />
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
    <div class="table-wrap settings-table" tabIndex={0} role="region" aria-label={words.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.number}</th>
            <th scope="col">{words.added}</th>
            {mayEdit && (
              <th scope="col">
                <span class="visually-hidden">{words.remove}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ number, added_at }) => (
            <tr key={number}>
              <th scope="row">
                <Phone number={number} />
              </th>
              <td>{formatShortTime(added_at, organisation.time_zone)}</td>
              {mayEdit && (
                <td class="number">
                  <Button
                    kind="quiet"
                    aria-label={words.removeNumber(number)}
                    onClick={() => onRemove(number)}
                    label={words.remove}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AddNumber({ onAdded }: { onAdded: () => void }) {
  const [number, setNumber] = useState("");
  const { busy, error, fields, run } = useAction();
  const add = async () => {
    const send = async () => {
      const { refused, already } = await call(api["do-not-disturb"].post({ numbers: [number] }));
      if (refused[0]) throw new Error(refused[0].message);
      sayDone(already > 0 ? words.wasThere : words.isAdded);
    };
    if (!(await run(send))) return;
    setNumber("");
    onAdded();
  };
  return (
    <Form submission={{ busy, error: null, fields }} submit={words.add} onSubmit={add} layout="line">
      <TextField
        label={words.number}
        hint={words.numberHint}
        type="tel"
        required
        maxLength={40}
        value={number}
        onValue={setNumber}
        error={error ?? undefined}
      />
    </Form>
  );
}

function RemoveDialog({
  number,
  onClose,
  onRemoved,
}: {
  number: string | null;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const removal = useAction();
  const remove = async () => {
    if (number === null) return;
    if (!(await removal.run(() => call(api["do-not-disturb"]({ number }).delete()), words.removed))) return;
    onClose();
    onRemoved();
  };
  return (
    <FormDialog
      title={words.removeTitle}
      open={number !== null}
      onClose={onClose}
      submission={removal}
      submit={words.remove}
      kind="danger"
      onSubmit={remove}
    >
      <p>{words.removeNote(number ?? "")}</p>
    </FormDialog>
  );
}
