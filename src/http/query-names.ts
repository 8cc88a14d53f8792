// Validation of query parameter names against the route's schema. A misspelt list filter, or an unknown option of a
// deletion, would change the result, so it is rejected. Elsewhere an unknown name is ignored and reported in a header.
import type { TSchema } from "@sinclair/typebox";
import { invalidField, type AppError } from "../core/errors.ts";
import { bare, isNear } from "../core/near-names.ts";
import { shownName } from "./sent-fields.ts";

const MOST_LISTED = 12;
const DRY_RUN = "dryrun";

/** Returns the ignored names. */
export function checkedQueryNames(request: Pick<Request, "method" | "url">, schema: TSchema | undefined): string[] {
  const at = request.url.indexOf("?");
  if (at === -1) return [];
  const known = Object.keys((schema?.["properties"] ?? {}) as object);
  const seen = new Set<string>();
  const ignored: string[] = [];
  for (const name of new URLSearchParams(request.url.slice(at + 1)).keys()) {
    if (seen.has(name) && known.includes(name)) throw invalidField(name, `${name} was sent twice. Send it once.`);
    if (!seen.has(name) && !known.includes(name)) ignored.push(name);
    seen.add(name);
  }
  const refused = ignored.find((name) => changesWhatHappens(name, request.method, known));
  if (refused !== undefined) throw unknownName(refused, known);
  return ignored;
}

function changesWhatHappens(name: string, method: string, known: readonly string[]): boolean {
  // A list would return other records than requested; a deletion cannot be undone.
  if (method === "DELETE" || (method === "GET" && known.length > 0)) return true;
  return bare(name) === DRY_RUN || nearest(name, known) !== undefined;
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const letters = bare(name.slice(0, 64));
  return known.find((each) => bare(each) === letters) ?? known.find((each) => isNear(letters, bare(each)));
}

function unknownName(name: string, known: readonly string[]): AppError {
  const meant = nearest(name, known);
  const advice =
    meant !== undefined
      ? `Did you mean ${meant}?`
      : known.length === 0
        ? "This address takes none."
        : `It takes ${known.slice(0, MOST_LISTED).join(", ")}.`;
  const shown = shownName(name);
  return invalidField(shown, `${shown} is not a parameter of this address, and nothing was done. ${advice}`);
}
