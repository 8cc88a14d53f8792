// Proof of a call for the dashboard: its content, and the file. It has nothing personal, so every role may read it.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { ProofService } from "../../rules/proof/proof-service.ts";
import { proofFile } from "../../rules/proof/routes.ts";
import type { SessionGuard } from "../session-guard.ts";

const params = Type.Object({ call_id: Type.String({ maxLength: 64 }) });

export function dashboardProofRoutes(guard: SessionGuard, proofs: ProofService) {
  return new Elysia({ name: "dashboard-proofs" })
    .use(guard)
    .get(
      "/dashboard/api/calls/:call_id/proof",
      ({ session, params: { call_id } }) => proofs.view(session.organisationId, call_id),
      { role: "viewer", params },
    )
    .get(
      "/dashboard/api/calls/:call_id/proof.json",
      async ({ session, params: { call_id } }) => proofFile(call_id, await proofs.get(session.organisationId, call_id)),
      { role: "viewer", params },
    );
}
