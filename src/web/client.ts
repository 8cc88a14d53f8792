// Typed API client. Its types come from the server, so a renamed field fails to compile.
import { treaty } from "@elysiajs/eden";
import type { DashboardApi } from "../dashboard/api.ts";
import { fetchOrTake } from "./first-view.ts";
import { lossesSoFar, noteLoss, noteReached } from "./reach.ts";
import { said } from "./words.ts";

/** Marks the request as sent by this page; see session-guard.ts. */
export const OWN_PAGE = { "x-ringward-dashboard": "1" };

export const api = treaty<DashboardApi>(location.origin, {
  headers: OWN_PAGE,
  fetch: { credentials: "same-origin" },
  fetcher: fetchOrTake as typeof fetch,
  // The types declare strings, and a date without a time is a day, not an instant.
  parseDate: false,
}).dashboard.api;

export interface Fault {
  code: string;
  message: string;
  /** Errors of single fields, by name. */
  fields: Record<string, string>;
  /** Of a conflict: the record as it is now. */
  current?: object;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly fault: Fault,
  ) {
    super(fault.message);
  }
}

interface Answer<T> {
  data: T;
  error: { status: unknown; value: unknown } | null;
}

/** Returns the data of a response, or throws an ApiError with a readable message. `await call(api.calls.get())` */
export async function call<T>(request: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const lossesBefore = lossesSoFar();
  let answer: Answer<T>;
  try {
    answer = await request;
  } catch (error) {
    throw isBrokenOff(error) ? superseded() : offline();
  }
  if (isBrokenOff(answer.error?.value)) throw superseded();
  if (answer.error && isUnanswered(answer.error)) throw offline();
  noteReached(lossesBefore);
  if (answer.error) throw refusal(Number(answer.error.status), answer.error.value);
  return answer.data as NonNullable<T>;
}

/**
 * The client reports a failed request as status 503 with the browser's exception as value. A proxy in front responds
 * with an HTML page.
 */
function isUnanswered({ status, value }: NonNullable<Answer<unknown>["error"]>): boolean {
  return value instanceof Error || ([502, 503, 504].includes(Number(status)) && typeof value === "string");
}

/** Aborted by the page itself, see useLoaded. It does not show whether the appliance is reachable. */
const isBrokenOff = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

const superseded = (): ApiError => new ApiError(0, { code: "SUPERSEDED", message: "", fields: {} });

export function offline(): ApiError {
  noteLoss();
  return new ApiError(0, { code: "OFFLINE", message: said.shared.errors.offline, fields: {} });
}

/** The error of a response. If the session has ended, the sign-in page opens. */
export function refusal(status: number, value: unknown): ApiError {
  if (status === 401) window.dispatchEvent(new Event("ringward:signed-out"));
  return new ApiError(status, faultOf(value));
}

function faultOf(value: unknown): Fault {
  const { error } = (typeof value === "object" && value !== null ? value : {}) as {
    error?: { code?: string; message?: string; details?: { field: string; message: string }[]; current?: object };
  };
  return {
    code: error?.code ?? "INTERNAL",
    message: messageBy(error?.code, error?.message),
    ...(error?.current && { current: error.current }),
    fields: Object.fromEntries(
      (error?.details ?? []).map(({ field, message }) => [field, said.shared.errors.ofField(message)]),
    ),
  };
}

function messageBy(code: string | undefined, message: string | undefined): string {
  if (message === undefined) return said.shared.errors.unknown;
  return said.shared.errors.of(code ?? "", message);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : said.shared.errors.unknown;
}
