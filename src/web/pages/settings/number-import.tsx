// Import of a CSV file of numbers: sent in parts with progress, and a report of every rejected line.
import { useState } from "preact/hooks";
import { api, call, messageOf } from "../../client.ts";
import { FileField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Table } from "../../kit/table.tsx";
import { formatNumber } from "../../format.ts";
import { dialled } from "../../phone-number.ts";
import { numberLines, type NumberLine } from "./number-lines.ts";
import { said } from "../../words.ts";

const words = said.settings.numberImport;

/** Small, so that database transactions stay short and the progress bar moves. */
const LINES_PER_REQUEST = 500;
const REFUSED_SHOWN = 200;
const NO_FIELDS = {};

interface Report {
  done: number;
  all: number;
  added: number;
  already: number;
  refused: (NumberLine & { message: string })[];
}

export function NumberImport({ onImported }: { onImported: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const run = async () => {
    if (!file) return;
    setBusy(true);
    setError(null);
    try {
      const lines = numberLines(await file.text());
      const all = lines.length;
      if (all === 0) {
        setError(words.nothing);
        return;
      }
      const report: Report = { done: 0, all, added: 0, already: 0, refused: [] };
      setReport({ ...report });
      while (report.done < all) {
        const part = lines.slice(report.done, report.done + LINES_PER_REQUEST);
        // The server rejects a cell longer than any number anyway, so only its beginning is sent.
        const answer = await call(
          api["do-not-disturb"].post({ numbers: part.map(({ text }) => dialled(text).slice(0, 40)) }),
        );
        report.added += answer.added;
        report.already += answer.already;
        for (const { line, message } of answer.refused)
          report.refused.push({ ...(part[line - 1] ?? { line, text: "" }), message });
        report.done += part.length;
        setReport({ ...report });
      }
      onImported();
    } catch (fault) {
      setError(words.stopped(messageOf(fault)));
      onImported();
    } finally {
      setBusy(false);
    }
  };

  return (
    <Form
      submission={{ busy, error, fields: NO_FIELDS }}
      submit={words.start}
      isDisabled={file === null}
      onSubmit={run}
      layout="stack"
    >
      <FileField
        label={words.file}
        hint={words.hint}
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

function Outcome({ report: { done, all, added, already, refused } }: { report: Report }) {
  return (
    <div class="import-report">
      <progress max={all} value={done} aria-label={words.progress} />
      <p role="status">
        {words.sofar(formatNumber(done), formatNumber(all))}
        {done === all && `. ${words.done(formatNumber(added), formatNumber(already))}`}
      </p>
      {refused.length > 0 && (
        <>
          <p>{words.refused(formatNumber(refused.length))}</p>
          <Table
            label={words.refused(formatNumber(refused.length))}
            class="settings-table import-refused"
            rows={refused.slice(0, REFUSED_SHOWN)}
            keyOf={({ line }) => line}
            columns={[
              [words.line, ({ line }) => line],
              [words.text, ({ text }) => text.slice(0, 40)],
              [words.why, ({ message }) => message],
            ]}
          />
          {refused.length > REFUSED_SHOWN && <p class="note">{words.only(formatNumber(REFUSED_SHOWN))}</p>}
        </>
      )}
    </div>
  );
}
