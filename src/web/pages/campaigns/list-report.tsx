// Report of the dry run: callable and rejected rows, before anything is created.
import { useAction } from "../../action.ts";
import { Badge, Button, Card, Problem } from "../../kit/parts.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { formatNumber } from "../../format.ts";
import { offerFile } from "../../upload.ts";
import { said } from "../../words.ts";
import type { AskedList, ListView } from "./asked-list.ts";

const words = said.campaigns.make;

export function ReportCard({ view, downloadFaulty }: { view: ListView; downloadFaulty: AskedList["downloadFaulty"] }) {
  const callable = view.rows.length;
  const counts = [
    ...(view.faulty_count > 0 ? [["bad", words.faulty(formatNumber(view.faulty_count))] as const] : []),
    ...(view.warned_count > 0 ? [["warn", words.warned(formatNumber(view.warned_count))] as const] : []),
  ];
  return (
    <Card title={words.found}>
      <p class="campaign-counts" role="status">
        <strong>{callable === 0 ? words.none : words.willBeCalled(formatNumber(callable))}</strong>
        {counts.map(([tone, text]) => (
          <span key={tone} class={`badge ${tone}`}>
            {text}
          </span>
        ))}
      </p>
      {view.greeting !== null && (
        <div class="dry-run">
          <blockquote>
            <span class="label">{words.greeting(formatNumber(view.shown[0]?.row ?? 1))}</span>
            {view.greeting}
          </blockquote>
        </div>
      )}
      <FirstRows view={view} />
      <Faults view={view} downloadFaulty={downloadFaulty} />
    </Card>
  );
}

function FirstRows({ view }: { view: ListView }) {
  if (view.shown.length === 0) return null;
  const names = view.placeholders.filter((name) => view.mapping.info[name] !== undefined);
  return (
    <Table
      label={words.firstRows}
      class="campaign-rows"
      hasCaption
      rows={view.shown}
      keyOf={({ row }) => row}
      columns={[
        [words.row, ({ row }) => row],
        [words.number, ({ user_number }) => user_number],
        [words.personName, ({ user_name }) => user_name ?? "–"],
        ...names.map((name): Column<ListView["shown"][number]> => [
          name,
          ({ additional_info }) => additional_info?.[name] ?? "–",
        ]),
      ]}
    />
  );
}

function Faults({ view, downloadFaulty }: { view: ListView; downloadFaulty: AskedList["downloadFaulty"] }) {
  const { busy, error, run } = useAction();
  if (view.faults.length === 0) return null;
  const download = () => run(async () => offerFile(words.fileOfFaulty, await downloadFaulty()));
  return (
    <div class="campaign-faults">
      <Table
        label={words.faultsTitle}
        class="campaign-rows"
        hasCaption
        rows={view.faults}
        keyOf={({ row }) => row}
        columns={[
          [words.row, ({ row }) => row],
          [words.personName, ({ name }) => name ?? "–"],
          [words.writtenNumber, ({ number }) => (number === "" ? "–" : number)],
          [words.what, ({ messages }) => messages.join(" ")],
          [
            words.found,
            ({ is_error }) => (
              <Badge state={is_error ? "failed" : "held"} text={is_error ? words.leftOut : words.calledAnyway} />
            ),
            { isTitleHidden: true },
          ],
        ]}
      />
      {view.faulty_count + view.warned_count > view.faults.length && (
        <p class="note">{words.onlyFirst(formatNumber(view.faults.length))}</p>
      )}
      <Problem text={error} />
      {view.faulty_count > 0 && (
        <div class="actions">
          <Button busy={busy} onClick={download} label={words.download} />
        </div>
      )}
    </div>
  );
}
