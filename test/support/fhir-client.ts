// FHIR client of the tests. Every answer is validated: a resource of R4 with its version, or nothing.
import { expect } from "bun:test";
import type { Bundle, OperationOutcome, Resource } from "fhir/r4";
import { fhirFaults } from "./fhir-validator.ts";

export interface FhirAnswer<R = Resource> {
  status: number;
  headers: Headers;
  text: string;
  body: R;
}

export interface FhirOptions {
  /** Null for none. */
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export type SendFhir = <R = Resource>(method: string, path: string, options?: FhirOptions) => Promise<FhirAnswer<R>>;

/** `path` is below `/fhir`, or a whole address of a link. */
export function createFhirClient(send: (request: Request) => Promise<Response>, key: string, base: string): SendFhir {
  return async <R>(method: string, path: string, options: FhirOptions = {}): Promise<FhirAnswer<R>> => {
    const { key: asKey = key, body, headers = {} } = options;
    const isForm = body instanceof URLSearchParams;
    const type = isForm ? "application/x-www-form-urlencoded" : "application/fhir+json";
    const request = new Request(path.startsWith("http") ? path : `${base}${path}`, {
      method,
      headers: {
        ...(asKey !== null && { authorization: `Bearer ${asKey}` }),
        ...(body !== undefined && { "content-type": type }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" || isForm ? body.toString() : JSON.stringify(body) }),
    });
    const response = await send(request);
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: bodyOf<R>(text) };
    assertSound(`${method} ${path}`, answer);
    return answer;
  };
}

function bodyOf<R>(text: string): R {
  try {
    return JSON.parse(text) as R;
  } catch {
    return undefined as R;
  }
}

/** Counts what was validated, so a test can tell that it saw something. */
export const validated = new Map<string, number>();

function assertSound(request: string, { status, headers, text, body }: FhirAnswer<unknown>): void {
  if (text === "") {
    expect([request, [201, 204, 304].includes(status)]).toEqual([request, true]);
    return;
  }
  expect([request, headers.get("content-type")]).toEqual([
    request,
    expect.stringMatching(/^application\/(fhir\+)?json; charset=utf-8$/),
  ]);
  expect([request, fhirFaults(body)]).toEqual([request, []]);
  const { resourceType } = body as Resource;
  if (status >= 400) expect([request, resourceType]).toEqual([request, "OperationOutcome"]);
  for (const each of [body as Resource, ...((body as Bundle).entry ?? []).flatMap(({ resource }) => resource ?? [])])
    validated.set(each.resourceType, (validated.get(each.resourceType) ?? 0) + 1);
}

/** The resources of a searchset, by how they came into it. */
export const entriesOf = ({ entry = [] }: Bundle, mode: "match" | "include" | "outcome"): Resource[] =>
  entry.flatMap(({ resource, search }) => (search?.mode === mode && resource ? [resource] : []));

export const matchesIn = <R extends Resource>(bundle: Bundle): R[] => entriesOf(bundle, "match") as R[];

export const linkIn = ({ link = [] }: Bundle, relation: string): string | undefined =>
  link.find((each) => each.relation === relation)?.url;

/** Of an OperationOutcome: the code of its first issue, and ours. */
export const issueOf = ({ body, status }: FhirAnswer<OperationOutcome>): string => {
  const [issue] = body.issue;
  return `${status} ${issue?.code} ${issue?.details?.coding?.[0]?.code ?? ""}`.trim();
};
