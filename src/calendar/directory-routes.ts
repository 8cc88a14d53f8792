// Routes of branches and services.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import {
  BranchAnswerSchema,
  BranchListSchema,
  CREATE_BRANCH_EXAMPLE,
  CREATE_SERVICE_EXAMPLE,
  CreateBranchSchema,
  CreateServiceSchema,
  DirectoryQuery,
  PatchBranchSchema,
  PatchServiceSchema,
  RemovedBranchSchema,
  ServiceAnswerSchema,
  ServiceListSchema,
  type BranchView,
  type ServiceView,
} from "./directory-model.ts";
import type { DirectoryService } from "./directory-service.ts";

const branchId = Type.Object({ branch_id: Type.String({ maxLength: 64 }) });
const serviceId = Type.Object({ appointment_type_id: Type.String({ maxLength: 64 }) });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Branches and services"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function branchRoutes(guard: Guard, directory: DirectoryService) {
  return new Elysia({ name: "branches" })
    .use(guard)
    .post(
      "/v1/branches",
      ({ principal, actor, body, once }) =>
        once(
          { status: 201, body: (data: BranchView) => ({ data }), subjectId: ({ branch_id }) => branch_id },
          (alongside) => directory.createBranch(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "directory:write",
        creates: true,
        json: true,
        body: CreateBranchSchema,
        answers: { 201: BranchAnswerSchema },
        detail: detail("createBranch", "Create a branch, or restore a removed one", ["CONFLICT"], {
          "x-example": CREATE_BRANCH_EXAMPLE,
        }),
      },
    )
    .get("/v1/branches", ({ principal, query }) => directory.branchPage(principal.organisationId, query), {
      scope: "directory:read",
      query: DirectoryQuery,
      answers: { 200: BranchListSchema },
      detail: detail("listBranches", "List branches, oldest first"),
    })
    .get(
      "/v1/branches/:branch_id",
      async ({ principal, params }) => ({ data: await directory.branch(principal.organisationId, params.branch_id) }),
      {
        scope: "directory:read",
        tagged: true,
        params: branchId,
        answers: { 200: BranchAnswerSchema },
        detail: detail("getBranch", "Read one branch", ["NOT_FOUND"]),
      },
    )
    .patch(
      "/v1/branches/:branch_id",
      async ({ principal, actor, params, body }) => ({
        data: await directory.changeBranch(principal.organisationId, params.branch_id, body, actor),
      }),
      {
        scope: "directory:write",
        tagged: true,
        json: true,
        params: branchId,
        body: PatchBranchSchema,
        answers: { 200: BranchAnswerSchema },
        detail: detail("changeBranch", "Rename a branch, or change its time zone", ["NOT_FOUND"], {
          "x-example": { name: "Lake branch" },
          description: "Dates and times of bookings are local, so a new time zone moves no booking.",
        }),
      },
    )
    .delete(
      "/v1/branches/:branch_id",
      async ({ principal, actor, params }) => {
        await directory.archiveBranch(principal.organisationId, params.branch_id, actor);
        return { data: { branch_id: params.branch_id.toLowerCase(), removed: true as const } };
      },
      {
        scope: "directory:write",
        params: branchId,
        answers: { 200: RemovedBranchSchema },
        detail: detail("removeBranch", "Remove a branch from all lists", ["NOT_FOUND", "CONFLICT"], {
          description:
            "A branch that an agent books for, or that has open windows or people booked, stays: 409 `CONFLICT`. " +
            "Using the id again restores the branch.",
        }),
      },
    );
}

export function serviceRoutes(guard: Guard, directory: DirectoryService) {
  return new Elysia({ name: "services" })
    .use(guard)
    .post(
      "/v1/services",
      ({ principal, actor, body, once }) =>
        once(
          {
            status: 201,
            body: (data: ServiceView) => ({ data }),
            subjectId: ({ appointment_type_id }) => appointment_type_id,
          },
          (alongside) => directory.createService(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "directory:write",
        creates: true,
        json: true,
        body: CreateServiceSchema,
        answers: { 201: ServiceAnswerSchema },
        detail: detail("createService", "Create a service that appointments are for", ["CONFLICT"], {
          "x-example": CREATE_SERVICE_EXAMPLE,
        }),
      },
    )
    .get("/v1/services", ({ principal, query }) => directory.servicePage(principal.organisationId, query), {
      scope: "directory:read",
      query: DirectoryQuery,
      answers: { 200: ServiceListSchema },
      detail: detail("listServices", "List services, oldest first"),
    })
    .get(
      "/v1/services/:appointment_type_id",
      async ({ principal, params }) => ({
        data: await directory.service(principal.organisationId, params.appointment_type_id),
      }),
      {
        scope: "directory:read",
        tagged: true,
        params: serviceId,
        answers: { 200: ServiceAnswerSchema },
        detail: detail("getService", "Read one service", ["NOT_FOUND"]),
      },
    )
    .patch(
      "/v1/services/:appointment_type_id",
      async ({ principal, actor, params, body }) => ({
        data: await directory.renameService(principal.organisationId, params.appointment_type_id, body.name, actor),
      }),
      {
        scope: "directory:write",
        tagged: true,
        json: true,
        params: serviceId,
        body: PatchServiceSchema,
        answers: { 200: ServiceAnswerSchema },
        detail: detail("changeService", "Rename a service", ["NOT_FOUND"], { "x-example": { name: "Cardiology" } }),
      },
    );
}
