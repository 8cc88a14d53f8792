// A kind of resource: one table entry drives the routes, searches, CapabilityStatement and handbook page.
import type {
  Appointment,
  Communication,
  HealthcareService,
  Location,
  Patient,
  Schedule,
  Slot,
  Subscription,
} from "fhir/r4";
import type { Actor } from "../../core/actor.ts";
import type { Scope } from "../../payloads/scopes.ts";

export type Resource =
  | Appointment
  | Communication
  | HealthcareService
  | Location
  | Patient
  | Schedule
  | Slot
  | Subscription;
export type ResourceType = Resource["resourceType"];

/** Who asks. */
export interface Asker {
  organisationId: string;
  /** Of the organisation: dates without an offset are in it. */
  zone: string;
  actor: Actor;
  scopes: ReadonlySet<string>;
}

export interface Token {
  system?: string | undefined;
  code: string | undefined;
}

interface Named {
  name: string;
  /** For the CapabilityStatement and the handbook. */
  says: string;
}

/** What a resource has, to compare with what is searched for. */
export type SearchParam<R> = Named &
  (
    | {
        type: "token";
        of(resource: R): readonly (Token | undefined)[];
        /** The sought code, as resources have it. */
        normalised?: (code: string) => string;
      }
    | { type: "reference"; targets: readonly string[]; of(resource: R): readonly (string | undefined)[] }
    | { type: "date"; of(resource: R): readonly (string | undefined)[] }
    | { type: "string"; of(resource: R): readonly (string | undefined)[] }
  );

export const ID: SearchParam<Resource> = {
  name: "_id",
  type: "token",
  says: "Its id.",
  of: ({ id }) => [{ code: id }],
};

export const LAST_UPDATED: SearchParam<Resource> = {
  name: "_lastUpdated",
  type: "date",
  says: "When it was changed last.",
  of: ({ meta }) => [meta?.lastUpdated],
};

export interface Include<R> {
  /** Of the search parameter: `Slot:schedule`. */
  name: string;
  targets: readonly ResourceType[];
  of(resource: R): readonly (string | undefined)[];
}

export interface Filter {
  name: string;
  /** One of them must match. */
  values: readonly string[];
  /** Types that a reference without a type may mean. */
  targets: readonly string[];
  matches(resource: Resource): boolean;
}

export interface IncludeAsked {
  type: string;
  name: string;
  target: string | undefined;
  /** Also follows references of included resources. */
  iterates: boolean;
}

export interface Search {
  filters: readonly Filter[];
  includes: readonly IncludeAsked[];
  count: number;
  /** Where the page begins. */
  after: string | null;
  /** As understood, for the self link and the next page. */
  params: readonly (readonly [name: string, value: string])[];
  /** Left out although they were sent. */
  ignored: readonly string[];
}

export interface Candidates<R> {
  resources: R[];
  /** Where the next candidates begin; null after the last. */
  next: string | null;
}

export interface Page {
  /** `next` of the candidates before. */
  after: string | null;
  limit: number;
}

export type Write = "create" | "update" | "patch" | "delete";

/** An operation of the type, such as `$find`. */
export interface Operation {
  name: string;
  /** Canonical address of its definition. */
  definition: string;
  says: string;
}

export interface Kind<R extends Resource = Resource> {
  type: R["resourceType"];
  /** A key needs it to read and search. */
  scope: Scope;
  /** A key needs it to write. */
  writeScope?: Scope;
  /** Further scopes of some writes. */
  furtherScopes?: readonly Scope[];
  says: string;
  params: readonly SearchParam<R>[];
  includes: readonly Include<R>[];
  writes?: readonly Write[];
  /** Whether create takes If-None-Exist, and update a search. */
  isConditional?: boolean;
  operations?: readonly Operation[];
  /** Those of the ids that exist, in any order. */
  read(asker: Asker, ids: readonly string[]): Promise<R[]>;
  /** Resources that may match: a kind narrows by what its store has an index for, and the search filters the rest. */
  candidates(asker: Asker, search: Search, page: Page): Promise<Candidates<R>>;
}
