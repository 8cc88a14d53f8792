// The import rules between rooms, and which files may use what, as data and one function.
import { dirname, join, normalize } from "node:path/posix";

/** Path inside src (`db/prepared.ts`) → source text. */
export type Sources = ReadonlyMap<string, string>;

/** The rooms from the roof to the cellar, each with what is in it. A room may import only from rooms below it. */
export const ROOMS: readonly (readonly [name: string, holds: string])[] = [
  ["main.ts", "passes argv to cli"],
  ["cli", "every command"],
  ["compose", "the only place that wires rooms together: app, services, telephony, speech, HTTP, jobs, threads"],
  ["web", "the dashboard in the browser"],
  ["dashboard", "the server side of the dashboard: sessions, routes, change stream"],
  ["handbook", "the handbook: its pages, rendered at build time and served at /docs"],
  ["demo", "the demo hospital: simulated history, ongoing activity, webhook receiver"],
  ["hooks", "the inbound webhook"],
  ["exchange", "the hospital's own systems: sources, mirrored appointments, drop folder, HL7, FHIR"],
  ["rights", "a person's rights: everything about one person as a file; who could see whose data"],
  ["alarms", "faults of the appliance: when people are told, and how"],
  ["worklist", "tasks that need a person, and who completed them"],
  ["campaigns", "lists of people, called at a set pace; calls about closed days"],
  ["reminders", "appointment reminder calls: rules, plans, results"],
  ["waiting-list", "the waiting list: entries, offers of freed slots"],
  ["lists", "reads uploaded lists: CSV, XLSX, pasted text; columns, numbers, row errors"],
  ["calls", "calls: life cycle and queue; joins lines and agents"],
  ["agents", "agents, phone numbers, texts, recorded words"],
  ["voice", "the agent on the line: its input and result, and one conversation by voice and keypad"],
  ["calendar", "branches, windows, slots, appointments, the agent's desk"],
  ["speech", "text to speech, speech to text; neural networks"],
  ["telephony", "the line: simulator, RTP, SIP"],
  ["trunks", "configuration of trunks"],
  ["media", "recordings, captures, signed links, shared calls"],
  ["audit", "the audit chain: sealing, heads, export, verification, pruning, stream to syslog"],
  ["rules", "legal rules as data, consent, proof of calls"],
  ["events", "events, endpoints, deliveries"],
  ["accounts", "organisations, keys, people, credits, audit"],
  ["mail", "e-mail: queue, SMTP"],
  ["scheduler", "one loop for due work"],
  ["update", "update of the executable: signature, swap, rollback"],
  ["http", "code shared by every route"],
  ["db", "the database, its tables, backups"],
  ["config", "settings"],
  ["net", "leaf: addresses, allow lists, DNS, TLS, proxy, the HTTP/1.1 client"],
  ["payloads", "leaf: payloads of API and events"],
  ["audio", "leaf: G.711, G.722, WAV, resampling, tones"],
  ["core", "leaf: clock, ids, errors, phone numbers, logger, worker supervisor"],
];
const LEAVES = ["net", "payloads", "audio", "core"];
const depthOf = (room: string) => ROOMS.findIndex(([name]) => name === room);

/** Values that the browser may take from below; everything else only as types, so that no server code is shipped. */
const FOR_THE_BROWSER = /^(?:web|core|audio|payloads)\/|^(?:agents\/template|lists\/complete-number)\.ts$/;

/** Services know no HTTP. */
const mayKnowHttp = (file: string) =>
  isRoutesOrModel(file) || isIn(file, "cli", "compose", "dashboard", "web", "hooks");
const isRoutesOrModel = (file: string) => /(^|\/)(routes|[\w-]+-routes|model)\.ts$/.test(file);
export const isIn = (file: string, ...rooms: string[]) =>
  rooms.some((room) => file === room || file.startsWith(`${room}/`));

