import { expect, test } from "bun:test";
import { createMetrics, MOST_SERIES } from "../../src/core/metrics.ts";

test("an empty registry renders as an empty exposition", () => {
  expect(createMetrics().render().trim()).toBe("");
});

test("a counter adds up per set of labels", () => {
  const metrics = createMetrics();
  const requests = metrics.counter("requests_total", "Requests.");
  requests.add({ route: "/a", status: "200" });
  requests.add({ route: "/a", status: "200" });
  requests.add({ route: "/b", status: "404" }, 3);
  expect(metrics.render()).toBe(
    [
      "# HELP requests_total Requests.",
      "# TYPE requests_total counter",
      'requests_total{route="/a",status="200"} 2',
      'requests_total{route="/b",status="404"} 3',
      "",
    ].join("\n"),
  );
});

test("a histogram's buckets are cumulative and end in +Inf", () => {
  const metrics = createMetrics();
  const durations = metrics.histogram("duration_seconds", "Time.", [0.1, 1]);
  for (const seconds of [0.0625, 0.5, 1, 8]) durations.observe(seconds, { route: "/a" });
  expect(metrics.render()).toBe(
    [
      "# HELP duration_seconds Time.",
      "# TYPE duration_seconds histogram",
      'duration_seconds_bucket{route="/a",le="0.1"} 1',
      'duration_seconds_bucket{route="/a",le="1"} 3',
      'duration_seconds_bucket{route="/a",le="+Inf"} 4',
      'duration_seconds_sum{route="/a"} 9.5625',
      'duration_seconds_count{route="/a"} 4',
      "",
    ].join("\n"),
  );
});

test("a series counts with its family", () => {
  const metrics = createMetrics();
  const counter = metrics.counter("a_total", "A.");
  const histogram = metrics.histogram("b_seconds", "B.", [1, 2]);
  counter.of({ route: "/x" }).add();
  counter.add({ route: "/x" });
  histogram.of({ route: "/x" }).observe(1.5);
  histogram.observe(3, { route: "/x" });
  expect(metrics.render()).toContain('a_total{route="/x"} 2');
  expect(metrics.render()).toContain('b_seconds_bucket{route="/x",le="1"} 0\nb_seconds_bucket{route="/x",le="2"} 1');
  expect(metrics.render()).toContain('b_seconds_count{route="/x"} 2');
});

test("a gauge is read when it is scraped", () => {
  const metrics = createMetrics();
  let waiting = 1;
  metrics.gauge("waiting", "Waiting.", () => waiting);
  waiting = 7;
  expect(metrics.render()).toEndWith("# TYPE waiting gauge\nwaiting 7\n");
});

test("quotes, backslashes and line ends in a label cannot break out of it", () => {
  const metrics = createMetrics();
  metrics.counter("c_total", "C.").add({ path: 'a"b\\c\nd' });
  expect(metrics.render()).toContain('c_total{path="a\\"b\\\\c\\nd"} 1\n');
});

test("one name cannot mean two things", () => {
  const metrics = createMetrics();
  metrics.gauge("c", "C.", () => 1);
  expect(() => metrics.gauge("c", "C.", () => 0)).toThrow("registered twice");
});

test("counters are called _total, and nothing else is", () => {
  const metrics = createMetrics();
  expect(() => metrics.counter("c", "C.")).toThrow("_total");
  expect(() => metrics.countedElsewhere("c", "C.", () => 0)).toThrow("_total");
  expect(() => metrics.gauge("c_total", "C.", () => 0)).toThrow("_total");
  expect(() => metrics.histogram("c_total", "C.", [1])).toThrow("_total");
});

test("a label that strangers choose makes a bounded number of series, and nothing is left uncounted", () => {
  const metrics = createMetrics();
  const requests = metrics.counter("requests_total", "Requests.");
  const durations = metrics.histogram("duration_seconds", "Time.", [1]);
  const most = MOST_SERIES + 50;
  for (let i = 0; i < most; i++) {
    requests.add({ method: `M${i}` });
    durations.of({ method: `M${i}` }).observe(0.5);
  }
  requests.add({ method: "M0" });
  metrics.gauges("open", "Open.", () =>
    Array.from({ length: most }, (_, i) => ({ labels: { id: String(i) }, value: 1 })),
  );
  const lines = metrics.render().split("\n");
  const counted = lines.filter((line) => line.startsWith("requests_total{"));
  expect(counted).toHaveLength(MOST_SERIES + 1);
  expect(counted).toContain('requests_total{method="M0"} 2');
  expect(counted).toContain('requests_total{method="other"} 50');
  expect(lines).toContain('duration_seconds_count{method="other"} 50');
  expect(lines.filter((line) => line.startsWith("open{"))).toHaveLength(MOST_SERIES);
});
