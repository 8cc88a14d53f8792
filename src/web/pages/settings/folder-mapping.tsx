// Maps the columns of a folder's lists, once: with a sample, and with what its rows would give.
import { useRef, useState } from "preact/hooks";
import type { SampleView } from "../../../exchange/folder/reading/read-jobs.ts";
import type { FolderSettings } from "../../../exchange/folder/settings.ts";
import type { SourceView } from "../../../exchange/sources/model.ts";
import { useAction } from "../../action.ts";
import { api, call, messageOf } from "../../client.ts";
import { FileField, NumberField, SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Problem } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useLoaded } from "../../data.ts";
import { formatNumber } from "../../format.ts";
import { postForm } from "../../upload.ts";
import { common, said } from "../../words.ts";

const words = said.folders;

const IDENTIFIERS = ["mrn", "abha", "abha_address"];
const OF_APPOINTMENT = [
  "external_id",
  "date",
  "time",
  "ends_at",
  "status",
  "changed_at",
  "name",
  "number",
  "email",
  "branch",
  "practitioner",
  "practitioner_id",
  "service",
  "notes",
  ...IDENTIFIERS,
];
const OF_PERSON = ["number", "name", "email", "language", "time_zone", "region", ...IDENTIFIERS];
const DEFAULT_PERCENT = 20;

type Columns = Record<string, string>;
type Asked = Pick<FolderSettings, "columns"> & Partial<Pick<FolderSettings, "date_order" | "default_branch_id">>;

interface MappingProps {
  source: SourceView;
  onSaved: () => void;
}

export function FolderMapping({ source, onSaved }: MappingProps) {
  const settings = source.settings as FolderSettings;
  const [file, setFile] = useState<File | null>(null);
  const { default_branch_id = null } = settings;
  const unasked: Asked = { columns: null, default_branch_id };
  const [asked, setAsked] = useState(unasked);
  const [percent, setPercent] = useState(String(settings.max_cancel_percent ?? DEFAULT_PERCENT));
  const { sample, problem, isReading, read } = useSample(source.source_id, setAsked);
  const saving = useAction();

  const choose = (chosen: File | null) => {
    setFile(chosen);
    if (chosen) read(chosen, unasked);
  };
  const ask = (change: Partial<Asked>) => {
    setAsked({ ...asked, ...change });
    read(file, { ...asked, ...change });
  };
  const setColumn = (field: string, column: string) => {
    const { [field]: _, ...others } = asked.columns ?? {};
    ask({ columns: column === "" ? others : { ...others, [field]: column } });
  };
  const save = async () => {
    const isComplete = settings.list === "complete";
    const changed = { ...settings, ...asked, ...(isComplete && { max_cancel_percent: Number(percent) }) };
    const send = () => call(api.sources({ id: source.source_id }).patch({ settings: changed }));
    if (await saving.run(send)) onSaved();
  };
  return (
    <div class="folder-mapping">
      <p class="note">{words.mapNote}</p>
      <FileField label={words.sample} accept=".csv,.txt,.tsv,.xlsx" onFile={choose} />
      <div class="actions">
        <Button busy={isReading} onClick={() => read(null, unasked)} label={words.useWaiting} />
      </div>
      <Problem text={problem} />
      {sample && asked.columns && (
        <Form submission={saving} submit={common.save} onSubmit={save}>
          <Fields list={settings.list} sample={sample} columns={asked.columns} onColumn={setColumn} />
          {settings.list !== "people" && <Further asked={asked} onAsk={ask} />}
          {settings.list === "complete" && (
            <NumberField label={words.percent} min={0} max={100} required value={percent} onValue={setPercent} />
          )}
          <Found sample={sample} />
        </Form>
      )}
    </div>
  );
}

/** Reads a sample whenever the choices change. An answer to earlier choices is dropped. */
function useSample(id: string, guessed: (asked: Asked) => void) {
  const [sample, setSample] = useState<SampleView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const question = useRef(0);
  const settle = (mine: number, view: SampleView | null, fault: string | null) => {
    if (mine !== question.current) return false;
    setReading(false);
    setProblem(fault);
    if (view) setSample(view);
    return view !== null;
  };
  return {
    sample,
    problem,
    isReading,
    read(file: File | null, asked: Asked): void {
      const mine = ++question.current;
      setReading(true);
      void sampleOf(id, file, asked).then(
        (view) => {
          const isGuess = settle(mine, view, null) && asked.columns === null;
          if (isGuess) guessed({ ...asked, columns: view.guess, date_order: view.date_order });
        },
        (error: unknown) => settle(mine, null, messageOf(error)),
      );
    },
  };
}

/** Null file: the list that waits. */
async function sampleOf(id: string, file: File | null, asked: Asked): Promise<SampleView> {
  if (file === null) {
    const view: unknown = await call(api.sources({ id }).sample.waiting.post({ settings: { ...asked } }));
    return view as SampleView;
  }
  const form = new FormData();
  form.set("asked", JSON.stringify(asked));
  form.set("file", file);
  const response = await postForm(`/dashboard/api/sources/${id}/sample`, form);
  return (await response.json()) as SampleView;
}

interface FieldsProps {
  list: FolderSettings["list"];
  sample: SampleView;
  columns: Columns;
  onColumn: (field: string, column: string) => void;
}

function Fields({ list, sample, columns, onColumn }: FieldsProps) {
  const info = sample.placeholders.map((name) => `info.${name}`);
  const fields = list === "people" ? [...OF_PERSON, ...info] : OF_APPOINTMENT;
  const options = [["", words.noColumn] as const, ...sample.columns.map(({ name }) => [name, name] as const)];
  const examples = (column: string | undefined) =>
    sample.columns
      .find(({ name }) => name === column)
      ?.examples.slice(0, 2)
      .join(" · ") ?? "";
  return (
    <>
      {fields.map((field) => (
        <SelectField
          key={field}
          label={words.fields[field] ?? `{{${field.slice("info.".length)}}}`}
          hint={examples(columns[field])}
          value={columns[field] ?? ""}
          onValue={(column) => onColumn(field, column)}
          options={options}
        />
      ))}
    </>
  );
}

function Further({ asked, onAsk }: { asked: Asked; onAsk: (change: Partial<Asked>) => void }) {
  const branches = useLoaded(() => call(api.calendar.configuration.get()), []);
  const named = (branches.data?.branches ?? []).map(({ branch_id: id, name }) => [id, name ?? id] as const);
  return (
    <>
      <SelectField
        label={words.order}
        value={asked.date_order ?? "dmy"}
        onValue={(order) => onAsk({ date_order: order as NonNullable<Asked["date_order"]> })}
        options={Object.entries(words.orders)}
      />
      <SelectField
        label={words.branch}
        value={asked.default_branch_id ?? ""}
        onValue={(id) => onAsk({ default_branch_id: id || null })}
        options={[["", words.noBranch], ...named]}
      />
    </>
  );
}

function Found({ sample }: { sample: SampleView }) {
  const { row_count, fault_count, faults } = sample;
  const rows = formatNumber(row_count);
  if (fault_count === 0) return <p role="status">{words.allFine(rows)}</p>;
  return (
    <>
      <p role="status">{words.someFaulty(rows, formatNumber(fault_count))}</p>
      <Table
        label={words.why}
        rows={faults}
        keyOf={({ row }) => row}
        columns={[
          [words.row, ({ row }) => row],
          [words.why, ({ message }) => message],
        ]}
      />
    </>
  );
}
