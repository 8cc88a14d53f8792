// Held calls: release, which is rate-limited, or cancel; one call, or all with the same reason.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { HeldCalls } from "../../calls/held-calls.ts";
import { PERSON_HOLDS } from "../../calls/queue/policy.ts";
import { oneOf } from "../../core/schema.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface HeldCallRouteDeps {
  guard: SessionGuard;
  heldCalls: HeldCalls;
}

const Choice = Type.Object({
  reason: oneOf(PERSON_HOLDS),
  call_id: Type.Optional(Type.String({ maxLength: 64 })),
});

export function heldCallRoutes({ guard, heldCalls }: HeldCallRouteDeps) {
  return new Elysia({ name: "dashboard-held-calls" })
    .use(guard)
    .post(
      "/dashboard/api/held-calls/release",
      async ({ session, actor, body: { reason, call_id: callId } }) => ({
        released: await heldCalls.release(session.organisationId, { reason, callId }, actor),
      }),
      { role: "staff", body: Choice },
    )
    .post(
      "/dashboard/api/held-calls/cancel",
      async ({ session, actor, body: { reason, call_id: callId } }) => ({
        cancelled: await heldCalls.cancel(session.organisationId, { reason, callId }, actor),
      }),
      { role: "staff", body: Choice },
    );
}
