// Held calls: release, which is rate-limited, or cancel; one call, or all with the same reason.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { HeldCalls } from "../../calls/held-calls.ts";
import { PERSON_HOLDS } from "../../calls/queue/policy.ts";
import { oneOf } from "../../core/schema.ts";
import type { Worklist } from "../../worklist/worklist.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface HeldCallRouteDeps {
  guard: SessionGuard;
  heldCalls: HeldCalls;
  worklist: Pick<Worklist, "lookHeld">;
}

const Choice = Type.Object({
  reason: oneOf(PERSON_HOLDS),
  call_id: Type.Optional(Type.String({ maxLength: 64 })),
});

export function heldCallRoutes({ guard, heldCalls, worklist }: HeldCallRouteDeps) {
  return new Elysia({ name: "dashboard-held-calls" })
    .use(guard)
    .post(
      "/dashboard/api/held-calls/release",
      async ({ session: { organisationId }, actor, body: { reason, call_id: callId } }) => {
        const released = await heldCalls.release(organisationId, { reason, callId }, actor);
        await worklist.lookHeld(organisationId);
        return { released };
      },
      { role: "staff", body: Choice },
    )
    .post(
      "/dashboard/api/held-calls/cancel",
      async ({ session: { organisationId }, actor, body: { reason, call_id: callId } }) => {
        const cancelled = await heldCalls.cancel(organisationId, { reason, callId }, actor);
        await worklist.lookHeld(organisationId);
        return { cancelled };
      },
      { role: "staff", body: Choice },
    );
}
