// The plan of the house, held by walking every import and every line of src.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dirname, relative } from "node:path/posix";
import { missingFiles } from "./support/handbook-facts.ts";
import { FOLDERS, folderBreaches, idleSurfaces, misnamedFolders, surfaceBreaches } from "./support/folder-rules.ts";
import {
  breaches,
  commentsOf,
  importsOf,
  lostFiles,
  ROOMS,
  scriptBreaches,
  testBreaches,
  wideComments,
} from "./support/source-rules.ts";

const ROOT = join(import.meta.dir, "..");
const SRC = join(ROOT, "src");
const PLAN = readFileSync(join(SRC, "handbook/architecture.md"), "utf8");

function sourcesOf(folder: string, pattern = "**/*.{ts,tsx}"): Map<string, string> {
  const files = [...new Bun.Glob(pattern).scanSync(folder)].toSorted();
  return new Map(files.map((file) => [file.replaceAll("\\", "/"), readFileSync(join(folder, file), "utf8")]));
}

const SOURCES = sourcesOf(SRC);
const SCRIPTS = sourcesOf(ROOT, "scripts/**/*.ts");

test("src keeps every rule of the house", () => {
  expect(SOURCES.size).toBeGreaterThan(50);
  expect(breaches(SOURCES)).toEqual([]);
});

describe("inside the rooms", () => {
  test("folders import in one direction", () => {
    expect(folderBreaches(SOURCES)).toEqual([]);
    expect(misnamedFolders(SOURCES)).toEqual([]);
  });

  test("other rooms import public files only, and every public file is imported", () => {
    expect(surfaceBreaches(SOURCES)).toEqual([]);
    expect(idleSurfaces(SOURCES)).toEqual([]);
  });

  test("the handbook shows the order of the folders", () => {
    const rows = [...PLAN.matchAll(/^\| `([\w/-]+)\/` +\| ([\w-]+(?: → [\w-]+)+) +\|$/gm)];
    const shown = rows.map(([, parent = "", order = ""]) => [parent, order.split(" → ")]);
    expect(Object.fromEntries(shown)).toEqual(FOLDERS);
  });
});

describe("scripts", () => {
  test("keep their rules", () => {
    expect(SCRIPTS.size).toBeGreaterThan(50);
    expect(scriptBreaches(SCRIPTS)).toEqual([]);
    expect(folderBreaches(SCRIPTS)).toEqual([]);
  });

  test.each([
    ["a test", `import { x } from "../test/a.test.ts";`, "scripts import src, scripts and what tests share"],
    ["what is not there for them", `import x from "../bun.lock";`, "scripts import src, scripts and what tests share"],
    ["a neighbour's file", `readFileSync("../shared/x");`, "nothing outside the repository is read"],
    ["too much", "let a;\n".repeat(351), "351 lines"],
    ["itself", `import { x } from "./a.ts";`, "circular import scripts/a.ts → scripts/a.ts"],
  ])("that hold or import %s are named", (_, code, rule) => {
    const found = scriptBreaches(new Map([["scripts/a.ts", code]]));
    expect(found).toEqual([expect.stringContaining(rule)]);
  });

  test("may import the program and what tests share", () => {
    const code = `import { a } from "../src/core/clock.ts";\nimport { b } from "../test/support/until.ts";`;
    expect(scriptBreaches(new Map([["scripts/a.ts", code]]))).toEqual([]);
  });
});

describe("comments", () => {
  const everywhere = ["src", "test", "scripts"].flatMap((folder) => [
    ...sourcesOf(ROOT, `${folder}/**/*.{ts,tsx,css}`),
  ]);

  test("end within 120 columns", () => {
    expect(everywhere.flatMap(([file, code]) => wideComments(code).map((line) => `${file}:${line}`))).toEqual([]);
  });

  test.each([
    ["a line", `// ${"x".repeat(118)}\nlet a;`, [1]],
    ["a line of a block", `let a;\n/**\n * ${"word ".repeat(25)}\n */`, [3]],
    ["what stands behind code", `let a; // ${"x".repeat(120)}`, [1]],
    ["a block of CSS", `a {}\n/* ${"x".repeat(120)} */`, [2]],
    ["no string", `const a = "// ${"x".repeat(120)}";`, []],
    ["no comment of 120 columns", `// ${"x".repeat(117)}`, []],
  ])("are told of by their lines: %s", (_, code, lines) => {
    expect(wideComments(code)).toEqual(lines);
  });
});

