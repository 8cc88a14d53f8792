// The typed client: made from the server's own types, so that a renamed field does not compile.
import { treaty } from "@elysiajs/eden";
import type { DashboardApi } from "../dashboard/api.ts";
import { lossesSoFar, noteLoss, noteReached } from "./reach.ts";
import { said } from "./words.ts";

/** Tells the server that the request comes from this page; see session-guard.ts. */
export const OWN_PAGE = { "x-ringward-dashboard": "1" };

export const api = treaty<DashboardApi>(location.origin, {
  headers: OWN_PAGE,
  fetch: { credentials: "same-origin" },
  // The types say text, and a date without a time is a day, not an instant.
  parseDate: false,
}).dashboard.api;

export interface Fault {
  code: string;
  message: string;
  /** What is wrong with single fields, by name. */
  fields: Record<string, string>;
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

/** The data of an answer, or an ApiError with words for a person. `await call(api.calls.get())` */
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
 * The client makes a 503 of a request that got nowhere, with what the browser threw in it; a proxy in front answers
 * with a page.
 */
function isUnanswered({ status, value }: NonNullable<Answer<unknown>["error"]>): boolean {
  return value instanceof Error || ([502, 503, 504].includes(Number(status)) && typeof value === "string");
}

/** By the page itself: see useLoaded. It tells nothing of whether the appliance answers. */
const isBrokenOff = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

const superseded = (): ApiError => new ApiError(0, { code: "SUPERSEDED", message: "", fields: {} });

export function offline(): ApiError {
  noteLoss();
  return new ApiError(0, { code: "OFFLINE", message: said.shared.errors.offline, fields: {} });
}

/** What the server's error says. A session that has ended leads to the door. */
export function refusal(status: number, value: unknown): ApiError {
  if (status === 401) window.dispatchEvent(new Event("ringward:signed-out"));
  return new ApiError(status, faultOf(value));
}

function faultOf(value: unknown): Fault {
  const { error } = (typeof value === "object" && value !== null ? value : {}) as {
    error?: { code?: string; message?: string; details?: { field: string; message: string }[] };
  };
  return {
    code: error?.code ?? "INTERNAL",
    message: messageBy(error?.code, error?.message),
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
