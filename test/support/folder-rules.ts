// The rules inside rooms, as data and functions: which folder may import which, and which files other rooms may import.
import { importedFiles, isIn, roomOf, type Sources } from "./source-rules.ts";

/** Folders that import one another, from the roof to the cellar. A folder may import only from folders below it. */
export const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  calls: ["life", "queue", "talks", "analysis", "call", "people"],
  db: ["kept-backups", "backup", "move", "postgres", "sqlite", "archive", "lineage"],
  exchange: ["fhir", "hl7", "folder", "mirror", "sources"],
  "exchange/hl7": ["listener", "telling", "log", "reading", "message"],
  "exchange/fhir": ["subscriptions", "operations", "write", "resources", "smart"],
  speech: ["servers", "ears", "spotter", "asr", "tts", "packs", "onnx"],
  "speech/servers": ["trial", "chat", "recognition", "voice", "command", "http"],
  "speech/tts": ["neural", "hindi"],
  telephony: ["trial", "sip", "simulator", "rtp"],
  "telephony/sip": ["worker", "carrier", "call", "trunk", "transaction", "transport", "message"],
  voice: ["talking", "analysis", "model-led", "conversation", "grounding", "turns", "understanding"],
  web: ["frame", "pages", "kit", "words"],
  "web/pages": [
    "agents",
    "contacts",
    "developers",
    "overview",
    "settings",
    "model-servers",
    "today",
    "campaigns",
    "calls",
    "trunks",
    "waiting",
    "calendar",
  ],
  "web/words": ["hi", "en"],
};

/** Folders that need each other no more than their order allows, and still must stay apart. */
const APART: readonly { from: string; to: string; rule: string }[] = [
  { from: "voice", to: "telephony/simulator", rule: "the agent does not depend on the simulator" },
  { from: "voice", to: "telephony/sip", rule: "the agent does not depend on SIP" },
  { from: "telephony/sip", to: "telephony/simulator", rule: "SIP does not depend on the simulator" },
  { from: "telephony/rtp", to: "trunks", rule: "RTP does not depend on SIP" },
  { from: "speech", to: "events", rule: "speech does not depend on webhooks" },
];

/** Rooms that construct and connect everything: they may import any file. */
const ROOF = ["main.ts", "cli", "compose"];
/** Rooms that exist for the others: every file of theirs is public. */
const OPEN = ["http", "config", "net", "payloads", "audio", "core"];

