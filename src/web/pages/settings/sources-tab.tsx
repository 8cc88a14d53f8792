// The hospital's own systems that send appointments: add, change, remove.
import { useState } from "preact/hooks";
import type { SourceView } from "../../../exchange/sources/model.ts";
import { OWNED_PARTS, type OwnedPart } from "../../../payloads/source.ts";
import { api, call } from "../../client.ts";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { CheckBox, CheckBoxes, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Badge, Button, Card, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { sayDone } from "../../said.ts";
import { useMay, useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";

const words = said.sources.tab;

export function SourcesTab() {
  const mayEdit = useMay("owner");
  const sources = useLoaded(() => call(api.sources.get()), []);
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<SourceView | null>(null);
  const [removing, setRemoving] = useState<SourceView | null>(null);
  const [release, setRelease] = useState(false);
  const finish = (done: string) => {
    setAdding(false);
    setChanging(null);
    sayDone(done);
    sources.reload();
  };
  return (
    <Card
      title={words.title}
      actions={mayEdit && <Button kind="primary" onClick={() => setAdding(true)} label={words.add} />}
    >
      <p class="note">{words.note}</p>
      <Shown from={sources} as="rows" isEmpty={(rows) => rows.length === 0} empty={words.none}>
        {(rows) => <SourceTable rows={rows} onChange={setChanging} onRemove={setRemoving} />}
      </Shown>
      <Dialog title={words.add} open={adding} onClose={() => setAdding(false)}>
        <SourceForm source={null} onSaved={finish} />
      </Dialog>
      <Dialog title={changing?.name ?? ""} open={changing !== null} onClose={() => setChanging(null)}>
        {changing && <SourceForm source={changing} onSaved={finish} />}
      </Dialog>
      <Confirm
        title={words.removeTitle}
        text={words.removeNote(removing?.name ?? "")}
        action={words.remove}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onConfirm={() =>
          call(
            api
              .sources({ id: removing?.source_id ?? "" })
              .delete(undefined, { query: release ? { release: "true" } : {} }),
          )
        }
        done={words.removed}
        onDone={sources.reload}
      >
        <CheckBox label={words.release} checked={release} onChecked={setRelease} />
      </Confirm>
    </Card>
  );
}

interface SourceTableProps {
  rows: readonly SourceView[];
  onChange: (source: SourceView) => void;
  onRemove: (source: SourceView) => void;
}

function SourceTable({ rows, onChange, onRemove }: SourceTableProps) {
  const mayEdit = useMay("owner");
  const { organisation } = useSession();
  return (
    <Table
      label={words.title}
      class="settings-table"
      narrow="cards"
      rows={rows}
      keyOf={({ source_id }) => source_id}
      columns={[
        [words.name, ({ name }) => name, { isRowHead: true }],
        [words.kind, ({ kind }) => words.kinds[kind] ?? kind],
        [words.id, ({ source_id }) => <code>{source_id}</code>],
        [
          words.state,
          ({ enabled }) => <Badge state={enabled ? "active" : "cancelled"} text={enabled ? words.on : words.off} />,
        ],
        [
          words.heard,
          ({ last_heard_at: at }) => (at === null ? words.never : formatShortTime(at, organisation.time_zone)),
        ],
        mayEdit && [
          words.change,
          (source) => (
            <>
              <Button
                kind="quiet"
                aria-label={words.changeOf(source.name)}
                onClick={() => onChange(source)}
                label={words.change}
              />
              <Button
                kind="quiet"
                aria-label={words.removeOf(source.name)}
                onClick={() => onRemove(source)}
                label={words.remove}
              />
            </>
          ),
          { class: "number", isTitleHidden: true },
        ],
      ]}
    />
  );
}

/** A system of the kind `api` needs no settings. */
function SourceForm({ source, onSaved }: { source: SourceView | null; onSaved: (done: string) => void }) {
  const form = useForm(
    { name: source?.name ?? "", enabled: source?.enabled ?? true, owns: source?.owns ?? [...OWNED_PARTS] },
    ["name"],
  );
  const { name, enabled, owns } = form.values;
  const save = async () => {
    const send = () =>
      source
        ? call(api.sources({ id: source.source_id }).patch({ name, enabled, owns }))
        : call(api.sources.post({ name, kind: "api", enabled, owns }));
    if (await form.run(send)) onSaved(source ? words.saved : words.added);
  };
  return (
    <Form submission={form} submit={source ? common.save : words.add} onSubmit={save}>
      <TextField label={words.name} hint={words.nameHint} required maxLength={60} {...form.at("name")} />
      <CheckBoxes<OwnedPart>
        legend={words.owns}
        options={OWNED_PARTS.map((part) => [part, words.parts[part] ?? part] as const)}
        chosen={owns}
        onChosen={(chosen) => form.set({ owns: chosen })}
      >
        <p class="note">{words.ownsNote}</p>
      </CheckBoxes>
      <CheckBox label={words.enabled} {...form.box("enabled")} />
    </Form>
  );
}
