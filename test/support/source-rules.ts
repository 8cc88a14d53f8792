// Which way imports may go, and what only some files may touch: the rules of the house, as data and one function.
import { dirname, join, normalize } from "node:path/posix";

/** Path inside src (`db/writer.ts`) → source text. */
export type Sources = ReadonlyMap<string, string>;

const FEATURES = ["accounts", "agents", "calls", "hooks", "calendar", "events", "media", "telephony", "voice"] as const;
const BELOW_FEATURES = ["core", "config", "db"] as const;
const SERVING = [...BELOW_FEATURES, ...FEATURES, "http", "scheduler", "dashboard", "version.ts"] as const;

/** Room → the rooms it may import from, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  "version.ts": [],
  config: ["core"],
  db: ["core", "config"],
  ...Object.fromEntries(FEATURES.map((feature) => [feature, [...BELOW_FEATURES, ...FEATURES]])),
  scheduler: [...BELOW_FEATURES, ...FEATURES],
  http: [...BELOW_FEATURES, "accounts", "version.ts"],
  dashboard: [...BELOW_FEATURES, ...FEATURES, "http", "version.ts"],
  "sip-worker.ts": ["telephony"],
  "voice-worker.ts": ["voice"],
  "services.ts": SERVING,
  "carriers.ts": [...SERVING, "sip-worker.ts", "voice-worker.ts"],
  "app.ts": [...SERVING, "services.ts", "carriers.ts"],
  cli: [...SERVING, "services.ts", "app.ts"],
  "main.ts": ["cli"],
};

const isRoutesOrModel = (file: string) => /(^|\/)(routes|[\w-]+-routes|model)\.ts$/.test(file);
const isIn = (file: string, ...rooms: string[]) => rooms.some((room) => file === room || file.startsWith(`${room}/`));

/** Package → the files that may import it, and the rule in words. */
const PACKAGES: Readonly<Record<string, { rule: string; allowed: (file: string) => boolean }>> = {
  elysia: {
    rule: "elysia belongs in routes and models, http/, dashboard/ and app.ts",
    allowed: (file) => isRoutesOrModel(file) || isIn(file, "http", "dashboard", "app.ts"),
  },
  kysely: {
    rule: "kysely belongs in db/ and stores",
    allowed: (file) => isIn(file, "db") || file.endsWith("store.ts"),
  },
  "better-sqlite3": { rule: "better-sqlite3 belongs in db/", allowed: (file) => isIn(file, "db") },
};

/** What runs in the browser has no core to be handed a clock by. */
const ONLY_IN_CORE = (file: string) => isIn(file, "core", "web");

/** Text that only some files may hold. */
const WORDS: readonly { pattern: RegExp; rule: string; allowed: (file: string) => boolean }[] = [
  {
    pattern: /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/,
    rule: "the environment is read in config/load.ts alone",
    allowed: (file) => file === "config/load.ts",
  },
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/,
    rule: "the time comes from core/clock.ts",
    allowed: ONLY_IN_CORE,
  },
  {
    pattern: /\bsetTimeout\b|\bsetInterval\b|\bBun\.sleep\b/,
    rule: "timers come from core/clock.ts",
    allowed: ONLY_IN_CORE,
  },
  {
    pattern: /\bsetImmediate\b/,
    rule: "setImmediate belongs in core/ and db/writer.ts",
    allowed: (file) => ONLY_IN_CORE(file) || file === "db/writer.ts",
  },
  {
    pattern: /\bMath\.random\b|\brandomBytes\b|\brandomUUID|\brandomInt\b|\bgetRandomValues\b/,
    rule: "randomness comes from core/ids.ts",
    allowed: ONLY_IN_CORE,
  },
  { pattern: /\.\.\/shared\b/, rule: "nothing outside the repository is read", allowed: () => false },
];

/** Where tests may wait for the world outside, and keep a pace. */
const WAITING_TESTS = ["support/until.ts", "support/pace.ts"];

