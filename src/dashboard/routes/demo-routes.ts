// Routes of the demo: progress of its generated history, and the requests its receiver got.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { AppError } from "../../core/errors.ts";
import type { History } from "../../demo/history.ts";
import type { Received } from "../../demo/receiver.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface DemoRouteDeps {
  guard: SessionGuard;
  /** Null outside a demo with history and receiver. */
  demo: { history: Pick<History, "progress" | "isMaking">; received: Received } | null;
}

export function demoRoutes({ guard, demo }: DemoRouteDeps) {
  const present = () => {
    if (demo === null) throw new AppError("NOT_FOUND", "This is not a demo.");
    return demo;
  };
  return new Elysia({ name: "dashboard-demo" })
    .use(guard)
    .get("/dashboard/api/demo", async () => ({ making: await present().history.progress() }), { role: "viewer" })
    .get("/dashboard/api/received", ({ session }) => present().received.list(session.organisationId), { role: "staff" })
    .get(
      "/dashboard/api/received/:id",
      ({ session, actor, params }) => present().received.inspect(session.organisationId, params.id, actor),
      { role: "staff", params: Type.Object({ id: Type.String({ maxLength: 64 }) }) },
    );
}
