// A small Prometheus registry: counters, gauges and histograms in the text exposition format 0.0.4.

type Labels = Record<string, string>;

export interface Counter {
  add(labels?: Labels, amount?: number): void;
  /** One series, for hot paths: the label text is built once. */
  of(labels: Labels): { add(amount?: number): void };
}
export interface Histogram {
  observe(value: number, labels?: Labels): void;
  of(labels: Labels): { observe(value: number): void };
}

export interface Metrics {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, buckets: readonly number[]): Histogram;
  /** Read when scraped, so a gauge costs nothing in between. */
  gauge(name: string, help: string, read: () => number): void;
  /** The same for several series. */
  gauges(name: string, help: string, read: () => readonly { labels: Labels; value: number }[]): void;
  /** A counter that is maintained elsewhere and read when scraped. */
  countedElsewhere(name: string, help: string, read: () => number): void;
  render(): string;
}

interface Series {
  labels: Labels;
  counts: number[];
  sum: number;
  count: number;
}

interface Family {
  header: string;
  lines(): string[];
}

/**
 * Series per family. Label values come from our own lists; a value chosen by a client (a method) must not fill memory
 * or Prometheus.
 */
export const MOST_SERIES = 1_000;

export function createMetrics(): Metrics {
  const families = new Map<string, Family>();
  const register = (name: string, help: string, type: string, lines: () => string[]) => {
    if (families.has(name)) throw new Error(`Metric ${name} is registered twice.`);
    if ((type === "counter") !== name.endsWith("_total")) {
      throw new Error(`Metric ${name}: the names of counters end in _total, and no others do.`);
    }
    families.set(name, { header: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines });
  };

  return {
    counter(name, help) {
      const counts = new Map<string, { value: number }>();
      register(name, help, "counter", () => [...counts].map(([labels, { value }]) => `${name}${labels} ${value}`));
      const countOf = (labels: Labels) => {
        const key = labelText(withinBound(labels, counts));
        let count = counts.get(key);
        if (!count) counts.set(key, (count = { value: 0 }));
        return count;
      };
      return {
        add: (labels = NO_LABELS, amount = 1) => void (countOf(labels).value += amount),
        of(labels) {
          // A series appears only after its first count.
          let count: { value: number } | undefined;
          return { add: (amount = 1) => void ((count ??= countOf(labels)).value += amount) };
        },
      };
    },
    histogram(name, help, buckets) {
      const series = new Map<string, Series>();
      register(name, help, "histogram", () =>
        [...series.values()].flatMap(({ labels, counts, sum, count }) => [
          ...upTo(counts).map((most, i) => `${name}_bucket${labelText({ ...labels, le: String(buckets[i]) })} ${most}`),
          `${name}_bucket${labelText({ ...labels, le: "+Inf" })} ${count}`,
          `${name}_sum${labelText(labels)} ${sum}`,
          `${name}_count${labelText(labels)} ${count}`,
        ]),
      );
      const seriesOf = (wanted: Labels): Series => {
        const labels = withinBound(wanted, series);
        const key = labelText(labels);
        let entry = series.get(key);
        if (!entry) series.set(key, (entry = { labels, counts: buckets.map(() => 0), sum: 0, count: 0 }));
        return entry;
      };
      const observe = (entry: Series, value: number) => {
        entry.sum += value;
        entry.count += 1;
        const i = buckets.findIndex((bound) => value <= bound);
        if (i !== -1) entry.counts[i] = (entry.counts[i] ?? 0) + 1;
      };
      return {
        observe: (value, labels = NO_LABELS) => observe(seriesOf(labels), value),
        of(labels) {
          const entry = seriesOf(labels);
          return { observe: (value) => observe(entry, value) };
        },
      };
    },
    gauge(name, help, read) {
      register(name, help, "gauge", () => [`${name} ${read()}`]);
    },
    gauges(name, help, read) {
      register(name, help, "gauge", () =>
        read()
          .slice(0, MOST_SERIES)
          .map(({ labels, value }) => `${name}${labelText(labels)} ${value}`),
      );
    },
    countedElsewhere(name, help, read) {
      register(name, help, "counter", () => [`${name} ${read()}`]);
    },
    render() {
      return [...families.values()].map(({ header, lines }) => [header, ...lines()].join("\n")).join("\n") + "\n";
    },
  };
}

/** Prometheus buckets are cumulative. */
function upTo(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count));
}

/** Beyond the limit, new series are counted together as "other". */
function withinBound(labels: Labels, known: ReadonlyMap<string, unknown>): Labels {
  if (known.size < MOST_SERIES || known.has(labelText(labels))) return labels;
  return Object.fromEntries(Object.keys(labels).map((name) => [name, "other"]));
}

/** The series without labels, for hot paths. */
const NO_LABELS: Labels = {};

function labelText(labels: Labels): string {
  if (labels === NO_LABELS) return "";
  const pairs = Object.entries(labels);
  if (pairs.length === 0) return "";
  return `{${pairs.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
