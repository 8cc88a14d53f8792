// Lists of consents: import of a CSV file in parts with a report of every refused line, and the export.
import { useState } from "preact/hooks";
import {
  CONSENT_LINES_AT_ONCE,
  MOST_CONSENT_BYTES,
  MOST_CONSENT_LINES,
  consentLines,
  type ConsentLine,
} from "../../../payloads/consent-lines.ts";
import { CONSENT_BASES } from "../../../payloads/consent.ts";
import { PURPOSES } from "../../../payloads/lawful.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { formatNumber } from "../../format.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { FileField, SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, LinkButton } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { completed } from "../../phone-number.ts";
import { useMay } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.consentList;
const { purposes, bases } = said.consents;

const FAULTS_SHOWN = 100;

export function ConsentCard() {
  const mayEdit = useMay("staff");
  const [importing, setImporting] = useState(false);
  return (
    <Card
      title={words.title}
      actions={
        <>
          {mayEdit && <Button onClick={() => setImporting(true)} label={words.import} />}
          <LinkButton href="/dashboard/api/consents/export" download label={words.export} />
        </>
      }
    >
      <p class="note">{words.note}</p>
      <Dialog title={words.import} open={importing} onClose={() => setImporting(false)}>
        <ConsentImport />
      </Dialog>
    </Card>
  );
}

interface Report {
  done: number;
  all: number;
  granted: number;
  unchanged: number;
  refused: { row: number; message: string }[];
}

function ConsentImport() {
  const [file, setFile] = useState<File | null>(null);
  const [purpose, setPurpose] = useState("");
  const [basis, setBasis] = useState("");
  const [report, setReport] = useState<Report | null>(null);
  const action = useAction([]);
  const run = () =>
    action.run(async () => {
      const lines = await linesOf(file);
      const so: Report = { done: 0, all: lines.length, granted: 0, unchanged: 0, refused: [] };
      while (so.done < so.all) {
        const part = lines.slice(so.done, so.done + CONSENT_LINES_AT_ONCE);
        const answer = await call(api.consents.import.post({ purpose, basis, lines: part.map(withNumber) }));
        so.done += part.length;
        so.granted += answer.granted;
        so.unchanged += answer.unchanged;
        so.refused.push(...answer.refused);
        setReport({ ...so });
      }
    });
  return (
    <Form submission={action} submit={words.start} isDisabled={file === null} onSubmit={run} layout="stack">
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
      <SelectField
        label={words.purpose}
        hint={words.wholeHint}
        value={purpose}
        onValue={setPurpose}
        options={[["", words.inFile] as const, ...PURPOSES.map((one) => [one, purposes[one] ?? one] as const)]}
      />
      <SelectField
        label={words.basis}
        value={basis}
        onValue={setBasis}
        options={[["", words.inFile] as const, ...CONSENT_BASES.map((one) => [one, bases[one] ?? one] as const)]}
      />
      {report && <Outcome report={report} />}
    </Form>
  );
}

/** Completed as in lists; what is no number is rejected as written. */
const withNumber = (line: ConsentLine): ConsentLine => ({ ...line, number: completed(line.number) ?? line.number });

async function linesOf(file: File | null) {
  if (file && file.size > MOST_CONSENT_BYTES) throw new Error(words.tooLarge);
  const lines = consentLines((await file?.text()) ?? "");
  if (lines === null) throw new Error(words.noNumbers);
  if (lines.length === 0) throw new Error(words.nothing);
  if (lines.length > MOST_CONSENT_LINES) throw new Error(words.tooMany);
  return lines;
}

function Outcome({ report: { done, all, granted, unchanged, refused } }: { report: Report }) {
  return (
    <div class="import-report">
      <progress max={all} value={done} aria-label={words.progress} />
      <p role="status">
        {words.sofar(formatNumber(done), formatNumber(all))}{" "}
        {words.counts(formatNumber(granted), formatNumber(unchanged), formatNumber(refused.length))}
      </p>
      {refused.length > 0 && (
        <Table
          label={words.refused}
          class="settings-table import-refused"
          rows={refused.slice(0, FAULTS_SHOWN)}
          keyOf={({ row }) => row}
          columns={[
            [words.line, ({ row }) => row],
            [words.why, ({ message }) => message],
          ]}
        />
      )}
      {refused.length > FAULTS_SHOWN && <p class="note">{words.more(formatNumber(refused.length - FAULTS_SHOWN))}</p>}
    </div>
  );
}