describe("functions", () => {
  const OXLINT = join(ROOT, "node_modules/oxlint/bin/oxlint");
  const long = (name: string) => `export function ${name}(): void {\n${"  work();\n".repeat(81)}}\n`;

  /** The paths that the repository's own limit names in a folder with these files. */
  async function tooLong(files: Readonly<Record<string, string>>): Promise<string[]> {
    const folder = mkdtempSync(join(tmpdir(), "ringward-rules-"));
    const config = Bun.JSONC.parse(readFileSync(join(ROOT, ".oxlintrc.json"), "utf8")) as { overrides: unknown[] };
    const limits = { categories: { correctness: "off" }, overrides: config.overrides.flatMap(onlyFunctionLimit) };
    await Bun.write(join(folder, ".oxlintrc.json"), JSON.stringify(limits));
    for (const [file, text] of Object.entries(files)) await Bun.write(join(folder, file), text);
    const { stdout } = Bun.spawnSync([process.execPath, "--bun", OXLINT, "--format", "unix", "."], { cwd: folder });
    rmSync(folder, { recursive: true });
    return [
      ...stdout.toString().matchAll(/^(?:\.\/|.*?\/)?((?:src|scripts|test)\/[\w./-]+):\d+.*too many lines/gm),
    ].map(([, file]) => file ?? "");
  }

  test("have at most 80 lines in src and scripts, except tables", async () => {
    const found = await tooLong({
      "src/calls/service.ts": long("longer"),
      "scripts/build.ts": long("longer"),
      "src/calls/routes.ts": long("table"),
      "test/a.test.ts": long("story"),
    });
    expect(found.toSorted()).toEqual(["scripts/build.ts", "src/calls/service.ts"]);
  });
});

describe("the plan of the house", () => {
  test("has every room of src, and no other", () => {
    const declarations = ["embedded.d.ts"];
    expect(readdirSync(SRC).toSorted()).toEqual([...ROOMS.map(([name]) => name), ...declarations].toSorted());
  });

  test("stands in the handbook as it is", () => {
    const tree = /^src\/\n((?: {2}\S.*\n)+)/m.exec(PLAN)?.[1]?.trimEnd().split("\n") ?? [];
    const shown = tree.map((line) => line.trim().split(/ {2,}/));
    expect(shown).toEqual(ROOMS.map(([name, holds]) => [name.endsWith(".ts") ? name : `${name}/`, holds]));
  });
});

const LIMIT = "eslint/max-lines-per-function";

/** An override of the linter without its other rules. */
function onlyFunctionLimit(override: unknown): object[] {
  const { files, rules } = override as { files: string[]; rules: Record<string, unknown> };
  return LIMIT in rules ? [{ files, rules: { [LIMIT]: rules[LIMIT] } }] : [];
}

describe("a file that is named", () => {
  const files = ["src", "test", "scripts", "config", "migrations"].flatMap((folder) =>
    [...sourcesOf(join(ROOT, folder)).keys()].map((file) => `${folder}/${file}`),
  );

  test("in the plan is there, and so is a folder", () => {
    expect(lostFiles(PLAN, files)).toEqual([]);
    expect(missingFiles(PLAN, ROOT)).toEqual([]);
    expect(PLAN).toContain("`telephony/rtp/`");
  });

  test("in a comment is there", () => {
    const lost = ["src", "test", "scripts"].flatMap((folder) =>
      [...sourcesOf(join(ROOT, folder))].flatMap(([file, code]) =>
        commentsOf(code).flatMap((comment) => lostFiles(comment, files).map((name) => `${folder}/${file}: ${name}`)),
      ),
    );
    expect(lost).toEqual([]);
  });

  test("and is gone is told of", () => {
    const known = ["src/calls/queue/policy.ts", "test/a.test.ts"];
    const text = "`calls/policy.ts`, `calls/queue/policy.ts`, policy.ts, olicy.ts and test/a.test.ts; see page.tsx.";
    expect(lostFiles(text, known)).toEqual(["calls/policy.ts", "olicy.ts", "page.tsx"]);
    expect(commentsOf(`const a = "// b.ts"; // c.ts\n/** d.ts */`)).toEqual(["// c.ts", "/** d.ts */"]);
  });
});

describe("tests", () => {
  test("pass or fail by what the code does, and not by how fast or how quiet the machine is", () => {
    const sources = sourcesOf(import.meta.dir);
    // This file names what it forbids.
    sources.delete("architecture.test.ts");
    expect(sources.size).toBeGreaterThan(200);
    expect(testBreaches(sources)).toEqual([]);
  });

  test.each([
    ["a sleep", "await Bun.sleep(100);", "never sleep"],
    ["a timer", "setTimeout(done, 200);", "never sleep"],
    ["a sleep of the browser", "await page.waitForTimeout(50);", "never sleep"],
    ["Node's timers", `import { setTimeout } from "node:timers/promises";`, "never sleep"],
    ["a second try", `test("it works", run, { retry: 2 });`, "belongs to ./scripts/bench"],
    ["dice", "const count = Math.random() * 9;", "chance comes from its seed"],
    ["a guessed port", "const port = 14_000 + (process.pid % 40);", "ports are reserved"],
  ])("that hold %s are named", (_, code, rule) => {
    const found = testBreaches(new Map([["calls/a.test.ts", code]]));
    expect(found).toEqual([expect.stringContaining(rule)]);
  });

  test("may wait in the files that are there for it", () => {
    const waiting = "await Bun.sleep(everyMs);";
    expect(testBreaches(new Map([["support/until.ts", waiting]]))).toEqual([]);
    expect(testBreaches(new Map([["a.test.ts", "const setTimeoutMs = 5; // setTimeout(run)"]]))).toEqual([]);
  });
});

