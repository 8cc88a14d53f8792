// Filters of the dashboard's call list: those of the API, plus search, planned time and outcome.
import { Type, type Static } from "@sinclair/typebox";
import { ListCallsQuery } from "../calls/model.ts";
import type { CallQuestion } from "../calls/service.ts";
import { searchText } from "./call-page.ts";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

export const CallQuery = Type.Composite([
  ListCallsQuery,
  Type.Object({ search: text(100), planned_from: text(40), planned_to: text(40), outcome: text(64) }),
]);

export function questionOf({ search, ...filters }: Static<typeof CallQuery>): CallQuestion {
  return { ...filters, ...(search === undefined ? {} : { search: searchText(search) }) };
}
