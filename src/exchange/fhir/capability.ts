// CapabilityStatement, from the table of resources.
import type { CapabilityStatement, CapabilityStatementRestResource } from "fhir/r4";
import { VERSION } from "../../core/version.ts";
import type { Kind, SearchParam } from "./kind.ts";

/** When what the statement says was changed last. */
const CHANGED_ON = "2026-11-19";

const SECURITY =
  "An API key of the organisation as Authorization: Bearer, or an access token of a SMART backend service. " +
  "Each resource needs the scope of its data, as in the API at /v1.";
const SECURITY_SERVICES = "http://terminology.hl7.org/CodeSystem/restful-security-service";
const OAUTH_URIS = "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris";

export function capabilityStatement(kinds: readonly Kind[], base: string): CapabilityStatement {
  return {
    resourceType: "CapabilityStatement",
    url: `${base}/metadata`,
    version: VERSION,
    name: "Ringward",
    title: "Ringward FHIR R4",
    status: "active",
    date: CHANGED_ON,
    publisher: "Administrator of this appliance",
    description: "Appointments, the times at which they can be booked, and calls about them. JSON only.",
    kind: "instance",
    software: { name: "Ringward", version: VERSION },
    implementation: { description: "Ringward, the voice-call appliance of this hospital", url: base },
    fhirVersion: "4.0.1",
    format: ["application/fhir+json", "application/json"],
    ...(kinds.some(({ writes = [] }) => writes.includes("patch")) && { patchFormat: ["application/json-patch+json"] }),
    rest: [
      {
        mode: "server",
        security: {
          extension: [{ url: OAUTH_URIS, extension: [{ url: "token", valueUri: `${base}/token` }] }],
          cors: false,
          service: [{ coding: [{ system: SECURITY_SERVICES, code: "SMART-on-FHIR" }] }],
          description: SECURITY,
        },
        resource: kinds.map(resourceOf),
      },
    ],
  };
}

function resourceOf(kind: Kind): CapabilityStatementRestResource {
  const { type, says, scope, writeScope, params, includes, writes = [], operations = [] } = kind;
  return {
    type,
    documentation: `${says} Scope: ${scope}${writeScope ? `; to write, ${writeScope}` : ""}.`,
    interaction: [{ code: "read" }, { code: "search-type" }, ...writes.map((code) => ({ code }))],
    versioning: "versioned",
    readHistory: false,
    updateCreate: false,
    conditionalCreate: kind.isConditional ?? false,
    conditionalUpdate: kind.isConditional ?? false,
    conditionalRead: "not-match",
    ...(includes.length > 0 && { searchInclude: includes.map(({ name }) => `${type}:${name}`) }),
    searchParam: params.map((param) => ({
      name: param.name,
      definition: definitionOf(kind, param),
      type: param.type,
      documentation: param.says,
    })),
    ...(operations.length > 0 && {
      operation: operations.map(({ name, definition, says: documentation }) => ({ name, definition, documentation })),
    }),
  };
}

/** Parameters that HL7 defines for several resources at once. */
const SHARED_DEFINITIONS: Readonly<Record<string, string>> = {
  "Patient-phone": "individual-phone",
};

function definitionOf({ type }: Kind, { name }: SearchParam<never>): string {
  const id = name.startsWith("_") ? `Resource-${name.slice(1)}` : `${type}-${name}`;
  return `http://hl7.org/fhir/SearchParameter/${SHARED_DEFINITIONS[id] ?? id}`;
}
