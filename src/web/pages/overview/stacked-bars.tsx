// Stacked bars, one per day, drawn by uPlot. Colours come from the style sheet, so they follow the light and dark
// scheme.
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { formatDate, formatNumber } from "../../format.ts";
import { locale } from "../../language.ts";

export interface Layer {
  /** Suffix of the CSS variable --chart-<name> and of the swatch class. */
  name: string;
  label: string;
  values: readonly number[];
}

interface Props {
  dates: readonly string[];
  layers: readonly Layer[];
  /** Text alternative of the chart, for screen readers. */
  summary: string;
  /** Shown over an empty chart. */
  nothing: string | null;
}

const HEIGHT_PX = 230;
/** Integer steps of the axis, because the values are counts. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 1_000_000];

export function StackedBars({ dates, layers, summary, nothing }: Props) {
  const picture = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const scheme = useColourScheme();

  useEffect(() => {
    const element = picture.current;
    if (!element) return;
    const chart = new uPlot(optionsOf(element, dates, layers, setPointed), stacked(dates, layers), element);
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [dates.join(), JSON.stringify(layers), scheme]);

  return (
    <div class="chart">
      <div class="chart-picture" role="img" aria-label={summary} ref={picture}>
        {nothing !== null && <p class="chart-nothing">{nothing}</p>}
      </div>
      <Legend layers={layers} date={pointed === null ? null : (dates[pointed] ?? null)} index={pointed} />
    </div>
  );
}

/**
 * Legend; over a bar it also shows the count of each colour. Its height is constant, so that the layout does not jump.
 */
function Legend({ layers, date, index }: { layers: readonly Layer[]; date: string | null; index: number | null }) {
  return (
    <div class="chart-legend" aria-hidden="true">
      <span class="chart-date">{date === null ? "" : formatDate(date)}</span>
      {layers.map(({ name, label, values }) => (
        <span key={name} class="chart-key">
          <i class={`swatch ${name}`} />
          {label}
          <b>{index === null ? "" : formatNumber(values[index] ?? 0)}</b>
        </span>
      ))}
    </div>
  );
}

/** Draws the highest sum first, and the lower ones over it. */
function stacked(dates: readonly string[], layers: readonly Layer[]): uPlot.AlignedData {
  const sums: number[][] = [];
  const below = dates.map(() => 0);
  for (const { values } of layers) sums.push(values.map((value, day) => (below[day] = (below[day] ?? 0) + value)));
  // Zero is null, so that no bar without height is drawn.
  const bars = sums.map((values) => values.map((value) => (value === 0 ? null : value)));
  return [dates.map((_, day) => day), ...bars.toReversed()];
}

function optionsOf(
  element: HTMLElement,
  dates: readonly string[],
  layers: readonly Layer[],
  onPointed: (day: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (variable: string) => style.getPropertyValue(variable).trim();
  const axis = { stroke: colour("--muted"), font: "13px system-ui, sans-serif", ticks: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.75, 48], radius: [0.15, 0] });
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    padding: [10, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.6, dates.length - 0.4] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.05)] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        splits: () => dayMarks(dates.length, element.clientWidth),
        values: (_, days) => days.map((day) => shortDay(dates[day])),
      },
      {
        ...axis,
        size: 44,
        incrs: STEPS,
        grid: { stroke: colour("--line"), width: 1 },
        values: (_, counts) => counts.map((count) => formatNumber(count)),
      },
    ],
    series: [
      {},
      ...layers.toReversed().map(({ name }) => ({
        fill: colour(`--chart-${name}`),
        // A line in the background colour separates the layers for colour-blind users.
        stroke: colour("--surface"),
        width: 1,
        points: { show: false },
        ...(bars ? { paths: bars } : {}),
      })),
    ],
    hooks: { setCursor: [(chart) => onPointed(chart.cursor.idx ?? null)] },
  };
}

/** As many days as have room for their label, always including the last. */
function dayMarks(count: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / 70))));
  const marks: number[] = [];
  for (let day = count - 1; day >= 0; day -= every) marks.unshift(day);
  return marks;
}

function shortDay(date: string | undefined): string {
  if (date === undefined) return "";
  return new Intl.DateTimeFormat(locale(), { timeZone: "UTC", day: "numeric", month: "short" }).format(
    new Date(`${date}T12:00:00Z`),
  );
}

function useColourScheme(): "dark" | "light" {
  const [isDark, setIsDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => setIsDark(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return isDark ? "dark" : "light";
}
