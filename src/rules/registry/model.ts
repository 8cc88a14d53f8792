// API schemas of registry scrubs.
import { Type, type Static } from "@sinclair/typebox";
import { visibleName } from "../../core/names.ts";
import { isoTime, nullable, oneOf } from "../../core/schema.ts";
import { REGISTRY_VERDICTS } from "../../payloads/registry.ts";
import { SCRUB_LINES_AT_ONCE } from "../../payloads/scrub-lines.ts";
import { LONGEST_REGISTRY_NAME } from "./importing.ts";

/** Lines of one request. A longer file is sent in parts. */
export const MOST_LINES_A_REQUEST = 5_000;
/** Fits into a body of 256 KiB. */
const LONGEST_CSV = 200_000;
/** Faults in a report; `fault_count` counts all of them. */
export const MOST_FAULTS = 100;

const registry = visibleName(LONGEST_REGISTRY_NAME, { description: "The registry, such as NCPR." });
const scrubbedOn = (description: string) =>
  Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description, allowed: "a date such as 2026-11-18" });

export const ImportScrubSchema = Type.Object({
  registry,
  scrubbed_on: scrubbedOn("Date of the scrub, at most 31 days ago."),
  csv: Type.String({
    minLength: 1,
    maxLength: LONGEST_CSV,
    description: `A number (E.164) and allowed or refused on each line, at most ${MOST_LINES_A_REQUEST} lines.`,
  }),
});

export const RemoveScrubQuery = Type.Object({ registry, scrubbed_on: scrubbedOn("Date of the scrub.") });

export const LookUpSchema = Type.Object({
  numbers: Type.Array(Type.String({ maxLength: 40, description: "E.164." }), {
    minItems: 1,
    maxItems: SCRUB_LINES_AT_ONCE,
  }),
});

export const ImportedScrubSchema = Type.Object({
  data: Type.Object({
    stored: Type.Integer({ description: "Numbers stored." }),
    refused: Type.Integer({ description: "Numbers of the file that the registry refuses." }),
    outdated: Type.Integer({ description: "Numbers with a newer scrub, or a refusal of the same day, which stays." }),
    fault_count: Type.Integer({ description: "Lines that were not understood." }),
    faults: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }), {
      description: `The first ${MOST_FAULTS} of them; lines count from 1.`,
    }),
  }),
});

const ScrubSchema = Type.Object({
  registry: Type.String(),
  scrubbed_on: Type.String(),
  allowed: Type.Integer(),
  refused: Type.Integer(),
});
export type ScrubView = Static<typeof ScrubSchema>;
export const ScrubListSchema = Type.Object({ data: Type.Array(ScrubSchema) });

export const RemovedScrubSchema = Type.Object({
  data: Type.Object({
    removed: Type.Integer({ description: "Numbers whose result was removed." }),
    kept: Type.Integer({ description: "Numbers whose result stays, because a retention hold keeps it." }),
  }),
});

export const LookedUpSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      number: Type.String(),
      verdict: nullable(oneOf(REGISTRY_VERDICTS, { description: "Null: no scrub has this number." })),
      registry: nullable(Type.String()),
      scrubbed_on: nullable(Type.String()),
      imported_at: nullable(isoTime()),
    }),
  ),
});
