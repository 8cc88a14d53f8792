// The catalogue of everything that can go wrong in a way a caller should hear of. HTTP statuses live in
// http/error-response.ts.

export const ERROR_CODES = [
  "VALIDATION_ERROR",
  "UNAUTHORIZED",
  "INSUFFICIENT_CREDITS",
  "INSUFFICIENT_SCOPE",
  "PLAN_LIMIT_REACHED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "REQUEST_TIMEOUT",
  "CALL_NOT_CANCELLABLE",
  "SLOT_FULL",
  "CONFLICT",
  "IDEMPOTENCY_IN_PROGRESS",
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

/** A fault with a message that tells the reader what to do next. Never put personal data or a secret into it. */
export class AppError extends Error {
  readonly details: readonly FieldFault[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: { details?: readonly FieldFault[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** One field is at fault: the usual 400. */
export function invalidField(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", message, { details: [{ field, message }] });
}

/** The message for a field that has to be there and is not. */
export function missingField(field: string): string {
  return `${field} is required.`;
}

/** Where it was thrown, and nothing of its message, which may quote what a person said. */
export function framesOf({ stack = "" }: Error): string[] {
  return stack.split("\n").flatMap((line) => (/^\s*at /.test(line) ? [line.trim()] : []));
}

/** What to print of an unknown thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
