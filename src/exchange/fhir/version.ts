// Versions of resources. A version is a hash of the content, so it changes with everything that the resource shows.
import { sha256Hex } from "../../core/hmac.ts";
import { changedSince, namesTag } from "../../core/entity-tag.ts";
import type { Resource } from "./kind.ts";

const VERSION_LENGTH = 16;

export function versioned<R extends Resource>(resource: R): R {
  const versionId = sha256Hex(JSON.stringify(resource)).slice(0, VERSION_LENGTH);
  return { ...resource, meta: { ...resource.meta, versionId } };
}

export const etagOf = ({ meta }: Resource): string => `W/"${meta?.versionId ?? ""}"`;

/** If-None-Match: whether the client has this version. */
export const isKnown = (header: string | null, resource: Resource): boolean =>
  header !== null && namesTag(header, etagOf(resource));

/** If-Match: throws PRECONDITION_FAILED if the resource changed since. */
export function assertMatches(header: string | null, resource: Resource): void {
  if (header === null || namesTag(header, etagOf(resource))) return;
  throw changedSince();
}
