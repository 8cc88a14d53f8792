// The plan of the house, held by walking every import and every line of src.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { missingFiles } from "./support/handbook-facts.ts";
import { breaches, commentsOf, importsOf, lostFiles, ROOMS, testBreaches } from "./support/source-rules.ts";

const ROOT = join(import.meta.dir, "..");
const SRC = join(ROOT, "src");
const PLAN = readFileSync(join(SRC, "handbook/architecture.md"), "utf8");

function sourcesOf(folder: string): Map<string, string> {
  const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(folder)].toSorted();
  return new Map(files.map((file) => [file.replaceAll("\\", "/"), readFileSync(join(folder, file), "utf8")]));
}

test("src keeps every rule of the house", () => {
  const sources = sourcesOf(SRC);
  expect(sources.size).toBeGreaterThan(50);
  expect(breaches(sources)).toEqual([]);
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
    const lost = ["src", "test"].flatMap((folder) =>
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
