// The single mapping of faults to HTTP: code → status, and the error body of every route.
import type { ValidationError } from "elysia";
import { toIsoOrNull } from "../core/clock.ts";
import { AppError, type ErrorCode, type FieldFault } from "../core/errors.ts";
import { fieldFaults } from "../core/schema-words.ts";

/** Exhaustive: a new code does not compile until its status is decided. */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_CREDITS: 402,
  INSUFFICIENT_SCOPE: 403,
  PLAN_LIMIT_REACHED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  CALL_NOT_CANCELLABLE: 409,
  SLOT_FULL: 409,
  CONFLICT: 409,
  RETENTION_HOLD: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  INVALID_PHONE_NUMBER: 422,
  UNSUPPORTED_COUNTRY: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
};

/** A feature's own error format, where the API contract defines one. */
export interface FaultForm {
  /** Path prefix of the feature. */
  under: string;
  status?: Partial<Record<ErrorCode, number>>;
  /** Added to the body next to `error`. */
  beside?: { success: false };
  /** Body and headers of another standard, instead of ours. */
  answer?: (error: AppError, requestId: string) => { body: object; headers: Record<string, string> };
  /** Errors of this code carry the record as it is now. */
  showsCurrent?: ErrorCode;
  /** Where the feature's routes are listed. */
  listedAt?: string;
}

export function formAt(forms: readonly FaultForm[], path: string): FaultForm | null {
  return forms.find(({ under }) => path.startsWith(under)) ?? null;
}

export function statusOf(code: ErrorCode, form: FaultForm | null): number {
  return form?.status?.[code] ?? STATUS_OF[code];
}

/** After these the rest of the request is not read, so the connection cannot be reused. */
const CLOSES_CONNECTION = new Set<ErrorCode>(["PAYLOAD_TOO_LARGE", "REQUEST_TIMEOUT"]);

export interface ErrorBody {
  success?: false;
  error: {
    code: ErrorCode;
    message: string;
    details?: readonly FieldFault[];
    until?: string | null;
    current?: object;
    request_id: string;
  };
}

export function errorResponse(
  error: AppError,
  form: FaultForm | null,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const { code, message, details, retryAfterSeconds, until, current } = error;
  const body: ErrorBody = {
    ...form?.beside,
    error: {
      code,
      message,
      ...(details.length > 0 ? { details } : {}),
      ...(until === undefined ? {} : { until: toIsoOrNull(until) }),
      ...(current !== undefined && form?.showsCurrent === code ? { current } : {}),
      request_id: requestId,
    },
  };
  const own = form?.answer?.(error, requestId);
  const response = Response.json(own?.body ?? body, {
    status: statusOf(code, form),
    headers: { ...headers, ...own?.headers },
  });
  if (retryAfterSeconds !== undefined)
    response.headers.set("retry-after", String(Math.max(1, Math.ceil(retryAfterSeconds))));
  if (CLOSES_CONNECTION.has(code)) response.headers.set("connection", "close");
  return response;
}

/** A schema violation. A response that violates its own schema is our bug, not the client's: returns null. */
export function fromValidation(error: ValidationError): AppError | null {
  if (error.type === "response") return null;
  const violations = error.all.flatMap((violation) => ("path" in violation ? [violation] : []));
  const details = fieldFaults(violations);
  return new AppError("VALIDATION_ERROR", details[0]?.message ?? "The request is not valid.", { details });
}
