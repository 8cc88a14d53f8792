// API routes of the do-not-disturb list. Numbers are sent in bodies, because addresses are logged on the way.
import { Elysia } from "elysia";
import { invalidField } from "../../core/errors.ts";
import { pageSize } from "../../core/pages.ts";
import { assertDiallable } from "../../core/phone.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Guard } from "../../http/guard.ts";
import {
  AddedNumbersSchema,
  DoNotDisturbListSchema,
  ListDoNotDisturbQuery,
  LookedUpNumbersSchema,
  NumberSchema,
  NumbersSchema,
  RemovedNumberSchema,
} from "./do-not-disturb-model.ts";
import type { DoNotDisturbService } from "./do-not-disturb.ts";

const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Do not disturb"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

const NUMBER_ERRORS = ["INVALID_PHONE_NUMBER", "UNSUPPORTED_COUNTRY"];
const NUMBERS_EXAMPLE = { "x-example": { numbers: ["+919820012345", "+919820054321"] } };

export interface DoNotDisturbApiDeps {
  doNotDisturb: DoNotDisturbService;
  secrets: Pick<SecretBox, "seal" | "open">;
}

export function doNotDisturbApiRoutes(guard: Guard, { doNotDisturb, secrets }: DoNotDisturbApiDeps) {
  return new Elysia({ name: "do-not-disturb" })
    .use(guard)
    .get(
      "/v1/do-not-disturb",
      async ({ principal: { organisationId }, actor, query }) => {
        const limit = pageSize(query.limit);
        const after = query.cursor === undefined ? undefined : numberIn(secrets, organisationId, query.cursor);
        const rows = await doNotDisturb.page({ organisationId, after, limit: limit + 1 }, actor);
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        const isMore = rows.length > limit && last;
        return { data: page, next_cursor: isMore ? cursorAfter(secrets, organisationId, last.number) : null };
      },
      {
        scope: "dnd:read",
        query: ListDoNotDisturbQuery,
        answers: { 200: DoNotDisturbListSchema },
        detail: detail("listDoNotDisturb", "Numbers that are not called, in order of the numbers", [
          "VALIDATION_ERROR",
        ]),
      },
    )
    .post(
      "/v1/do-not-disturb/lookup",
      async ({ principal, actor, body }) => ({
        data: await doNotDisturb.lookUp(principal.organisationId, body.numbers, actor),
      }),
      {
        scope: "dnd:read",
        creates: false,
        json: true,
        body: NumbersSchema,
        answers: { 200: LookedUpNumbersSchema },
        detail: detail("lookUpDoNotDisturb", "Whether these numbers are on the list", NUMBER_ERRORS, NUMBERS_EXAMPLE),
      },
    )
    .post(
      "/v1/do-not-disturb",
      async ({ principal, actor, body }) => {
        const numbers = [...new Set(body.numbers)];
        for (const number of numbers) assertDiallable(number, "numbers");
        const added = await doNotDisturb.addMany(principal.organisationId, numbers, actor);
        return { data: { added, already: numbers.length - added } };
      },
      {
        scope: "dnd:write",
        // Adding a number twice changes nothing.
        creates: false,
        json: true,
        body: NumbersSchema,
        answers: { 200: AddedNumbersSchema },
        detail: detail("addToDoNotDisturb", "Put numbers on the do-not-disturb list", NUMBER_ERRORS, {
          description:
            "All numbers are added, or none. Their consents are withdrawn. The same numbers can be sent again.",
          ...NUMBERS_EXAMPLE,
        }),
      },
    )
    .post(
      "/v1/do-not-disturb/remove",
      async ({ principal, actor, body }) => {
        await doNotDisturb.remove(principal.organisationId, body.number, actor);
        return { data: { deleted: true as const } };
      },
      {
        scope: "dnd:write",
        creates: false,
        json: true,
        body: NumberSchema,
        answers: { 200: RemovedNumberSchema },
        detail: detail("removeFromDoNotDisturb", "Take a number off the do-not-disturb list", ["NOT_FOUND"], {
          description: "Withdrawn consents stay withdrawn.",
          "x-example": { number: "+919820012345" },
        }),
      },
    );
}

const purposeOf = (organisationId: string): string => `do-not-disturb-cursor/${organisationId}`;

/** Encrypted: the position in the list is a number, and a cursor stands in an address. */
function cursorAfter(secrets: DoNotDisturbApiDeps["secrets"], organisationId: string, number: string): string {
  return secrets.seal(number, purposeOf(organisationId));
}

function numberIn(secrets: DoNotDisturbApiDeps["secrets"], organisationId: string, cursor: string): string {
  try {
    return secrets.open(cursor, purposeOf(organisationId));
  } catch {
    throw invalidField("cursor", "cursor must be the next_cursor of an earlier answer.");
  }
}
