// The recipes of CONTRIBUTING.md: each names an example, which every file of its steps holds. That the files exist is
// checked with the handbook's (test/handbook/facts.test.ts).
import { describe, expect, test } from "bun:test";
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

const ROOT = join(import.meta.dir, "../..");
const text = (file: string) => readFileSync(join(ROOT, file), "utf8");
const CONTRIBUTING = text("CONTRIBUTING.md");

/** Files of the repository in code spans: `src/cli/run.ts`, `bun src/main.ts openapi > test/contract/openapi.json`. */
function filesIn(markdown: string): string[] {
  const spans = [...markdown.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  return spans.flatMap((span) => span.match(/(?:src|test|config|migrations)\/[\w./-]+\.\w+/g) ?? []);
}

interface Recipe {
  title: string;
  /** The example, as it stands in every file that the steps name. */
  word: string;
  files: string[];
}

function recipes(markdown: string): Recipe[] {
  const parts = markdown.matchAll(/^### (Add an? \w+)\n\nExample: `([^`]+)`([\s\S]*?)(?=^##|(?![\s\S]))/gm);
  return [...parts].map(([, title = "", word = "", steps = ""]) => ({ title, word, files: filesIn(steps) }));
}

/** Named in a step, but not for the example. */
const GENERAL = ["src/config/load.ts", "src/compose/http.ts", "src/main.ts", "test/db/personal-data.test.ts"];

describe("the recipes", () => {
  const all = recipes(CONTRIBUTING);

  test("are there for a column, a setting, a route, an event and a page", () => {
    expect(all.map(({ title }) => title)).toEqual([
      "Add a column",
      "Add a setting",
      "Add a route",
      "Add an event",
      "Add a page",
    ]);
    for (const { files } of all) expect(files.length).toBeGreaterThanOrEqual(3);
  });

  test.each(all)("$title: every file that it names holds $word", ({ word, files }) => {
    expect(files.filter((file) => !GENERAL.includes(file) && !text(file).includes(word))).toEqual([]);
  });

  test("are read with all of their files", () => {
    const steps = "1. `src/a.ts` and `./scripts/schema`.\n2. `bun src/b.ts > test/c.json`\n\n## Next\n\n`src/d.ts`\n";
    expect(recipes(`### Add a page\n\nExample: \`x\`.\n\n${steps}`)).toEqual([
      { title: "Add a page", word: "x", files: ["src/a.ts", "src/b.ts", "test/c.json"] },
    ]);
  });
});

test("the scripts of package.json exist and can be run", () => {
  for (const command of Object.values(manifest.scripts)) {
    const [script = ""] = command.split(" ");
    expect(() => accessSync(join(ROOT, script), constants.X_OK)).not.toThrow();
  }
});

test("the workflow runs what every machine runs", () => {
  const workflow = Bun.YAML.parse(text(".github/workflows/checks.yml")) as {
    jobs: { all: { steps: { run?: string; uses?: string }[] } };
  };
  expect(workflow.jobs.all.steps.at(-1)).toEqual({ run: "bash .ci/run" });
  expect(text(".ci/run")).toContain("scripts/test");
});
