// What would be called, and what would not: seen before anything is made.
import { useAction } from "../../action.ts";
import { Badge, Button, Card, Problem } from "../../kit/parts.tsx";
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
    <div class="table-wrap" tabIndex={0} role="region" aria-label={words.firstRows}>
      <table class="campaign-rows">
        <caption>{words.firstRows}</caption>
        <thead>
          <tr>
            <th scope="col">{words.row}</th>
            <th scope="col">{words.number}</th>
            <th scope="col">{words.personName}</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.shown.map(({ row, user_number, user_name, additional_info }) => (
            <tr key={row}>
              <td>{row}</td>
              <td>{user_number}</td>
              <td>{user_name ?? "–"}</td>
              {names.map((name) => (
                <td key={name}>{additional_info?.[name] ?? "–"}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Faults({ view, downloadFaulty }: { view: ListView; downloadFaulty: AskedList["downloadFaulty"] }) {
  const { busy, error, run } = useAction();
  if (view.faults.length === 0) return null;
  const download = () => run(async () => offerFile(words.fileOfFaulty, await downloadFaulty()));
  return (
    <div class="campaign-faults">
      <div class="table-wrap" tabIndex={0} role="region" aria-label={words.faultsTitle}>
        <table class="campaign-rows">
          <caption>{words.faultsTitle}</caption>
          <thead>
            <tr>
              <th scope="col">{words.row}</th>
              <th scope="col">{words.personName}</th>
              <th scope="col">{words.writtenNumber}</th>
              <th scope="col">{words.what}</th>
              <th scope="col">
                <span class="visually-hidden">{words.found}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {view.faults.map(({ row, name, number, is_error, messages }) => (
              <tr key={row}>
                <td>{row}</td>
                <td>{name ?? "–"}</td>
                <td>{number === "" ? "–" : number}</td>
                <td>{messages.join(" ")}</td>
                <td>
                  <Badge state={is_error ? "failed" : "held"} text={is_error ? words.leftOut : words.calledAnyway} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
