// The final report of a run: faults, checks and verdict.
import { MOODS } from "./bad-receiver.ts";
import type { TortureReport } from "./run.ts";

const MOST_SHOWN = 5;

/** A run that left a kind of fault out did not show what it is there to show. */
export const isGreen = ({ findings, left }: Pick<TortureReport, "findings" | "left">) =>
  findings.every(({ broken }) => broken.length === 0) && left.length === 0;

export function reportLines(report: TortureReport): string[] {
  const { client, faults, left, moods, findings } = report;
  const rows: [string, string][] = [
    ["requests", `${client.requests}, of which ${client.reads} reads`],
    ["without an answer", String(client.silences)],
    ["refused for the time being", String(client.refusals)],
    ["calls asked for", `${client.calls.length}, ${client.calls.filter(({ isKeyed }) => isKeyed).length} with a key`],
    ["appointments asked for", String(client.bookings.length)],
    ...[...faults].map(([name, count]): [string, string] => [name, `${count} ×`]),
    ...left.map(({ name, why }): [string, string] => [name, `left out: ${why}`]),
    ["slow clients", String(report.slowClients)],
    ["numbers dialled", String(report.dialled)],
    ["events at the receiver", `${report.arrivals} (${MOODS.map((mood) => `${mood} ${moods[mood]}`).join(", ")})`],
  ];
  const verdicts = findings.map(({ check, of, what, broken }): [string, string] => [
    check,
    broken.length === 0 ? `holds for ${of} ${what}` : `BROKEN ${broken.length} times, of ${of} ${what}`,
  ]);
  const shown = findings.flatMap(({ check, broken }) =>
    broken.slice(0, MOST_SHOWN).map((words) => `  ${check}: ${words}`),
  );
  return [
    `seed ${report.seed}, ${report.seconds.toFixed(0)} s`,
    "",
    ...table(rows),
    "",
    ...table(verdicts),
    ...(report.isDrained
      ? []
      : ["", "Some deliveries were still waiting: their order and their events are kept, not all were told."]),
    ...(shown.length === 0 ? [] : ["", ...shown]),
    "",
    isGreen(report) ? "GREEN" : left.length > 0 ? "RED: a kind of fault was left out" : "RED",
  ];
}

function table(rows: readonly [string, string][]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
