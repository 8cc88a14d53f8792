// Schema of the error body in the documentation.
import { Type } from "@sinclair/typebox";
import { ERROR_CODES, type ErrorCode } from "../../core/errors.ts";
import { oneOf } from "../../core/schema.ts";

export const ERROR_BODY_SCHEMA = Type.Object(
  {
    success: Type.Optional(Type.Literal(false, { description: "On window endpoints only." })),
    error: Type.Object({
      code: oneOf(ERROR_CODES),
      message: Type.String({ description: "What is wrong and what to do about it." }),
      details: Type.Optional(
        Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
          description: "Only for invalid fields.",
        }),
      ),
      until: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: "With RETENTION_HOLD: how long the record is kept; null: until the hold is released.",
        }),
      ),
      request_id: Type.String({ description: "Also in the X-Request-Id header." }),
    }),
  },
  { description: "Every error has this form." },
);

export function errorExample(code: ErrorCode): object {
  return { error: { code, message: EXAMPLE_MESSAGES[code], request_id: "req_01k9zv3q5m2n8r4t6w7x9y0abc" } };
}

const EXAMPLE_MESSAGES: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: "user_number is required.",
  UNAUTHORIZED: "The x-api-key header is missing or holds no valid API key.",
  INSUFFICIENT_CREDITS: "The organisation has too few credits for this call.",
  INSUFFICIENT_SCOPE: "This API key lacks the scope calls:create.",
  PLAN_LIMIT_REACHED: "The base plan allows 5 active API keys. Revoke one first.",
  NOT_FOUND: "There is no such record.",
  METHOD_NOT_ALLOWED: "This address takes GET.",
  NOT_ACCEPTABLE: "Only JSON is answered.",
  REQUEST_TIMEOUT: "The body did not arrive in time. Send it in one go.",
  CALL_NOT_CANCELLABLE: "This call has started already and cannot be cancelled.",
  SLOT_FULL: "This window has no capacity left on this date.",
  CONFLICT: "The record is in a state that does not allow this.",
  RETENTION_HOLD: "This must be kept until 2027-06-30T00:00:00.000Z. Erase it after that.",
  IDEMPOTENCY_IN_PROGRESS: "The first request with this Idempotency-Key is still running.",
  PRECONDITION_FAILED: "The resource was changed since this version. Read it again.",
  PAYLOAD_TOO_LARGE: "The body must not exceed 256 KiB.",
  URI_TOO_LONG: "The address must not exceed 2,048 characters, its query included.",
  UNSUPPORTED_MEDIA_TYPE: "Send the body as JSON with Content-Type: application/json.",
  RANGE_NOT_SATISFIABLE: "The file is shorter than the requested range.",
  INVALID_PHONE_NUMBER: "user_number has too few or too many digits for +91.",
  UNSUPPORTED_COUNTRY: "user_number must be an Indian (+91) or US (+1) number.",
  IDEMPOTENCY_KEY_REUSED: "This Idempotency-Key was used with another request. Use a new key.",
  RATE_LIMITED: "This API key may make 120 requests a minute.",
  QUOTA_EXCEEDED: "The daily quota of the inbound webhook is used up.",
  INTERNAL: "Something went wrong here. Try again, and name the request_id when you report it.",
  UNAVAILABLE: "The database could not store this now. Nothing was changed; try again.",
};
