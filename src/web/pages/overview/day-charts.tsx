// Calls and bookings per day: stacked bars, and a table with the numbers.
import { Card } from "../../kit/parts.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { formatDate, formatNumber } from "../../format.ts";
import { stateText } from "../calls/call-words.ts";
import { StackedBars, type Layer } from "./stacked-bars.tsx";
import type { Numbers } from "./tiles.tsx";
import { said } from "../../words.ts";

const words = said.overview.dayCharts;

export function DayCharts({ days }: { days: Numbers["days"] }) {
  return (
    <div class="columns chart-columns">
      <DayChart
        title={words.calls}
        note={words.callsNote}
        dates={days.map(({ date }) => date)}
        layers={[
          { name: "completed", label: stateText("completed"), values: days.map((day) => day.completed) },
          { name: "failed", label: stateText("failed"), values: days.map((day) => day.failed) },
          { name: "cancelled", label: stateText("cancelled"), values: days.map((day) => day.cancelled) },
          { name: "disallowed", label: stateText("disallowed"), values: days.map((day) => day.disallowed) },
          { name: "open", label: words.open, values: days.map((day) => day.open) },
        ]}
      />
      <DayChart
        title={words.bookings}
        note={words.bookingsNote}
        dates={days.map(({ date }) => date)}
        layers={[
          { name: "by-ai", label: words.byAi, values: days.map((day) => day.bookings_by_ai) },
          { name: "by-people", label: words.byPeople, values: days.map((day) => day.bookings - day.bookings_by_ai) },
        ]}
      />
    </div>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function DayChart({
  title,
  note,
  dates,
  layers,
}: {
  title: string;
  note: string;
  dates: readonly string[];
  layers: readonly Layer[];
}) {
  const total = sum(layers.map(({ values }) => sum(values)));
  const summary = words.summary(title, formatNumber(total), formatDate(dates[0] ?? ""), formatDate(dates.at(-1) ?? ""));
  return (
    <Card title={title} actions={<span class="note">{note}</span>}>
      <StackedBars dates={dates} layers={layers} summary={summary} nothing={total === 0 ? words.nothing : null} />
      <details class="chart-table">
        <summary>{words.table}</summary>
        <Table
          label={title}
          rows={dates.map((date, index) => ({ date, index }))}
          keyOf={({ date }) => date}
          columns={[
            [words.day, ({ date }) => formatDate(date), { isRowHead: true, foot: words.total }],
            ...layers.map(({ label, values }): Column<{ index: number }> => [
              label,
              ({ index }) => formatNumber(values[index] ?? 0),
              { class: "number", foot: formatNumber(sum(values)) },
            ]),
          ]}
        />
      </details>
    </Card>
  );
}
