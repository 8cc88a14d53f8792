// Schema of an inbound webhook: an action, and data whose fields depend on it.
import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { CreateCallSchema } from "../calls/model.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { oneOf } from "../core/schema.ts";
import { fieldFaults } from "../core/schema-words.ts";
import { sentFields, type SentFields } from "../http/sent-fields.ts";

export const HOOK_ACTIONS = ["call.create", "call.cancel", "call.delete", "ping"] as const;

/**
 * A copy, because Elysia sets the schema of POST /v1/calls to reject unknown fields at its first request, and that
 * would apply here too.
 */
const NewCallData = Type.Object(CreateCallSchema.properties);
export const CallReference = Type.Object({ call_id: Type.String({ minLength: 1, maxLength: 64 }) });

/** Fields at the top of a request. documented.ts has the rest for the API document. */
const HookBodySchema = Type.Object({
  action: oneOf(HOOK_ACTIONS),
  data: Type.Optional(Type.Object({}, { additionalProperties: true })),
});

export type HookRequest =
  | { action: "call.create"; data: Static<typeof NewCallData> }
  | { action: "call.cancel" | "call.delete"; data: Static<typeof CallReference> }
  | { action: "ping" };

export function parseHookBody(body: unknown): HookRequest {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("VALIDATION_ERROR", "The body must be a JSON object with action and data.");
  }
  const { action, data } = body as { action?: unknown; data?: unknown };
  const known = HOOK_ACTIONS.find((name) => name === action);
  if (!known) throw invalidField("action", `action must be one of ${HOOK_ACTIONS.join(", ")}.`);
  if (known === "ping") return { action: known };
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw invalidField("data", misplaced(known));
  if (known === "call.create") return { action: known, data: checked(NewCallData, data) };
  return { action: known, data: checked(CallReference, data) };
}

function misplaced(action: (typeof HOOK_ACTIONS)[number]): string {
  const fields = action === "call.create" ? '"agent_id": …, "contact_number": …' : '"call_id": …';
  return `data must be an object with the fields of ${action}: {"action": "${action}", "data": {${fields}}}.`;
}

/** Fields of `data`, and fields beside action and data. Null if the body has no fields. */
export function hookFields(body: unknown): SentFields | null {
  const whole = sentFields(body, HookBodySchema);
  if (!whole) return null;
  const { action, data } = body as { action?: unknown; data?: unknown };
  if (action === "ping") return { names: whole.names, ignored: [] };
  const inside = sentFields(data, action === "call.create" ? NewCallData : CallReference);
  return {
    names: [...whole.names, ...(inside?.names ?? [])],
    ignored: [...(inside?.ignored ?? []).map((name) => `data.${name}`), ...whole.ignored],
    further: (inside?.further ?? []).map((name) => `data.${name}`),
  };
}

function checked<T extends TSchema>(schema: T, data: unknown): Static<T> {
  if (Value.Check(schema, data)) return Value.Clean(schema, data);
  const details = fieldFaults(Value.Errors(schema, data), ["data"]);
  throw new AppError("VALIDATION_ERROR", details[0]?.message ?? "data is not valid.", { details });
}
