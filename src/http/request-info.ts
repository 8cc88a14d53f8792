// State of a request while it is answered: set by the handler, the guard and the body reader.
import type { Actor } from "../core/actor.ts";
import type { Asking } from "../core/asking.ts";
import type { PlanLimits } from "../config/schema.ts";
import type { SentFields } from "./sent-fields.ts";

/** The identity and limits that a valid API key stands for. */
export interface Principal {
  organisationId: string;
  keyId: string;
  scopes: ReadonlySet<string>;
  limits: PlanLimits;
}

export interface RequestInfo extends Asking {
  readonly id: string;
  /** The peer address of the connection. */
  readonly source: () => string;
  /** For a slow response: extends the connection's idle timeout to this many seconds. */
  keepOpen?(seconds: number): void;
  /** The matched pattern, e.g. `/v1/calls/:call_id`; undefined before a match. */
  route?: string;
  /** The authenticated key's principal; undefined or null if there is none. */
  principal?: Principal | null;
  /** The guard has admitted the request. */
  isAdmitted?: boolean;
  /** Releases the capacity reserved for its body. Called when it is answered. */
  release?: () => void;
  /** The rest of its body is not read, and its length is unknown. */
  closesConnection?: boolean;
  /** The body exactly as sent. */
  rawBody?: Uint8Array;
  /** For a large request with an Idempotency-Key: computed while its body arrived. See creating-routes.ts. */
  requestHash?: string;
  /** The parsed body. */
  body?: unknown;
  /** The names of its fields; null if it is not an object. */
  sent?: SentFields | null;
}

/** Stored on the request itself: a WeakMap took twice as long, and each request reads it about ten times. */
const INFO = Symbol("request info");

interface KnownRequest extends Request {
  [INFO]?: RequestInfo;
}

export function rememberRequest(request: KnownRequest, info: RequestInfo): void {
  request[INFO] = info;
}

export function infoOf(request: KnownRequest): RequestInfo {
  const info = request[INFO];
  if (!info) throw new Error("This request did not come through the handler.");
  return info;
}

/** For handlers behind the guard. */
export function principalOf(request: Request): Principal {
  const { principal } = infoOf(request);
  if (!principal) throw new Error("This route does not declare a scope.");
  return principal;
}

export function actorOf(request: Request): Actor {
  return { kind: "key", id: principalOf(request).keyId, requestId: infoOf(request).id };
}

/** If-Match, for the actor of a change. FHIR has versions of its own. */
export function versionGiven({ headers }: Request): Pick<Actor, "basedOn"> {
  const basedOn = headers.get("if-match");
  return basedOn === null ? {} : { basedOn };
}