test("every form of import is seen", () => {
  const code = [
    `import a from "./a.ts";`,
    `import type { B } from "./b.ts";`,
    `import {\n  c,\n  type D,\n} from "./c.ts";`,
    `export { e } from "./e.ts";`,
    `export type * from "./f.ts";`,
    `import "./g.ts";`,
    `const h = await import("./h.ts");`,
    `type I = import("./i.ts").I;`,
    `import text from "../x.sql" with { type: "text" };`,
  ].join("\n");
  expect(importsOf(code).toSorted()).toEqual(
    ["../x.sql", "./a.ts", "./b.ts", "./c.ts", "./e.ts", "./f.ts", "./g.ts", "./h.ts", "./i.ts"].toSorted(),
  );
});

describe("a breach is named:", () => {
  const cases: [what: string, file: string, code: string, rule: string][] = [
    [
      "core importing upwards",
      "core/a.ts",
      `import type { X } from "../db/tables.ts";`,
      "db is above core in the plan",
    ],
    [
      "config importing the database",
      "config/a.ts",
      `import { x } from "../db/x.ts";`,
      "db is above config in the plan",
    ],
    [
      "the database importing a feature",
      "db/a.ts",
      `import { x } from "../accounts/x.ts";`,
      "accounts is above db in the plan",
    ],
    [
      "a service importing http",
      "calls/service.ts",
      `import type { Guard } from "../http/guard.ts";`,
      "only routes know http",
    ],
    [
      "a feature importing the app",
      "calls/routes.ts",
      `import { App } from "../compose/app.ts";`,
      "compose is above calls in the plan",
    ],
    ["http importing calls", "http/a.ts", `import { x } from "../calls/x.ts";`, "calls is above http in the plan"],
    [
      "the app importing the command line",
      "compose/app.ts",
      `import { x } from "../cli/x.ts";`,
      "cli is above compose in the plan",
    ],
    ["a service naming a row", "calls/a.ts", `import type { Row, Tx } from "../db/tables.ts";`, "row types belong in"],
    ["main importing the app", "main.ts", `import { x } from "./compose/app.ts";`, "main.ts knows cli alone"],
    [
      "the line knowing the agent",
      "telephony/a.ts",
      `import type { Agent } from "../voice/port.ts";`,
      "voice is above telephony in the plan",
    ],
    ["a leaf that needs another", "payloads/a.ts", `import { x } from "../audio/x.ts";`, "payloads is a leaf"],
    ["the browser taking a service", "web/a.tsx", `import { x } from "../calls/x.ts";`, "may take only types"],
    ["a room nobody planned", "helpers/a.ts", `import { x } from "../core/x.ts";`, "not in the plan"],
    ["elysia in a service", "calls/service.ts", `import { t } from "elysia";`, "elysia belongs in"],
    ["kysely in a service", "calls/service.ts", `import type { Kysely } from "kysely";`, "kysely belongs in"],
    ["SQLite outside its part", "db/prepared.ts", `import Sqlite from "better-sqlite3";`, "better-sqlite3 belongs in"],
    ["the environment", "calls/a.ts", `const a = process.env["A"];`, "the environment is read in config/load.ts alone"],
    ["the clock", "calls/a.ts", `const a = Date.now();`, "the time comes from core/clock.ts"],
    ["a date of now", "calls/a.ts", `const a = new Date();`, "the time comes from core/clock.ts"],
    ["a timer", "calls/a.ts", `setTimeout(run, 5);`, "timers come from core/clock.ts"],
    ["setImmediate elsewhere", "calls/a.ts", `setImmediate(run);`, "setImmediate belongs in"],
    ["dice", "calls/a.ts", `const a = Math.random();`, "randomness comes from core/ids.ts"],
    ["a random id", "calls/a.ts", `const a = crypto.randomUUID();`, "randomness comes from core/ids.ts"],
    ["the neighbour's folder", "calls/a.ts", `readFileSync("../shared/x");`, "nothing outside the repository is read"],
    ["an import from outside src", "calls/a.ts", `import { x } from "../../test/x.ts";`, "which is outside src"],
    ["a file that grew", "calls/a.ts", "let a;\n".repeat(351), "351 lines"],
  ];
  test.each(cases)("%s", (_, file, code, rule) => {
    const found = breaches(new Map([[file, code]]));
    expect(found).toHaveLength(1);
    expect(found[0]).toStartWith(`${file}: `);
    expect(found[0]).toContain(rule);
  });

  test("a circle of imports, types included", () => {
    const found = breaches(
      new Map([
        ["core/a.ts", `import { b } from "./b.ts";`],
        ["core/b.ts", `import type { C } from "./c.ts";`],
        ["core/c.ts", `import { a } from "./a.ts";`],
      ]),
    );
    expect(found).toEqual(["core/a.ts: circular import core/a.ts → core/b.ts → core/c.ts → core/a.ts"]);
  });
});

