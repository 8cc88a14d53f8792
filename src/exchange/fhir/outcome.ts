// OperationOutcome of an error.
import type { OperationOutcome, OperationOutcomeIssue } from "fhir/r4";
import type { AppError, ErrorCode } from "../../core/errors.ts";

/** Exhaustive: a new code does not compile until its issue type is decided. */
const ISSUE_OF: Readonly<Record<ErrorCode, OperationOutcomeIssue["code"]>> = {
  VALIDATION_ERROR: "invalid",
  UNAUTHORIZED: "login",
  INSUFFICIENT_CREDITS: "business-rule",
  INSUFFICIENT_SCOPE: "forbidden",
  PLAN_LIMIT_REACHED: "business-rule",
  NOT_FOUND: "not-found",
  METHOD_NOT_ALLOWED: "not-supported",
  NOT_ACCEPTABLE: "not-supported",
  REQUEST_TIMEOUT: "timeout",
  CALL_NOT_CANCELLABLE: "business-rule",
  SLOT_FULL: "conflict",
  CONFLICT: "conflict",
  RETENTION_HOLD: "business-rule",
  IDEMPOTENCY_IN_PROGRESS: "conflict",
  PRECONDITION_FAILED: "conflict",
  PAYLOAD_TOO_LARGE: "too-long",
  URI_TOO_LONG: "too-long",
  UNSUPPORTED_MEDIA_TYPE: "not-supported",
  RANGE_NOT_SATISFIABLE: "invalid",
  INVALID_PHONE_NUMBER: "value",
  UNSUPPORTED_COUNTRY: "not-supported",
  IDEMPOTENCY_KEY_REUSED: "conflict",
  RATE_LIMITED: "throttled",
  QUOTA_EXCEEDED: "throttled",
  INTERNAL: "exception",
  UNAVAILABLE: "transient",
};

const ERROR_SYSTEM = "urn:ringward:error";

/** One issue for each faulty field, or one for the error. */
export function outcomeOf(error: AppError, requestId: string): OperationOutcome {
  const faults = error.details.length > 0 ? error.details : [{ field: null, message: error.message }];
  return {
    resourceType: "OperationOutcome",
    issue: faults.map(({ field, message }) => ({
      severity: error.code === "INTERNAL" ? "fatal" : "error",
      code: ISSUE_OF[error.code],
      details: { coding: [{ system: ERROR_SYSTEM, code: error.code }], text: message },
      diagnostics: `request ${requestId}`,
      ...(field !== null && /^[\w.[\]:-]+$/.test(field) && { expression: [field] }),
    })),
  };
}

/** What a search left out although it was asked for. */
export function warning(text: string): OperationOutcome {
  return {
    resourceType: "OperationOutcome",
    issue: [{ severity: "warning", code: "not-supported", details: { text } }],
  };
}
