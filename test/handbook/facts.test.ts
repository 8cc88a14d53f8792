// The handbook, README, CONTRIBUTING and SECURITY against the code: every command, setting, route, metric, file and
// link that they name exists.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { commandsPage } from "../../scripts/commands-page.ts";
import { EXIT } from "../../src/cli/exit-codes.ts";
import { COMMANDS } from "../../src/cli/run.ts";
import { createAnchors } from "../../src/handbook/render.ts";
import {
  deadLinks,
  missingFiles,
  wrongCommands,
  wrongDefaults,
  wrongNames,
  wrongRoutes,
  wrongSettings,
  type Route,
} from "../support/handbook-facts.ts";
import { lostFiles } from "../support/source-rules.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

const ROOT = join(import.meta.dir, "../..");
const FOLDER = join(ROOT, "src/handbook");
const DEFAULTS = Bun.TOML.parse(readFileSync(join(ROOT, "config/default.toml"), "utf8")) as Record<string, unknown>;
const textOf = (path: string) => readFileSync(path, "utf8");

const pages = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".md"))
  .map((name) => join(FOLDER, name));
const OUTSIDE = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map((name) => join(ROOT, name));
const PAGES = [...pages, ...OUTSIDE].map((path) => [basename(path), path] as const);

function anchorsIn(markdown: string): Set<string> {
  const anchors = createAnchors();
  const prose = markdown.replaceAll(/^```\w*\n[\s\S]*?^```/gm, "");
  return new Set([...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchors(heading)));
}

let testApp: TestApp;
let routes: Route[];
beforeAll(async () => {
  testApp = await createTestApp();
  routes = testApp.app.routes().map(({ method, path }) => ({ method, path }));
});
afterAll(() => testApp.close());

const files = ["src", "test", "scripts"].flatMap((folder) =>
  [...new Bun.Glob("**/*.{ts,tsx}").scanSync(join(ROOT, folder))].map((file) => `${folder}/${file}`),
);
/** Files that only the executable makes. */
const SERVED_FILES = ["/docs/clients/ringward.ts"];
const sources = files
  .filter((file) => file.startsWith("src/"))
  .map((file) => textOf(join(ROOT, file)))
  .join("\n");

describe.each(PAGES)("%s names only what exists:", (_, path) => {
  const text = textOf(path);
  test("commands and their options", () => expect(wrongCommands(text, COMMANDS)).toEqual([]));
  test("settings", () => expect(wrongSettings(text, DEFAULTS)).toEqual([]));
  test("defaults", () => expect(wrongDefaults(text, DEFAULTS)).toEqual([]));
  test("routes", () => expect(wrongRoutes(text, routes)).toEqual([]));
  test("metrics and events", () => expect(wrongNames(text, sources)).toEqual([]));
  test("files and folders", () => {
    expect(missingFiles(text, ROOT)).toEqual([]);
    expect(lostFiles(text, [...files, ...SERVED_FILES])).toEqual([]);
  });
  test("links and their headings", () => {
    const folder = join(path, "..");
    const anchorsOf = (target: string) => anchorsIn(target === "" ? text : textOf(target));
    expect(deadLinks(text, folder, anchorsOf)).toEqual([]);
  });
});

test("the README stays short and links every page", () => {
  const readme = textOf(join(ROOT, "README.md"));
  expect(readme.split("\n").length - 1).toBeLessThanOrEqual(180);
  const linked = new Set([...readme.matchAll(/\]\(src\/handbook\/([a-z0-9-]+\.md)/g)].map(([, name = ""]) => name));
  expect([...linked].toSorted()).toEqual(pages.map((path) => basename(path)).toSorted());
});

test("the contents list every page once", () => {
  const listed = [...textOf(join(FOLDER, "index.md")).matchAll(/^- \[[^\]]+\]\(([a-z0-9-]+\.md)\)/gm)].map(
    ([, name = ""]) => name,
  );
  const others = pages.map((path) => basename(path)).filter((name) => name !== "index.md");
  expect(listed.toSorted()).toEqual(others.toSorted());
});

test("the table of exit codes has every code", () => {
  const [, table = ""] = /^\| Exit code .*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(textOf(join(FOLDER, "operation.md"))) ?? [];
  const codes = [...table.matchAll(/^\| (\d)/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT).toSorted((a, b) => a - b));
});

test("the list of commands is the executable's own; ./scripts/write-commands writes it", () => {
  expect(textOf(join(FOLDER, "commands.md"))).toBe(commandsPage(COMMANDS));
});

describe("a wrong statement is found:", () => {
  test("a command or option", () => {
    const text = "`ringward calls held --all`, `ringward cals list` and `ringward backup FILE --with-recordings`";
    expect(wrongCommands(text, COMMANDS)).toEqual([
      "calls held: no option --all",
      "ringward cals list: no such command",
    ]);
    const block = "```sh\nringward serve --prot 1   # ringward is here\nringward doctor | ringward nothing\n```\n";
    expect(wrongCommands(block, COMMANDS)).toEqual(["serve: no option --prot", "ringward nothing: no such command"]);
  });

  test("a setting", () => {
    const text = "`calls.latest_minuts`, `retention.days = 3`, `[plan.*]`, `[trunks.pbx]`, `RINGWARD_SERVER__PROT=1`";
    const block = '```toml\n[database]\nurl = ""\nuser = ""\n```\n';
    expect(wrongSettings(`${text}\n\n${block}`, DEFAULTS)).toEqual([
      "calls.latest_minuts",
      "plan",
      "server.prot",
      "database.user",
    ]);
  });

  test("a default", () => {
    const table = "| `data.dir` | `dat` |\n| `server.port` | `8080` |\n";
    expect(wrongDefaults(`\`calls.latest_minutes\` (61), \`campaigns.at_once\` (20)\n\n${table}`, DEFAULTS)).toEqual([
      "calls.latest_minutes is 60, not 61",
      "data.dir is data, not dat",
    ]);
  });

  test("a route", () => {
    const known = [
      { method: "GET", path: "/v1/calls/:call_id" },
      { method: "POST", path: "/v1/calls" },
    ];
    const text = "`GET /v1/calls/{call_id}`, `/v1/calls`, `DELETE /v1/calls/{id}`, `/v1/cals?x=1`, `/etc/ringward`";
    expect(wrongRoutes(text, known)).toEqual(["DELETE /v1/calls/{id}", "GET|POST|PATCH|PUT|DELETE /v1/cals"]);
  });

  test("a metric, an event, a file, a link", () => {
    expect(wrongNames("`ringward_calls` `ringward_cals` `call.begun`", "ringward_calls")).toEqual([
      "ringward_cals",
      '"call.begun"',
    ]);
    expect(
      missingFiles("`./scripts/bench --quick`, `./scripts/bank`, `config/x.yml`, `web/pages/`, `web/pags/`", ROOT),
    ).toEqual(["scripts/bank", "config/x.yml", "web/pags/"]);
    const links = "[a](index.md) [b](index.md#no) [c](gone.md) [d](#here) [e](https://x.example)";
    expect(deadLinks(links, FOLDER, () => new Set(["here"]))).toEqual(["index.md#no", "gone.md"]);
  });
});
