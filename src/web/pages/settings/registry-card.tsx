// Results of a registry's scrub: import of a CSV file in parts, what is stored, and the export.
import { useState } from "preact/hooks";
import { MOST_SCRUB_LINES, SCRUB_LINES_AT_ONCE, scrubLines } from "../../../payloads/scrub-lines.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { formatNumber } from "../../format.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { FileField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, LinkButton, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useMay } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.registry;

const FAULTS_SHOWN = 100;

export function RegistryCard() {
  const mayEdit = useMay("staff");
  const [importing, setImporting] = useState(false);
  const scrubs = useLoaded(() => call(api.registry.get()), []);
  return (
    <Card
      title={words.title}
      actions={
        <>
          {mayEdit && <Button onClick={() => setImporting(true)} label={words.import} />}
          <LinkButton href="/dashboard/api/registry/export" download label={words.export} />
        </>
      }
    >
      <p class="note">{words.note}</p>
      <Shown from={scrubs} as="rows" isEmpty={(all) => all.length === 0} empty={words.none}>
        {(all) => (
          <Table
            label={words.title}
            class="settings-table"
            rows={all}
            keyOf={(row) => `${row.registry} ${row.scrubbed_on} ${row.verdict}`}
            columns={[
              [words.registry, (row) => row.registry],
              [words.date, (row) => row.scrubbed_on],
              [words.verdict, (row) => words.verdicts[row.verdict] ?? row.verdict],
              [words.numbers, (row) => formatNumber(row.count)],
            ]}
          />
        )}
      </Shown>
      <Dialog title={words.import} open={importing} onClose={() => setImporting(false)}>
        <ScrubImport onImported={scrubs.reload} />
      </Dialog>
    </Card>
  );
}

interface Report {
  done: number;
  all: number;
  refused: number;
  faults: { line: number; message: string }[];
}

function ScrubImport({ onImported }: { onImported: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [registry, setRegistry] = useState("NCPR");
  const [date, setDate] = useState("");
  const [report, setReport] = useState<Report | null>(null);
  const action = useAction(["registry", "scrubbed_on"]);
  const run = () =>
    action.run(async () => {
      const lines = scrubLines((await file?.text()) ?? "");
      if (lines.length === 0) throw new Error(words.nothing);
      if (lines.length > MOST_SCRUB_LINES) throw new Error(words.tooMany);
      let [done, refused] = [0, 0];
      const faults: Report["faults"] = [];
      while (done < lines.length) {
        const part = lines.slice(done, done + SCRUB_LINES_AT_ONCE);
        const results = part.map(({ number, verdict }) => ({
          number: number.slice(0, 40),
          verdict: verdict.slice(0, 20),
        }));
        const answer = await call(api.registry.post({ registry, scrubbed_on: date, results }));
        for (const { line, message } of answer.faults) faults.push({ line: part[line - 1]?.line ?? line, message });
        refused += answer.refused;
        done += part.length;
        setReport({ done, all: lines.length, refused, faults });
      }
      onImported();
    });
  return (
    <Form submission={action} submit={words.start} isDisabled={file === null} onSubmit={run} layout="stack">
      <TextField
        label={words.registry}
        required
        maxLength={60}
        value={registry}
        onValue={setRegistry}
        error={action.fields["registry"]}
      />
      <TextField
        label={words.date}
        hint={words.dateHint}
        type="date"
        required
        value={date}
        onValue={setDate}
        error={action.fields["scrubbed_on"]}
      />
      <FileField
        label={words.file}
        hint={words.fileHint}
        accept=".csv,.txt,text/csv,text/plain"
        required
        onFile={(chosen) => {
          setFile(chosen);
          setReport(null);
        }}
      />
      {report && <Outcome report={report} />}
    </Form>
  );
}

function Outcome({ report: { done, all, refused, faults } }: { report: Report }) {
  return (
    <div class="import-report">
      <progress max={all} value={done} aria-label={words.progress} />
      <p role="status">{words.sofar(formatNumber(done), formatNumber(all), formatNumber(refused))}</p>
      {faults.length > 0 && (
        <Table
          label={words.faults(formatNumber(faults.length))}
          class="settings-table import-refused"
          rows={faults.slice(0, FAULTS_SHOWN)}
          keyOf={({ line }) => line}
          columns={[
            [words.line, ({ line }) => line],
            [words.why, ({ message }) => message],
          ]}
        />
      )}
    </div>
  );
}
