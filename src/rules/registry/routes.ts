// Routes of registry scrubs: import, summary, removal; lookup and export of results.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Actor } from "../../core/actor.ts";
import { csvLine } from "../../core/csv-line.ts";
import { csvResponse } from "../../http/csv.ts";
import type { Guard } from "../../http/guard.ts";
import {
  ImportedScrubSchema,
  ImportScrubSchema,
  LookedUpSchema,
  LookUpSchema,
  MOST_FAULTS,
  MOST_LINES_A_REQUEST,
  RemovedScrubSchema,
  RemoveScrubQuery,
  ScrubListSchema,
  type ScrubView,
} from "./model.ts";
import type { RegistryService } from "./service.ts";

const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Registry"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

const IMPORT_EXAMPLE = {
  registry: "NCPR",
  scrubbed_on: "2026-11-18",
  csv: "+919820012345,refused\n+919820054321,allowed\n",
};
const LOOK_UP_EXAMPLE = { numbers: ["+919820012345", "+919820054321"] };
const HEADINGS = ["number", "verdict", "registry", "scrubbed_on", "imported_at"];

async function* linesOf(pages: ReturnType<RegistryService["pages"]>): AsyncGenerator<string, void> {
  // Sent with the first page, which follows after the audit entry is written.
  let head = csvLine(HEADINGS);
  for await (const page of pages) {
    const lines = page.map((row) => csvLine([row.number, row.verdict, row.registry, row.scrubbed_on, row.imported_at]));
    yield head + lines.join("");
    head = "";
  }
}

export function registryFile(registry: RegistryService, organisationId: string, actor: Actor): Promise<Response> {
  return csvResponse("registry-results.csv", linesOf(registry.pages(organisationId, actor)));
}

export function registryRoutes(guard: Guard, registry: RegistryService) {
  return new Elysia({ name: "registry" }).use(scrubRoutes(guard, registry)).use(resultRoutes(guard, registry));
}

function scrubRoutes(guard: Guard, registry: RegistryService) {
  return new Elysia({ name: "registry-scrubs" })
    .use(guard)
    .post(
      "/v1/registry-scrubs",
      async ({ principal, actor, body: { registry: name, scrubbed_on, csv } }) => {
        const file = { registry: name, scrubbedOn: scrubbed_on, csv, mostLines: MOST_LINES_A_REQUEST };
        const { faults, ...counts } = await registry.importFile(principal.organisationId, file, actor);
        return { data: { ...counts, fault_count: faults.length, faults: faults.slice(0, MOST_FAULTS) } };
      },
      {
        scope: "registry:write",
        // Importing a file twice changes nothing.
        creates: false,
        json: true,
        body: ImportScrubSchema,
        answers: { 200: ImportedScrubSchema },
        detail: detail("importRegistryScrub", "Import a scrub: which numbers a registry allows and refuses", [], {
          description: "The newest scrub of each number counts, so the same file can be sent again.",
          "x-example": IMPORT_EXAMPLE,
        }),
      },
    )
    .get(
      "/v1/registry-scrubs",
      async ({ principal }) => ({ data: scrubsView(await registry.scrubs(principal.organisationId)) }),
      {
        scope: "registry:read",
        answers: { 200: ScrubListSchema },
        detail: detail("listRegistryScrubs", "Numbers by registry and date, the newest scrubs first", [], {
          description: "A number counts in its newest scrub alone.",
        }),
      },
    )
    .delete(
      "/v1/registry-scrubs",
      async ({ principal, actor, query: { registry: name, scrubbed_on } }) => {
        const scrub = { registry: name, scrubbedOn: scrubbed_on };
        return { data: await registry.remove(principal.organisationId, scrub, actor) };
      },
      {
        scope: "registry:write",
        query: RemoveScrubQuery,
        answers: { 200: RemovedScrubSchema },
        detail: detail("removeRegistryScrub", "Remove a scrub that was imported by mistake", ["VALIDATION_ERROR"], {
          description:
            "Its refusals end, and older results of its numbers do not come back: import a newer scrub. Results of people " +
            "under a retention hold stay.",
        }),
      },
    );
}

function resultRoutes(guard: Guard, registry: RegistryService) {
  return new Elysia({ name: "registry-results" })
    .use(guard)
    .post(
      "/v1/registry-results/lookup",
      async ({ principal, actor, body }) => ({
        data: await registry.lookUp(principal.organisationId, body.numbers, actor),
      }),
      {
        scope: "registry:read",
        creates: false,
        json: true,
        body: LookUpSchema,
        answers: { 200: LookedUpSchema },
        detail: detail(
          "lookUpRegistryResults",
          "What a registry answered about these numbers",
          ["INVALID_PHONE_NUMBER", "UNSUPPORTED_COUNTRY"],
          { "x-example": LOOK_UP_EXAMPLE },
        ),
      },
    )
    .get("/v1/registry-results", ({ principal, actor }) => registryFile(registry, principal.organisationId, actor), {
      scope: "registry:read",
      // A file, never checked.
      answers: { 200: Type.Unknown() },
      detail: detail("exportRegistryResults", "All results as a CSV file", [], {
        "x-media": { "200": { "text/csv": { schema: { type: "string" } } } },
      }),
    });
}

/** One line for each scrub. Ordered as given: newest first. */
function scrubsView(rows: Awaited<ReturnType<RegistryService["scrubs"]>>): ScrubView[] {
  const scrubs = new Map<string, ScrubView>();
  for (const { registry, scrubbed_on, verdict, count } of rows) {
    const key = JSON.stringify([scrubbed_on, registry]);
    const scrub = scrubs.get(key) ?? { registry, scrubbed_on, allowed: 0, refused: 0 };
    scrubs.set(key, { ...scrub, [verdict]: count });
  }
  return [...scrubs.values()];
}