/** Package → the files that may import it, and the rule in words. */
const PACKAGES: Readonly<Record<string, { rule: string; allowed: (file: string) => boolean }>> = {
  elysia: {
    rule: "elysia belongs in routes and models, http/, dashboard/ and compose/http.ts",
    allowed: (file) => isRoutesOrModel(file) || isIn(file, "http", "dashboard", "compose/http.ts"),
  },
  kysely: {
    rule: "kysely belongs in db/ and stores",
    allowed: (file) => isIn(file, "db") || file.endsWith("store.ts"),
  },
  "better-sqlite3": {
    rule: "better-sqlite3 belongs in db/sqlite/ and db/backup/",
    allowed: (file) => isIn(file, "db/sqlite", "db/backup"),
  },
  nodemailer: { rule: "nodemailer belongs in mail/smtp.ts", allowed: (file) => file === "mail/smtp.ts" },
  "openid-client": {
    rule: "openid-client belongs in accounts/directories/oidc-client.ts",
    allowed: (file) => file === "accounts/directories/oidc-client.ts",
  },
  ldapts: {
    rule: "ldapts belongs in accounts/directories/ldap-connection.ts and ldap-directory.ts",
    allowed: (file) => /^accounts\/directories\/ldap-(?:connection|directory)\.ts$/.test(file),
  },
  pg: { rule: "pg belongs in db/postgres/", allowed: (file) => isIn(file, "db/postgres") },
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
    rule: "setImmediate belongs in core/ and db/sqlite/writer.ts",
    allowed: (file) => ONLY_IN_CORE(file) || file === "db/sqlite/writer.ts",
  },
  {
    pattern: /\bMath\.random\b|\brandomBytes\b|\brandomUUID|\brandomInt\b|\bgetRandomValues\b/,
    rule: "randomness comes from core/ids.ts",
    allowed: ONLY_IN_CORE,
  },
  {
    pattern: /\b(?:Row|Tables)\b[^{}]*\}\s*from\s*"[^"]*db\/(?:tables|rows)\.ts"/,
    rule: "row types belong in db/, stores and records.ts; other files use what a row means",
    allowed: (file) => isIn(file, "db") || /(?:^|\/)(?:[\w-]*store|records)\.ts$/.test(file),
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
    rule: "a test that is tried again hides a fault; what needs a quiet machine belongs to ./scripts/bench",
    allowed: () => false,
  },
  {
    pattern: /\bMath\.random\b/,
    rule: "a run must be repeatable: chance comes from its seed (support/chance.ts)",
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
const MOST_COLUMNS = 120;
/** Written by a script, as long as the schema is. */
const GENERATED = ["db/rows.ts"];
/** What may be embedded from outside src. */
const EMBEDDED = /^\.\.\/(migrations\/[\w-]+\.sql|config\/(?:default|rules\/[a-z]{2})\.toml|package\.json)$/;

/** What scripts may import beside one another: the program, and what tests share. */
const FOR_SCRIPTS = /^(?:src|migrations|config)\/|^package\.json$|^test\/(?!.*\.test\.tsx?$)/;

/** The same for scripts/: path inside the repository → source text. */
export function scriptBreaches(sources: Sources): string[] {
  const found = [...sources].flatMap(([file, text]) => {
    const outside = importedFiles(file, text).filter((target) => !isIn(target, "scripts") && !FOR_SCRIPTS.test(target));
    const lineCount = text.split("\n").length - 1;
    return [
      ...(lineCount > MOST_LINES ? [`${file}: ${lineCount} lines; ${MOST_LINES} are the most`] : []),
      ...(/\.\.\/shared\b/.test(withoutComments(text)) ? [`${file}: nothing outside the repository is read`] : []),
      ...outside.map((target) => `${file}: imports ${target}, but scripts import src, scripts and what tests share`),
    ];
  });
  return [...found, ...circles(sources).map((circle) => `${circle[0]}: circular import ${circle.join(" → ")}`)];
}

/** Every breach, as `file: rule`. */
export function breaches(sources: Sources): string[] {
  const found: string[] = [];
  for (const [file, text] of sources) {
    const lineCount = text.split("\n").length - 1;
    if (lineCount > MOST_LINES && !GENERATED.includes(file))
      found.push(`${file}: ${lineCount} lines; ${MOST_LINES} are the most`);
    const code = withoutComments(text);
    for (const { pattern, rule, allowed } of WORDS) {
      const match = pattern.exec(code);
      if (match && !allowed(file)) found.push(`${file}: holds ${match[0]}, but ${rule}`);
    }
    for (const specifier of importsOf(code)) found.push(...importBreaches(file, specifier));
    if (isIn(file, "web")) found.push(...shippedBreaches(file, code));
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
  const [above, below] = [depthOf(from), depthOf(to)];
  if (above === -1) return [`${file}: the room ${from} is not in the plan of the house`];
  if (from === to) return [];
  if (below <= above) return [`${file}: imports ${target}, but ${to} is above ${from} in the plan of the house`];
  // A leaf imports no other room, except core.
  if (LEAVES.includes(from) && to !== "core") return [`${file}: imports ${target}, but ${from} is a leaf`];
  if (from === "main.ts" && to !== "cli") return [`${file}: imports ${target}, but main.ts knows cli alone`];
  if (to === "http" && !mayKnowHttp(file)) return [`${file}: imports ${target}, but only routes know http`];
  return [];
}

/** What the bundler would bring into the browser. */
function shippedBreaches(file: string, code: string): string[] {
  const values = code.replaceAll(/\b(?:import|export)\s+type\b[^;]*;/g, "");
  return importsOf(values)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => resolved(file, specifier))
    .filter((target) => /\.tsx?$/.test(target) && !FOR_THE_BROWSER.test(target))
    .map((target) => `${file}: imports ${target}, but the browser may take only types from there`);
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

/** The files that a file imports by path, as paths of the same kind as its own. */
export function importedFiles(file: string, text: string): string[] {
  return importsOf(withoutComments(text))
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => resolved(file, specifier));
}

function circles(sources: Sources): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file);
    if (at !== -1) found.push([...trail.slice(at), file]);
    if (at !== -1 || done.has(file)) return;
    for (const target of importedFiles(file, sources.get(file) ?? "")) {
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

export function roomOf(file: string): string {
  return file.split("/")[0] ?? file;
}

/**
 * A string, which is kept, or a comment. Strings are looked for because `"https://…"` holds what looks like a comment.
 */
const STRING_OR_COMMENT = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

export function withoutComments(code: string): string {
  return code.replace(STRING_OR_COMMENT, (_, kept: string | undefined) => kept ?? "");
}

export function commentsOf(code: string): string[] {
  return [...code.matchAll(STRING_OR_COMMENT)].flatMap(([text, kept]) => (kept === undefined ? [text] : []));
}

/**
 * Lines with a comment that reaches past the last column, counted from 1. The formatter wraps code, and no comments.
 */
export function wideComments(code: string): number[] {
  const lines = code.split("\n");
  if (lines.every((line) => line.length <= MOST_COLUMNS)) return [];
  const commented = [...code.matchAll(STRING_OR_COMMENT)].flatMap(({ 0: text, 1: kept, index }) => {
    if (kept !== undefined) return [];
    const first = code.slice(0, index).split("\n").length;
    return text.split("\n").map((_, i) => first + i);
  });
  return commented.filter((line) => (lines[line - 1] ?? "").length > MOST_COLUMNS);
}

/** TypeScript files that a text names and that are in no folder of the repository: they moved, or are gone. */
export function lostFiles(text: string, files: readonly string[]): string[] {
  const named = [...text.matchAll(/[\w-]+(?:\.[\w-]+)*(?:\/[\w-]+(?:\.[\w-]+)*)*\.tsx?\b/g)].map(([name]) => name);
  return named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
}
