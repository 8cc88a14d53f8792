// Catalogue of the errors that are reported to clients. HTTP statuses are in http/error-response.ts.

export const ERROR_CODES = [
  "VALIDATION_ERROR",
  "UNAUTHORIZED",
  "INSUFFICIENT_CREDITS",
  "INSUFFICIENT_SCOPE",
  "PLAN_LIMIT_REACHED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "NOT_ACCEPTABLE",
  "REQUEST_TIMEOUT",
  "CALL_NOT_CANCELLABLE",
  "SLOT_FULL",
  "CONFLICT",
  "RETENTION_HOLD",
  "IDEMPOTENCY_IN_PROGRESS",
  "PRECONDITION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "URI_TOO_LONG",
  "UNSUPPORTED_MEDIA_TYPE",
  "RANGE_NOT_SATISFIABLE",
  "INVALID_PHONE_NUMBER",
  "UNSUPPORTED_COUNTRY",
  "IDEMPOTENCY_KEY_REUSED",
  "RATE_LIMITED",
  "QUOTA_EXCEEDED",
  "INTERNAL",
  "UNAVAILABLE",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface FieldFault {
  field: string;
  message: string;
}

/** An error whose message tells the reader what to do next. It must never contain personal data or a secret. */
export class AppError extends Error {
  readonly details: readonly FieldFault[];
  readonly retryAfterSeconds: number | undefined;
  /** With RETENTION_HOLD: how long the record is kept; null until the hold is released. */
  readonly until: number | null | undefined;
  /** With PRECONDITION_FAILED: the record as it is now. Shown only where the dashboard asks; never logged. */
  readonly current: object | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: {
      details?: readonly FieldFault[];
      retryAfterSeconds?: number;
      until?: number | null;
      current?: object;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.until = options.until;
    this.current = options.current;
  }
}

/** One field is invalid: the usual 400. */
export function invalidField(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", message, { details: [{ field, message }] });
}

/** The message for a missing required field. */
export function missingField(field: string): string {
  return `${field} is required.`;
}

/** The stack frames without the message, which may quote a person. */
export function framesOf({ stack = "" }: Error): string[] {
  return stack.split("\n").flatMap((line) => (/^\s*at /.test(line) ? [line.trim()] : []));
}

/** Printable message of an unknown thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