describe("a breach inside a room is named:", () => {
  const imported = (file: string, target: string) => {
    const path = relative(dirname(file), target);
    return new Map([[file, `import type { X } from "${path.startsWith(".") ? path : `./${path}`}";`]]);
  };

  test.each([
    ["RTP importing SIP", "telephony/rtp/a.ts", "telephony/sip/call/b.ts", "sip/ is above rtp/ in telephony"],
    ["a message importing a call", "telephony/sip/message/a.ts", "telephony/sip/call/b.ts", "call/ is above message/"],
    ["the queue importing the life", "calls/queue/a.ts", "calls/life/b.ts", "life/ is above queue/ in calls"],
    ["understanding importing talking", "voice/understanding/a.ts", "voice/talking/b.ts", "talking/ is above"],
    [
      "a folder without a place",
      "calls/queue/a.ts",
      "calls/helpers/b.ts",
      "FOLDERS has no order for queue/ and helpers/",
    ],
    ["a room without an order", "events/safe-post/a.ts", "events/verifier/b.ts", "FOLDERS has no order for"],
    [
      "the agent using the simulator",
      "voice/talking/a.ts",
      "telephony/simulator/b.ts",
      "does not depend on the simulator",
    ],
    ["speech using webhooks", "speech/servers/http/a.ts", "events/b.ts", "speech does not depend on webhooks"],
  ])("%s", (_, file, target, rule) => {
    expect(folderBreaches(imported(file, target))).toEqual([expect.stringContaining(rule)]);
  });

  test("a folder and a file beside it that import each other", () => {
    const sources = new Map([
      ["events/verifier/a.ts", `import { b } from "../b.ts";`],
      ["events/b.ts", `import { c } from "./verifier/c.ts";`],
      ["events/verifier/c.ts", ""],
    ]);
    expect(folderBreaches(sources)).toEqual(["events: imports go in a circle, verifier/ → b.ts → verifier/"]);
  });

  test("a private file of another room", () => {
    const found = surfaceBreaches(imported("campaigns/feeder.ts", "calls/life/lifecycle.ts"));
    expect(found).toEqual([expect.stringContaining("calls/life/lifecycle.ts, which is private to calls")]);
    expect(surfaceBreaches(imported("campaigns/feeder.ts", "calls/service.ts"))).toEqual([]);
    expect(surfaceBreaches(imported("calls/service.ts", "calls/life/lifecycle.ts"))).toEqual([]);
    expect(surfaceBreaches(imported("compose/calls.ts", "calls/life/lifecycle.ts"))).toEqual([]);
    expect(surfaceBreaches(imported("campaigns/feeder.ts", "core/clock.ts"))).toEqual([]);
  });

  test("a public file that no other room imports", () => {
    const sources = imported("campaigns/feeder.ts", "calls/service.ts");
    expect(idleSurfaces(sources)).not.toContain("calls/service.ts");
    expect(idleSurfaces(sources)).toContain("calls/model.ts");
    expect(idleSurfaces(imported("cli/calls.ts", "calls/service.ts"))).toContain("calls/service.ts");
  });

  test("a folder that FOLDERS does not know, or that is gone", () => {
    const found = misnamedFolders(new Map([["calls/helpers/a.ts", ""]]));
    expect(found).toContain("calls/helpers has no place in FOLDERS");
    expect(found).toContain("calls/life does not exist");
  });
});

test("what the rules allow is not a breach", () => {
  const allowed = new Map([
    ["core/a.ts", `const a = Date.now(); // new Date()`],
    ["config/load.ts", `const a = process.env;`],
    ["db/sqlite/writer.ts", `setImmediate(run);`],
    ["calls/routes.ts", `import { Elysia } from "elysia";\nimport type { Guard } from "../http/guard.ts";`],
    ["calls/call-store.ts", `import { sql } from "kysely";\nimport { d } from "../events/d.ts";`],
    ["calls/a.ts", `// Date.now() is core's\nconst then = new Date(epochMs);\nconst url = "https://x.example";`],
  ]);
  expect(breaches(allowed)).toEqual([]);
});
