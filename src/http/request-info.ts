// What is known of a request while it is being answered: set by the handler, the guard and the body reader.
import type { Actor } from "../core/actor.ts";
import type { Asking } from "../core/asking.ts";
import type { PlanLimits } from "../config/schema.ts";
import type { SentFields } from "./sent-fields.ts";

/** Who a valid API key speaks for. */
export interface Principal {
  organisationId: string;
  keyId: string;
  scopes: ReadonlySet<string>;
  limits: PlanLimits;
}

export interface RequestInfo extends Asking {
  readonly id: string;
  /** The address at the other end of the connection. */
  readonly source: () => string;
  /**
   * For an answer that takes a while to make: its connection stays open for so many seconds though nothing moves on it.
   */
  keepOpen?(seconds: number): void;
  /** The pattern that matched, e.g. `/v1/calls/:call_id`; undefined while nothing has. */
  route?: string;
  /** Whom the API key speaks for; undefined or null where nobody is known. */
  principal?: Principal | null;
  /** The guard has let it pass. */
  isAdmitted?: boolean;
  /** Gives back the room that its body takes. Called when it is answered. */
  release?: () => void;
  /** The rest of its body is not read, and how much it is is not known. */
  closesConnection?: boolean;
  /** The body exactly as it was sent. */
  rawBody?: Uint8Array;
  /** Of a large request with an Idempotency-Key: worked out while its body arrived. See creating-routes.ts. */
  requestHash?: string;
  /** As it was parsed. */
  body?: unknown;
  /** The names of its fields; null where it is no object. */
  sent?: SentFields | null;
}

/** On the request itself: a WeakMap cost twice as much for each of the ten times that it is asked. */
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
