// The alert rules and the dashboard that are shipped: promtool can read them, each alert fires when it should and not
// otherwise, and every metric that they name is one of ours.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { measureLoopDelay } from "../../src/core/loop-delay.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

const RULES = join(import.meta.dir, "../../config/alerts.yml");
/** What takes days is evaluated less often. */
const CASES = ["alerts.test.yml", "alerts-of-days.test.yml"].map((name) => join(import.meta.dir, name));
const rules = readFileSync(RULES, "utf8");
const cases = CASES.map((file) => readFileSync(file, "utf8")).join("");
const dashboard = JSON.parse(readFileSync(join(import.meta.dir, "../../config/grafana-dashboard.json"), "utf8")) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alerts = [...rules.matchAll(/alert: (\w+)/g)].map((match) => match[1] ?? "");

const promtool = (...args: string[]) => {
  const run = Bun.spawnSync(["promtool", ...args]);
  return { isSuccess: run.success, said: `${run.stdout.toString()}${run.stderr.toString()}` };
};

/** Prometheus makes it. */
const FOREIGN = ["up"];
const namedIn = (text: string) => new Set(text.match(/\b(?:ringward|process)_[a-z0-9_]+\b(?!-)/g));

setDefaultTimeout(60_000);

let app: TestApp;
let stopMeasuring = () => {};
/** Of every family that an appliance with trunks tells of. */
let exported: Set<string>;
beforeAll(async () => {
  app = await createTestApp({ settings: { RINGWARD_TELEPHONY__CARRIER: "sip", RINGWARD_SPEECH__RECOGNISERS: "0" } });
  stopMeasuring = measureLoopDelay(app.app.metrics, systemClock);
  const { text } = await app.request("GET", "/metrics", { key: null });
  exported = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
});
afterAll(async () => {
  stopMeasuring();
  await app.close();
});

describe("the alert rules", () => {
  test("are read by promtool", () => {
    const { isSuccess, said } = promtool("check", "rules", RULES);
    expect(said).toContain(`${alerts.length} rules found`);
    expect(isSuccess).toBeTrue();
  });

  test("fire when they should, and not otherwise", () => {
    const { isSuccess, said } = promtool("test", "rules", ...CASES);
    expect(isSuccess ? "" : said).toBe("");
  });

  test("are each tried both ways", () => {
    const tried = [...cases.matchAll(/^ {2}- name: (\w+) (fires|stays silent)$/gm)].map((match) => match[0].slice(10));
    expect(tried.toSorted()).toEqual(alerts.flatMap((name) => [`${name} fires`, `${name} stays silent`]).toSorted());
  });

  test("say what to do", () => {
    const parts = rules.split(/- alert: /).slice(1);
    const silent = parts.filter((part) => !/summary: ./.test(part) || !/action: ./.test(part));
    expect(silent).toEqual([]);
    expect(parts.filter((part) => !/severity: (?:page|ticket) /.test(part))).toEqual([]);
  });

  test("name only metrics that are exported, and so does what they are tried with", () => {
    const unknown = (text: string) =>
      [...namedIn(text)].filter((name) => !exported.has(name) && !FOREIGN.includes(name));
    expect(unknown(rules.replaceAll(/#.*$/gm, ""))).toEqual([]);
    expect(unknown(cases)).toEqual([]);
  });
});

describe("the dashboard", () => {
  test("names only metrics that are exported", () => {
    expect(expressions.length).toBeGreaterThan(30);
    const unknown = expressions.flatMap((expr) => [...namedIn(expr)]).filter((name) => !exported.has(name));
    expect(unknown).toEqual([]);
  });

  test("asks what Prometheus can answer", () => {
    const asRules = {
      groups: [{ name: "panels", rules: expressions.map((expr, i) => ({ record: `panel:${i}`, expr: filled(expr) })) }],
    };
    const run = Bun.spawnSync(["promtool", "check", "rules", "--lint=none", "/dev/stdin"], {
      stdin: Buffer.from(JSON.stringify(asRules)),
    });
    expect(run.success ? "" : run.stderr.toString() + run.stdout.toString()).toBe("");
  });
});

const filled = (expr: string) => expr.replaceAll("$instance", ".+");

test("every family of the appliance has a help text, and none is called by a second name", async () => {
  const { text } = await app.request("GET", "/metrics", { key: null });
  const types = [...text.matchAll(/^# TYPE (\w+)/gm)].map((match) => match[1]);
  const helps = [...text.matchAll(/^# HELP (\w+) \S.{8,}$/gm)].map((match) => match[1]);
  expect(types).toEqual(helps);
});
