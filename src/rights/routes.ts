// Routes of a person's rights: everything about one person as one file, and who could see whose data.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { createTurns } from "../core/clock.ts";
import type { Guard } from "../http/guard.ts";
import { csvLine } from "../core/csv-line.ts";
import { csvResponse } from "../http/csv.ts";
import { streamedFile } from "../http/streamed-file.ts";
import type { BreachLine, BreachReport } from "./breach-report.ts";
import type { PersonFile } from "./person-file.ts";

/** The answer is a file and never checked. */
const FileSchema = Type.Unknown();

/** Characters per chunk of a report. */
const CHUNK_CHARACTERS = 32 * 1024;

export interface RightsDeps {
  personFile: PersonFile;
  breachReport: BreachReport;
}

/** A report as CSV. */
export async function breachCsv(lines: AsyncGenerator<BreachLine[], void>): Promise<Response> {
  return csvResponse("breach-report.csv", breachText(lines));
}

/** A report as CSV, in chunks. Yields to other work every few milliseconds. */
export async function* breachText(lines: AsyncGenerator<BreachLine[], void>): AsyncGenerator<string, void> {
  const turn = createTurns();
  let text = "";
  for await (const slice of lines)
    for (const line of slice) {
      text += csvLine(line);
      if (text.length >= CHUNK_CHARACTERS) {
        yield text;
        text = "";
      }
      await turn();
    }
  if (text !== "") yield text;
}

export function rightsRoutes(guard: Guard, { personFile, breachReport }: RightsDeps) {
  return new Elysia({ name: "rights" })
    .use(guard)
    .post(
      "/v1/people/file",
      async ({ principal, actor, body }) =>
        streamedFile(
          "person.zip",
          "application/zip",
          await personFile.open(principal.organisationId, body.contact_number, actor),
        ),
      {
        scope: "people:export",
        creates: false,
        json: true,
        body: Type.Object({ contact_number: Type.String({ maxLength: 32, description: "E.164." }) }),
        answers: { 200: FileSchema },
        detail: {
          tags: ["People"],
          operationId: "getPersonFile",
          "x-example": { contact_number: "+919820012345" },
          summary: "Everything stored about one person, as a ZIP file",
          "x-errors": ["VALIDATION_ERROR", "NOT_FOUND"],
          "x-media": { "200": { "application/zip": { schema: { type: "string", format: "binary" } } } },
        },
      },
    )
    .get(
      "/v1/breach-report",
      async ({ principal, actor, query }) => breachCsv(await breachReport.open(principal.organisationId, query, actor)),
      {
        scope: "audit:read",
        answers: { 200: FileSchema },
        query: Type.Object({
          from: Type.String({ maxLength: 40, description: "ISO 8601, inclusive." }),
          to: Type.String({ maxLength: 40, description: "ISO 8601, exclusive; at most 366 days later." }),
        }),
        detail: {
          tags: ["People"],
          operationId: "getBreachReport",
          summary: "Whose data could be seen by whom between two moments, as CSV",
          "x-errors": ["VALIDATION_ERROR"],
          "x-media": { "200": { "text/csv": { schema: { type: "string" } } } },
        },
      },
    );
}
