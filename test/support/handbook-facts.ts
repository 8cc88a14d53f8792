// What the handbook says about commands, settings, routes, metrics and files, compared with the code. Each function
// answers the statements that are wrong.
import { auditActions } from "../../src/web/words/en/audit-actions.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { COMMON_OPTIONS, type Command } from "../../src/cli/command.ts";

/** Code in a text: spans in backticks, and the lines of code blocks. */
export function codeIn(markdown: string): { spans: string[]; lines: string[] } {
  const blocks = [...markdown.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
  const prose = markdown.replaceAll(/^```\w*\n[\s\S]*?^```/gm, "");
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span.replaceAll(/\s+/g, " "));
  return { spans, lines: blocks.flatMap((block) => block.split("\n")) };
}

/** Commands and options that the executable does not have. */
export function wrongCommands(markdown: string, commands: readonly Command[]): string[] {
  const { spans, lines } = codeIn(markdown);
  const uses = [...spans, ...lines.map((line) => line.replace(/\s#.*/, ""))].flatMap((code) => [
    ...code.matchAll(/\bringward ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?(.*?)(?=\bringward |[|;<&]|$)/g),
  ]);
  return uses.flatMap(([whole, first = "", second, rest = ""]) => {
    const command =
      commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
    if (!command) return [`${whole.trim()}: no such command`];
    const known = { ...command.options, ...COMMON_OPTIONS };
    const options = [...rest.matchAll(/--([a-z][a-z0-9-]*)/g)].map(([, name = ""]) => name);
    return options.filter((name) => !(name in known)).map((name) => `${command.name}: no option --${name}`);
  });
}

type Settings = Record<string, unknown>;
const isTable = (value: unknown): value is Settings => typeof value === "object" && value !== null;

function hasKey(settings: Settings, path: readonly string[]): boolean {
  const [first = "", ...rest] = path;
  const value = settings[first];
  if (rest.length === 0) return first in settings;
  // Trunks, model servers and plans have names of the reader's own.
  if (isTable(value) && rest.length === 1 && Object.keys(value).length === 0) return true;
  return isTable(value) && hasKey(value, rest);
}

function pathsOf(settings: Settings): string[][] {
  return Object.entries(settings).flatMap(([key, value]) =>
    isTable(value) && !Array.isArray(value) ? pathsOf(value).map((rest) => [key, ...rest]) : [[key]],
  );
}

/** An example file of `ringward apply`; its keys are no settings. */
export const isApplyFile = (table: Settings): boolean => "organisation" in table;

/** Settings that config/default.toml does not have: `section.key`, `[section]`, RINGWARD_SECTION__KEY, TOML blocks. */
export function wrongSettings(markdown: string, defaults: Settings): string[] {
  const { spans, lines } = codeIn(markdown);
  const keys = spans.flatMap((span) => {
    const [, key] = /^([a-z_]+(?:\.[a-z_]+)+)(?: = .*)?$/.exec(span) ?? [];
    // demo.json is a file, although there is a section [demo]; audit.listed is an act in the audit log.
    const isOther = key === undefined || key.endsWith(".json") || key in auditActions.acts;
    const isSetting = !isOther && isTable(defaults[key.split(".")[0] ?? ""]);
    return isSetting ? [key.split(".")] : [];
  });
  const sections = spans.flatMap((span) => {
    const [, name] = /^\[([a-z_]+)(?:\.[\w*]+)*\]$/.exec(span) ?? [];
    return name === undefined ? [] : [[name]];
  });
  const variables = [...spans, ...lines].flatMap((code) =>
    [...code.matchAll(/\bRINGWARD_([A-Z]+(?:_[A-Z]+)*__[A-Z_]+)/g)].map(([, name = ""]) =>
      name.toLowerCase().split("__"),
    ),
  );
  const blocks = [...markdown.matchAll(/^```toml\n([\s\S]*?)^```/gm)].flatMap(([, text = ""]) => {
    const table = Bun.TOML.parse(text) as Settings;
    return isApplyFile(table) ? [] : pathsOf(table);
  });
  return [...keys, ...sections, ...variables, ...blocks]
    .filter((path) => !hasKey(defaults, path))
    .map((path) => path.join("."));
}

/**
 * Defaults that differ from config/default.toml: `` `calls.latest_minutes` (60) `` and rows of the table of settings.
 */
export function wrongDefaults(markdown: string, defaults: Settings): string[] {
  const inText = [...markdown.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`\s\((\d[\d.]*)\)/g)];
  const inTables = [...markdown.matchAll(/^\| `([a-z_]+(?:\.[a-z_]+)+)` +\| `([^`]+)`/gm)];
  return [...inText, ...inTables].flatMap(([, key = "", said = ""]) => {
    const value = key.split(".").reduce<unknown>((at, name) => (isTable(at) ? at[name] : undefined), defaults);
    const set = typeof value === "string" ? value : JSON.stringify(value);
    return set === said ? [] : [`${key} is ${set}, not ${said}`];
  });
}

export interface Route {
  method: string;
  path: string;
}

/** Paths of other programs: OpenAI-compatible servers, and the file system. */
const FOREIGN = /^\/(?:chat|audio|etc|usr|var)\//;

/** Routes that the appliance does not have, with their method where one is named. */
export function wrongRoutes(markdown: string, routes: readonly Route[]): string[] {
  const { spans, lines } = codeIn(markdown);
  const named = spans.flatMap((span) => {
    const [, method = "GET|POST|PATCH|PUT|DELETE", path] = /^(?:([A-Z]+) )?(\/[\w/{}.-]*)(?:\?\S*)?$/.exec(span) ?? [];
    return path === undefined || FOREIGN.test(path) ? [] : [{ method, path }];
  });
  const called = lines.flatMap((line) =>
    [...line.matchAll(/localhost:8080(\/[\w/-]+)/g)].map(([, path = ""]) => ({ method: "GET|POST", path })),
  );
  const isRoute = ({ method, path }: Route) =>
    routes.some((route) => method.split("|").includes(route.method) && isSamePath(route.path, path));
  return [...named, ...called].filter((each) => !isRoute(each)).map(({ method, path }) => `${method} ${path}`);
}

/** A parameter of the route stands for a `{name}` of the text or for an id such as `call_`. */
function isSamePath(route: string, named: string): boolean {
  const [parts, others] = [route.split("/"), named.split("/")];
  if (route.endsWith("/*")) return named.startsWith(route.slice(0, -1));
  return (
    parts.length === others.length &&
    parts.every((part, index) => part === others[index] || (part.startsWith(":") && /[{_]/.test(others[index] ?? "")))
  );
}

/** Metrics, events and audit entries that no source file mentions. */
export function wrongNames(markdown: string, sources: string): string[] {
  const { spans } = codeIn(markdown);
  const metrics = spans.flatMap((span) => /^ringward_[a-z_]+/.exec(span)?.slice(0, 1) ?? []);
  const events = spans.filter((span) => /^(?:call|appointment|slot|agent)\.[a-z_]+$/.test(span));
  return [...metrics, ...events.map((name) => `"${name}"`)].filter((name) => !sources.includes(name));
}

/** Files, folders and scripts of the repository that do not exist. */
export function missingFiles(markdown: string, root: string): string[] {
  const { spans, lines } = codeIn(markdown);
  const scripts = [...spans, ...lines].flatMap((code) =>
    [...code.matchAll(/\.\/(scripts\/[\w-]+)/g)].map(([, name = ""]) => name),
  );
  const files = spans.flatMap(
    (span) => /^(?:\.ci|src|test|scripts|config|migrations)\/[\w./-]*$/.exec(span)?.slice(0, 1) ?? [],
  );
  const folders = spans.filter((span) => /^(?:[\w-]+\/)+$/.test(span));
  const isThere = (name: string) => ["", "src", "test"].some((above) => existsSync(join(root, above, name)));
  return [...scripts, ...files, ...folders].filter((name) => !isThere(name));
}

/** Links of a file of `root` that lead nowhere; `anchorsOf` answers the headings of another Markdown file. */
export function deadLinks(
  markdown: string,
  folder: string,
  anchorsOf: (path: string) => ReadonlySet<string>,
): string[] {
  const prose = markdown.replaceAll(/^```\w*\n[\s\S]*?^```/gm, "").replaceAll(/`[^`]*`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) => href);
  return targets.filter((href) => {
    if (/^(?:https:|mailto:)/.test(href)) return false;
    const [file = "", anchor] = href.split("#");
    const path = file === "" ? "" : join(folder, file);
    if (path !== "" && !existsSync(path)) return true;
    return anchor !== undefined && !anchorsOf(path).has(anchor);
  });
}
