// Reads and searches of every kind of resource.
import type { Bundle, BundleEntry } from "fhir/r4";
import type { SecretBox } from "../../core/secret-box.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import { inTurns } from "./in-turns.ts";
import { includedIn } from "./includes.ts";
import type { Asker, Kind, Resource, ResourceType, Search } from "./kind.ts";
import { warning } from "./outcome.ts";
import { isMatch, MOST_COUNT, parseSearch, valuesOf, withPresentPatients } from "./search.ts";
import { pageOfAll } from "./candidates.ts";
import { versioned } from "./version.ts";

export interface FhirServerDeps {
  kinds: readonly Kind[];
  /** Address of `/fhir`, without a slash at its end. */
  base: string;
  secrets: Pick<SecretBox, "seal" | "open">;
  /** By former id of a Patient, the present one. */
  presentPatients(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface SearchRequest {
  /** As sent, in order. */
  params: readonly (readonly [name: string, value: string])[];
  isLenient: boolean;
}

/** Candidates that do not match are skipped this often; then the page ends early, with a link to the next. */
const MOST_ROUNDS = 20;

/** What the address of a next page says. */
interface PageMark {
  params: [string, string][];
  after: string;
}

export class FhirServer {
  readonly base: string;
  readonly kinds: readonly Kind[];

  constructor(private readonly deps: FhirServerDeps) {
    this.base = deps.base;
    this.kinds = deps.kinds;
  }

  kind(type: ResourceType): Kind {
    const kind = this.kinds.find((each) => each.type === type);
    if (!kind) throw new Error(`There is no kind ${type}.`);
    return kind;
  }

  async read(kind: Kind, asker: Asker, id: string): Promise<Resource> {
    const [resource] = /^[A-Za-z0-9\-.]{1,64}$/.test(id) ? await kind.read(asker, [id]) : [];
    if (!resource) throw new AppError("NOT_FOUND", `There is no ${kind.type} with this id.`);
    return versioned(resource);
  }

  async search(kind: Kind, asker: Asker, request: SearchRequest): Promise<Bundle> {
    const mark = this.#markIn(kind, asker, request);
    const context = { zone: asker.zone, base: this.base, isLenient: request.isLenient || mark !== null };
    const presentOf = (ids: readonly string[]) => this.deps.presentPatients(asker.organisationId, ids);
    const params = await withPresentPatients(kind, mark?.params ?? request.params, presentOf);
    const search = parseSearch(kind, params, context, mark?.after ?? null);
    this.#assertIncludable(asker, search);
    const { matches, next } = await matchesOf(kind, asker, search);
    const included = await includedIn(this.kinds, asker, search, matches);
    const entry = await this.#entries(matches, included);
    if (search.ignored.length > 0) entry.push(ignoredEntry(search.ignored));
    return {
      resourceType: "Bundle",
      type: "searchset",
      ...(search.after === null && next === null && { total: matches.length }),
      link: [
        { relation: "self", url: this.#selfLink(kind, search) },
        ...(next === null ? [] : [{ relation: "next", url: this.#nextLink(kind, asker, search, next) }]),
      ],
      ...(entry.length > 0 && { entry }),
    };
  }

  async #entries(matches: readonly Resource[], included: readonly Resource[]): Promise<BundleEntry[]> {
    return [
      ...(await inTurns(matches, (resource) => this.#entry(resource, "match"))),
      ...(await inTurns(included, (resource) => this.#entry(resource, "include"))),
    ];
  }

  #entry(resource: Resource, mode: "match" | "include"): BundleEntry {
    const { resourceType, id = "" } = resource;
    return { fullUrl: `${this.base}/${resourceType}/${id}`, resource: versioned(resource), search: { mode } };
  }

  #assertIncludable({ scopes }: Asker, search: Search): void {
    for (const { type, name, target } of search.includes) {
      const include = this.kinds.find((kind) => kind.type === type)?.includes.find((each) => each.name === name);
      if (!include) throw invalidField("_include", `There is no _include of ${type.slice(0, 64)} by this name.`);
      for (const { scope } of this.kinds.filter((kind) => isTarget(include.targets, target, kind.type)))
        if (!scopes.has(scope)) throw new AppError("INSUFFICIENT_SCOPE", `_include needs the scope ${scope} here.`);
    }
  }

  #selfLink({ type }: Kind, { params }: Search): string {
    const query = new URLSearchParams(params.map(([name, value]): [string, string] => [name, value])).toString();
    return `${this.base}/${type}${query === "" ? "" : `?${query}`}`;
  }

  /** Sealed, because an address is logged along the way, and a search may name a person. */
  #nextLink({ type }: Kind, asker: Asker, { params }: Search, after: string): string {
    const mark: PageMark = { params: params.map(([name, value]) => [name, value]), after };
    return `${this.base}/${type}?_page=${this.deps.secrets.seal(JSON.stringify(mark), purposeOf(type, asker))}`;
  }

  #markIn({ type }: Kind, asker: Asker, { params }: SearchRequest): PageMark | null {
    const sealed = params.find(([name]) => name === "_page")?.[1];
    if (sealed === undefined) return null;
    const other = params.find(([name]) => !["_page", "_format", "_pretty"].includes(name));
    if (other) throw invalidField("_page", "_page takes no further parameters. Follow the next link as it is.");
    try {
      return JSON.parse(this.deps.secrets.open(sealed, purposeOf(type, asker))) as PageMark;
    } catch {
      throw invalidField("_page", "_page must be of the next link of an earlier answer. Follow that link as it is.");
    }
  }
}

/** A page is valid for the organisation and type only. */
const purposeOf = (type: string, { organisationId }: Asker) => `fhir-page ${organisationId} ${type}`;

export const isTarget = (targets: readonly string[], asked: string | undefined, type: string): boolean =>
  targets.includes(type) && (asked === undefined || asked === type);

const ignoredEntry = (names: readonly string[]): BundleEntry => ({
  resource: warning(`Unknown search parameters were ignored: ${[...new Set(names)].map(shownName).join(", ")}.`),
  search: { mode: "outcome" },
});

const shownName = (name: string) => name.slice(0, 64).replaceAll(/[^\x21-\x7e]/g, "?");

async function matchesOf(
  kind: Kind,
  asker: Asker,
  search: Search,
): Promise<{ matches: Resource[]; next: string | null }> {
  const ids = valuesOf(search, "_id");
  if (ids !== undefined) {
    const found = await kind.read(asker, [...new Set(ids)]);
    const { resources, next } = pageOfAll(found, search, { after: search.after, limit: search.count });
    return { matches: resources, next };
  }
  const matches: Resource[] = [];
  let { after } = search;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const limit = Math.min(search.count - matches.length, MOST_COUNT);
    const { resources, next } = await kind.candidates(asker, search, { after, limit });
    matches.push(...resources.filter((resource) => isMatch(search, resource)));
    after = next;
    if (next === null || matches.length === search.count) break;
  }
  return { matches, next: after };
}