/** The public surface: folder → its files that other rooms may import. All other files are private to their room. */
export const SURFACES: Readonly<Record<string, string>> = {
  dashboard: "api backups call-page campaign-list contact-page dial-ahead-subjects list-job now",
  demo: "history receiver",
  hooks: "service",
  rights: "audited-subjects breach-report contacts named-subjects people-of-number person-file renaming routes",
  alarms: "alarm-list",
  mail: "mail-queue smtp",
  worklist: "kinds subject-store worklist worklist-store worklist-view",
  campaigns: "campaign-store model result-store retry routes row-store service",
  "exchange/hl7": "message-log preview",
  "exchange/hl7/log": "model",
  "exchange/folder": "model service settings",
  "exchange/folder/reading": "read-jobs",
  "exchange/sources": "model service",
  reminders: "model reminder-service rule-service",
  "waiting-list": "awaited model offer-store service store",
  lists: "checked-rows complete-number headings known-numbers-store list-check read-list row-faults sent-form table",
  calls:
    "additional-info call-again call-edit checked-call dial-ahead held-calls many-calls mistaken-fields model service template-preview within would-be-held",
  "calls/call":
    "agent-words call-end final-calls named-calls new-call records state store template-values unfinished-store",
  "calls/life": "erasure hang-up line-service put-back timeline",
  "calls/people": "contact-ids contact-notes contact-store do-not-disturb do-not-disturb-store",
  "calls/queue": "campaign-calls-store held-store policy scheduled-time",
  agents: `
    approved-answers calling-hours checked-agent known-values model pronunciation-service recorded-words-service records
    service store template transfer-target`,
  "agents/library": "library starting-point",
  "agents/model-servers": "known-server model-server-service tried-default",
  voice: "agreements desk-questions port sent-report",
  "voice/analysis": "analysis answer ask",
  "voice/grounding": "details",
  "voice/model-led": "approved prompt tools",
  calendar: `
    appointment-changes client-hold source-store appointment-retention appointment-service appointment-state appointment-store booking capacity
    closed-people closure-model closure-service closure-work configuration-reads days desk desk-port directory-service directory-store hold
    identifier-store mirrored mirrored-changes mirrored-patients model moments plan-model plan-service records same-person slot-events slot-id
    tracking-service window-service window-store`,
  "calendar/ical": "feed-service holiday-days holidays-job",
  speech: "languages",
  "speech/ears": "port",
  "speech/servers": "choices port sent-book",
  "speech/servers/chat": "chat-client",
  "speech/servers/recognition": "own-recogniser transcriber",
  "speech/servers/trial": "finding server-trial",
  "speech/servers/voice": "server-voice",
  "speech/tts": "clauses pace port pronunciation sound-cache spoken-phone spoken-time",
  "speech/tts/hindi": "spoken-number spoken-time",
  "speech/tts/neural": "respelling",
  telephony: "line-report pcap port",
  "telephony/simulator": "test-numbers",
  "telephony/sip/message": "uri",
  trunks: "settings-trunks trunk-addresses trunk-service trunk-settings trunk-status trunk-store trunk-view",
  media: "captures file-removals links private-folder recordings records routes salvage share-service share-view",
  rules: "call-rules recording-mode",
  "rules/book": "change-service change-store embedded-books legal-hours model rule-book rule-values view",
  "rules/holds": "held hold-service keeping model",
  "rules/consent": "checked-grant consent-changes consent-store model refusal-store service",
  "rules/proof": "canonical head-file key-store proof-keys proof-service record routes sealing signature verify",
  "rules/registry": "registry-store routes service",
  events: `
    catalogue delivery-service endpoint-service endpoint-store fhir-channel hl7-port known-endpoint media-port model
    order-store outbox outbox-store records retry-schedule signing source-endpoint`,
  "rules/question": "answer asker service",
  "events/safe-post": "safe-post",
  accounts: `
    audit audit-batches audit-chain-store audit-subject-store break-glass-service claims client-tokens credits
    factor-service jwks key-service organisation-service organisation-store passkey-service password-links
    person-service person-store reach-store read-notes records session-list session-service setup-service sign-in-service
    sign-in-ticket webauthn`,
  "accounts/directories": "directories oidc-directory",
  scheduler: "clock-store recurring",
  db: `
    alongside binding database eraser heartbeat-store index-slices like meaning noted-changes outcome-unknown
    person-key-store port prepared prepared-list row-memory sealed-secrets tables trigrams write-probe`,
  "db/archive": "archive-file pending-restore",
  "db/backup": "hold-due-calls make-backup",
  "db/kept-backups": "kept-backups",
  "db/postgres": "changes",
};

