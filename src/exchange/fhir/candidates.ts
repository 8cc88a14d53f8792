// Candidates of a search where all resources are in memory: an organisation has few of them.
import type { Candidates, Page, Resource, Search } from "./kind.ts";
import { isMatch } from "./search.ts";

const byId = (a: Resource, b: Resource) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1);

/** Matches only, in the order of their ids. */
export function pageOfAll<R extends Resource>(all: readonly R[], search: Search, page: Page): Candidates<R> {
  const { after, limit } = page;
  const rest = all
    .filter((resource) => (after === null || (resource.id ?? "") > after) && isMatch(search, resource))
    .toSorted(byId);
  const resources = rest.slice(0, limit);
  return { resources, next: rest.length > limit ? (resources.at(-1)?.id ?? null) : null };
}
