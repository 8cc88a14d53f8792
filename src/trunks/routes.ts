// Routes of trunks and their status.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import {
  ChangeTrunkSchema,
  CREATE_TRUNK_EXAMPLE,
  CreateTrunkSchema,
  ListTrunksQuery,
  RemovedTrunkSchema,
  TrunkAnswerSchema,
  TrunkListSchema,
  TrunkStatusSchema,
} from "./model.ts";
import { presentStates, type TrunkStatusDeps } from "./trunk-status.ts";
import { generalStateView, stateUnknown, type TrunkView } from "./trunk-view.ts";

export interface TrunkApiDeps extends TrunkStatusDeps {
  guard: Guard;
}

const trunkId = Type.Object({ trunk_id: Type.String({ maxLength: 64 }) });
const FROM_SETTINGS = "409 for a trunk of the configuration: change it there.";

const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Trunks"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function trunkApiRoutes(deps: TrunkApiDeps) {
  const { guard, trunks } = deps;
  return new Elysia({ name: "trunks" })
    .use(guard)
    .post(
      "/v1/trunks",
      ({ principal, actor, body, once }) =>
        once(
          { status: 201, body: (data: TrunkView) => ({ data }), subjectId: ({ trunk_id }) => trunk_id },
          (alongside) => trunks.create(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "trunks:write",
        creates: true,
        json: true,
        body: CreateTrunkSchema,
        answers: { 201: TrunkAnswerSchema },
        detail: detail("createTrunk", "Create a trunk", ["CONFLICT"], { "x-example": CREATE_TRUNK_EXAMPLE }),
      },
    )
    .patch(
      "/v1/trunks/:trunk_id",
      async ({ principal, actor, params, body }) => ({
        data: await trunks.update(principal.organisationId, params.trunk_id, body, actor),
      }),
      {
        scope: "trunks:write",
        tagged: true,
        json: true,
        params: trunkId,
        body: ChangeTrunkSchema,
        answers: { 200: TrunkAnswerSchema },
        detail: detail("changeTrunk", "Change a trunk", ["NOT_FOUND", "CONFLICT"], {
          "x-example": { concurrent_calls: 20 },
          description: `Fields that are not sent stay, also the password. ${FROM_SETTINGS}`,
        }),
      },
    )
    .delete(
      "/v1/trunks/:trunk_id",
      async ({ principal, actor, params }) => {
        await trunks.remove(principal.organisationId, params.trunk_id, actor);
        return { data: { deleted: true as const } };
      },
      {
        scope: "trunks:write",
        params: trunkId,
        answers: { 200: RemovedTrunkSchema },
        detail: detail("removeTrunk", "Remove a trunk that carries no numbers", ["NOT_FOUND", "CONFLICT"], {
          description: FROM_SETTINGS,
        }),
      },
    )
    .use(readRoutes(deps));
}

function readRoutes(deps: TrunkApiDeps) {
  const { guard, trunks, telephony } = deps;
  return new Elysia({ name: "trunks-read" })
    .use(guard)
    .get("/v1/trunks", ({ principal, query }) => trunks.page(principal.organisationId, query), {
      scope: "trunks:read",
      query: ListTrunksQuery,
      answers: { 200: TrunkListSchema },
      detail: detail("listTrunks", "List trunks, newest first", ["VALIDATION_ERROR"]),
    })
    .get(
      "/v1/trunks/:trunk_id",
      async ({ principal, params }) => ({ data: await trunks.get(principal.organisationId, params.trunk_id) }),
      {
        scope: "trunks:read",
        tagged: true,
        params: trunkId,
        answers: { 200: TrunkAnswerSchema },
        detail: detail("getTrunk", "Read one trunk, without its password", ["NOT_FOUND"]),
      },
    )
    .get(
      "/v1/trunks/:trunk_id/status",
      async ({ principal: { organisationId, scopes }, params }) => {
        const { trunk_id, concurrent_calls } = await trunks.get(organisationId, params.trunk_id);
        const stateOf = await presentStates(organisationId, deps);
        const state = stateOf(trunk_id) ?? stateUnknown(concurrent_calls);
        const shown = scopes.has("trunks:write") ? state : generalStateView(state);
        return { data: { trunk_id, mode: telephony.mode, ...shown } };
      },
      {
        scope: "trunks:read",
        params: trunkId,
        answers: { 200: TrunkStatusSchema },
        detail: detail("getTrunkStatus", "Whether a trunk works", ["NOT_FOUND"]),
      },
    );
}