const PUBLIC = new Set(
  Object.entries(SURFACES).flatMap(([folder, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => `${folder}/${name}.ts`),
  ),
);

/** Every breach of the order of folders, as `file: rule`. */
export function folderBreaches(sources: Sources): string[] {
  const found: string[] = [];
  for (const [file, target] of importsBetween(sources)) {
    const apart = APART.find(({ from, to }) => isIn(file, from) && isIn(target, to));
    if (apart) found.push(`${file}: imports ${target}, but ${apart.rule}`);
    const { parent, from, to } = partingOf(file, target);
    if (parent === "" || !from.endsWith("/") || !to.endsWith("/")) continue;
    const order = FOLDERS[parent] ?? [];
    const [above, below] = [order.indexOf(from.slice(0, -1)), order.indexOf(to.slice(0, -1))];
    if (above === -1 || below === -1)
      found.push(`${file}: imports ${target}, but FOLDERS has no order for ${from} and ${to} in ${parent}`);
    else if (below <= above) found.push(`${file}: imports ${target}, but ${to} is above ${from} in ${parent}`);
  }
  return [...found, ...folderCircles(sources)];
}

/** Every import of a file that is private to another room. */
export function surfaceBreaches(sources: Sources): string[] {
  return importsAcross(sources)
    .filter(([file, target]) => !ROOF.includes(roomOf(file)) && !OPEN.includes(roomOf(target)) && !PUBLIC.has(target))
    .map(([file, target]) => {
      const room = roomOf(target);
      return `${file}: imports ${target}, which is private to ${room}; use its public files, or add it to SURFACES`;
    });
}

/** Files in SURFACES that no room imports any more: they are private again. */
export function idleSurfaces(sources: Sources): string[] {
  const used = new Set(
    importsAcross(sources).flatMap(([file, target]) => (ROOF.includes(roomOf(file)) ? [] : [target])),
  );
  return [...PUBLIC].filter((file) => !used.has(file));
}

/** Folders that FOLDERS names and that do not exist, or that exist beside named ones and are not named. */
export function misnamedFolders(sources: Sources): string[] {
  return Object.entries(FOLDERS).flatMap(([parent, named]) => {
    const inside = [...sources.keys()].filter((file) => file.startsWith(`${parent}/`));
    const there = new Set(inside.map((file) => file.slice(parent.length + 1).split("/")).flatMap(firstFolder));
    return [
      ...named.filter((name) => !there.has(name)).map((name) => `${parent}/${name} does not exist`),
      ...[...there].filter((name) => !named.includes(name)).map((name) => `${parent}/${name} has no place in FOLDERS`),
    ];
  });
}

const firstFolder = ([name, ...rest]: string[]) => (name !== undefined && rest.length > 0 ? [name] : []);

/** Folders as wholes: files beside them may stand above or below them, but the imports must not come back. */
function folderCircles(sources: Sources): string[] {
  const levels = new Map<string, Map<string, Set<string>>>();
  for (const [file, target] of importsBetween(sources)) {
    const { parent, from, to } = partingOf(file, target);
    const level = levels.get(parent) ?? new Map<string, Set<string>>();
    levels.set(parent, level.set(from, (level.get(from) ?? new Set()).add(to)));
  }
  return [...levels].flatMap(([parent, level]) => {
    const circle = circleIn(level);
    return circle ? [`${parent}: imports go in a circle, ${circle.join(" → ")}`] : [];
  });
}

/** The first circle that a folder is part of. */
function circleIn(level: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>();
  const visit = (place: string, trail: readonly string[]): string[] | null => {
    const at = trail.indexOf(place);
    if (at !== -1) {
      const circle = trail.slice(at);
      return circle.some((each) => each.endsWith("/")) ? [...circle, place] : null;
    }
    if (done.has(place)) return null;
    for (const next of level.get(place) ?? []) {
      const circle = visit(next, [...trail, place]);
      if (circle) return circle;
    }
    done.add(place);
    return null;
  };
  for (const place of level.keys()) {
    const circle = visit(place, []);
    if (circle) return circle;
  }
  return null;
}

/** Where the paths of two files part: `calls` with `life/` and `queue/`, or with `life/` and `service.ts`. */
function partingOf(file: string, target: string): { parent: string; from: string; to: string } {
  const [here, there] = [file.split("/"), target.split("/")];
  const depth = here.findIndex((part, i) => part !== there[i]);
  const place = (parts: readonly string[]) => `${parts[depth] ?? ""}${depth < parts.length - 1 ? "/" : ""}`;
  return { parent: here.slice(0, depth).join("/"), from: place(here), to: place(there) };
}

function importsBetween(sources: Sources): [file: string, target: string][] {
  return [...sources].flatMap(([file, text]) =>
    importedFiles(file, text)
      .filter((target) => target !== file && /^[^.].*\.tsx?$/.test(target))
      .map((target): [string, string] => [file, target]),
  );
}

const importsAcross = (sources: Sources) =>
  importsBetween(sources).filter(([file, target]) => roomOf(file) !== roomOf(target));