/** What makes a test pass or fail by how fast or how quiet the machine is. */
const TEST_WORDS: readonly { pattern: RegExp; rule: string; allowed: (file: string) => boolean }[] = [
  {
    pattern: /\bsetTimeout\(|\bsetInterval\(|\bBun\.sleep|\bwaitForTimeout\b|["'](?:node:)?timers\/promises["']/,
    rule: "tests wait for something to happen (support/until.ts) or move the clock by hand, and never sleep",
    allowed: (file) => WAITING_TESTS.includes(file),
  },
  {
    pattern: /[{,]\s*(?:retry|repeats): *\d/,
    rule: "a test that is tried again hides a fault; what needs a quiet machine belongs to scripts/bench-*",
    allowed: () => false,
  },
  {
    pattern: /\bprocess\.pid *%/,
    rule: "ports are reserved in support/free-ports.ts, not guessed",
    allowed: () => false,
  },
];

/** The same for test/: path inside test → source text. */
export function testBreaches(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    const code = withoutComments(text);
    return TEST_WORDS.flatMap(({ pattern, rule, allowed }) => {
      const match = pattern.exec(code);
      return match && !allowed(file) ? [`${file}: holds ${match[0]}, but ${rule}`] : [];
    });
  });
}

const MOST_LINES = 350;
/** What may be embedded from outside src. */
const EMBEDDED = /^\.\.\/(migrations\/[\w-]+\.sql|config\/default\.toml|package\.json)$/;

/** Every breach, as `file: rule`. */
export function breaches(sources: Sources): string[] {
  const found: string[] = [];
  for (const [file, text] of sources) {
    const lineCount = text.split("\n").length - 1;
    if (lineCount > MOST_LINES) found.push(`${file}: ${lineCount} lines; ${MOST_LINES} are the most`);
    const code = withoutComments(text);
    for (const { pattern, rule, allowed } of WORDS) {
      const match = pattern.exec(code);
      if (match && !allowed(file)) found.push(`${file}: holds ${match[0]}, but ${rule}`);
    }
    for (const specifier of importsOf(code)) found.push(...importBreaches(file, specifier));
  }
  return [...found, ...circles(sources).map((circle) => `${circle[0]}: circular import ${circle.join(" → ")}`)];
}

function importBreaches(file: string, specifier: string): string[] {
  if (!specifier.startsWith(".")) {
    const name = Object.keys(PACKAGES).find(
      (packageName) => specifier === packageName || specifier.startsWith(`${packageName}/`),
    );
    const rule = name === undefined ? undefined : PACKAGES[name];
    return rule && !rule.allowed(file) ? [`${file}: imports ${specifier}, but ${rule.rule}`] : [];
  }
  const target = resolved(file, specifier);
  if (target.startsWith(".."))
    return EMBEDDED.test(target) ? [] : [`${file}: imports ${specifier}, which is outside src`];
  const from = roomOf(file);
  const to = roomOf(target);
  const allowed = MAY_IMPORT[from];
  if (!allowed) return [`${file}: the room ${from} is not in the plan of the house`];
  if (from === to || allowed.includes(to)) return [];
  if (to === "http" && isRoutesOrModel(file)) return [];
  return [`${file}: imports ${target}, but ${from} may import only from ${allowed.join(", ") || "itself"}`];
}

/** Type imports, re-exports, side effects and dynamic imports alike. */
export function importsOf(code: string): string[] {
  const forms = [
    /\b(?:import|export)\b[^;"'`()]*?\bfrom\s*["']([^"']+)["']/g,
    /\bimport\s*["']([^"']+)["']/g,
    /\bimport\(\s*["']([^"']+)["']/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ""));
}

function circles(sources: Sources): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file);
    if (at !== -1) found.push([...trail.slice(at), file]);
    if (at !== -1 || done.has(file)) return;
    const specifiers = importsOf(withoutComments(sources.get(file) ?? "")).filter((specifier) =>
      specifier.startsWith("."),
    );
    for (const target of specifiers.map((specifier) => resolved(file, specifier))) {
      if (sources.has(target)) visit(target, [...trail, file]);
    }
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return found;
}

function resolved(file: string, specifier: string): string {
  return normalize(join(dirname(file), specifier));
}

function roomOf(file: string): string {
  return file.split("/")[0] ?? file;
}

/** Keeps strings, because `"https://…"` holds what looks like a comment. */
export function withoutComments(code: string): string {
  return code.replace(
    /("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (_, kept: string | undefined) => kept ?? "",
  );
}
