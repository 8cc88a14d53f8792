// Import of registry scrubs, in parts. It is idempotent: the newest scrub of each registry counts.
import type { Audit } from "../../accounts/audit.ts";
import type { Actor } from "../../core/actor.ts";
import { createTurns, DAY_MS, toIso, type Clock } from "../../core/clock.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import { checkedName } from "../../core/names.ts";
import { assertDiallable } from "../../core/phone.ts";
import { withoutTrunkZero } from "../../core/trunk-zero.ts";
import type { Database } from "../../db/database.ts";
import type { RegistryVerdict } from "../../payloads/registry.ts";
import { MOST_SCRUB_LINES, SCRUB_LINES_AT_ONCE, scrubLines, type ScrubLine } from "../../payloads/scrub-lines.ts";
import { saveResults } from "./registry-store.ts";

export interface Scrub {
  /** Name of the registry, such as NCPR. */
  registry: string;
  /** Date of the scrub: YYYY-MM-DD. */
  scrubbedOn: string;
  results: readonly { number: string; verdict: string }[];
}

/** A whole file: a number and a verdict on each line. */
export interface ScrubFile extends Omit<Scrub, "results"> {
  csv: string;
  mostLines?: number;
}

export interface ScrubReport {
  /** Numbers stored, and how many of them are refused. */
  stored: number;
  refused: number;
  /** A newer scrub is already stored, or a refusal of the same day. */
  outdated: number;
  /** Lines that were not understood; `line` starts at 1. */
  faults: { line: number; message: string }[];
}

/** India's registry is scrubbed at least monthly; an older result says little about today. */
const OLDEST_SCRUB_DAYS = 31;
export const LONGEST_REGISTRY_NAME = 60;

/** Words of registries and their portals. */
const VERDICTS: Readonly<Record<string, RegistryVerdict>> = {
  allowed: "allowed",
  allow: "allowed",
  clear: "allowed",
  ok: "allowed",
  refused: "refused",
  blocked: "refused",
  block: "refused",
  dnd: "refused",
};

export function createImporting({ db, clock, audit }: { db: Database; clock: Clock; audit: Audit }) {
  /** At most 500 lines; a list is imported in parts. A number that one of its lines refuses is refused. */
  async function importPart(organisationId: string, scrub: Scrub, actor: Actor): Promise<ScrubReport> {
    const registry = checkedName("registry", scrub.registry, LONGEST_REGISTRY_NAME);
    const scrubbedOn = checkedDate(scrub.scrubbedOn, clock.now());
    if (scrub.results.length > SCRUB_LINES_AT_ONCE)
      throw invalidField("results", `results may hold ${SCRUB_LINES_AT_ONCE} lines. Send the list in parts.`);
    const { known, faults } = readResults(scrub.results);
    const refused = [...known.values()].filter((verdict) => verdict === "refused").length;
    const stored = await db.write(async (tx) => {
      const rows = [...known].map(([number, verdict]) => ({
        organisation_id: organisationId,
        number,
        verdict,
        registry,
        scrubbed_on: scrubbedOn,
        imported_at: clock.now(),
        actor_kind: actor.kind,
        actor_id: actor.id,
      }));
      const count = await saveResults(tx, rows);
      const detail = { stored: count, refused, scrubbed_on: scrubbedOn };
      await audit.record(tx, { organisationId, actor, action: "registry.imported", detail });
      return count;
    });
    return { stored, refused, outdated: known.size - stored, faults };
  }

  return {
    importPart,

    /** In parts; a file can be imported again after a failure. */
    async importFile(organisationId: string, { csv, mostLines, ...scrub }: ScrubFile, actor: Actor) {
      const lines = linesIn(csv, mostLines ?? MOST_SCRUB_LINES);
      const report: ScrubReport = { stored: 0, refused: 0, outdated: 0, faults: [] };
      const turn = createTurns();
      for (let at = 0; at < lines.length; at += SCRUB_LINES_AT_ONCE) {
        const results = lines.slice(at, at + SCRUB_LINES_AT_ONCE);
        const part = await importPart(organisationId, { ...scrub, results }, actor);
        for (const count of ["stored", "refused", "outdated"] as const) report[count] += part[count];
        for (const { line, message } of part.faults)
          report.faults.push({ line: results[line - 1]?.line ?? line, message });
        await turn();
      }
      return report;
    },
  };
}

export const dialledForm = (number: string): string => withoutTrunkZero(number.replaceAll(/[\s().-]/g, ""));

function linesIn(csv: string, most: number): ScrubLine[] {
  const lines = scrubLines(csv);
  if (lines.length === 0) throw invalidField("csv", "The file has no numbers.");
  if (lines.length > most)
    throw invalidField("csv", `The file has more than ${most.toLocaleString("en")} lines. Split it.`);
  return lines;
}

function readResults(results: Scrub["results"]) {
  const known = new Map<string, RegistryVerdict>();
  const faults: ScrubReport["faults"] = [];
  for (const [index, { number, verdict }] of results.entries()) {
    const dialled = dialledForm(number);
    const word = verdict.trim().toLowerCase();
    const meant = Object.hasOwn(VERDICTS, word) ? VERDICTS[word] : undefined;
    const message = meant === undefined ? "The verdict must be allowed or refused." : faultOf(dialled);
    if (meant !== undefined && message === null)
      known.set(dialled, known.get(dialled) === "refused" ? "refused" : meant);
    else faults.push({ line: index + 1, message: message ?? "" });
  }
  return { known, faults };
}

function faultOf(number: string): string | null {
  try {
    assertDiallable(number, "number");
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** A day ahead is allowed, because the hospital may be east of UTC. */
function checkedDate(text: string, now: number): string {
  const at = Date.parse(`${dayOf(text)}T00:00:00Z`);
  if (at > now + DAY_MS) throw invalidField("scrubbed_on", "scrubbed_on is in the future.");
  if (at < now - (OLDEST_SCRUB_DAYS + 1) * DAY_MS)
    throw invalidField("scrubbed_on", `The scrub is older than ${OLDEST_SCRUB_DAYS} days. Scrub the list again.`);
  return text;
}

export function dayOf(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at) || toIso(at).slice(0, 10) !== text)
    throw invalidField("scrubbed_on", "scrubbed_on must be a date such as 2026-11-18.");
  return text;
}
