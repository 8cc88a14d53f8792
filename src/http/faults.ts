// Elysia plugin that answers every fault with the error body, including unknown routes and wrong methods.
import { Elysia, ValidationError } from "elysia";
import { AppError, framesOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { bodyFault } from "./body-fault.ts";
import { createRouteSchemas, type RouteWithHooks } from "./body-schemas.ts";
import { notFoundPage, wantsPage } from "./error-page.ts";
import { errorResponse, formAt, fromValidation, type FaultForm } from "./error-response.ts";
import { pathOf } from "./handler.ts";
import { infoOf } from "./request-info.ts";
import { withProbableNames } from "./sent-fields.ts";
import { createRouteTable, type RouteTable } from "./route-table.ts";

/** Replaces an impossible id. No record has it, so it is handled like any other unknown id. */
const UNKNOWN_ID = "%";
/** Ids, tokens and e-mail addresses are shorter. */
const LONGEST_ID = 300;

export function createFaults(logger: Logger, routes: () => readonly RouteWithHooks[], forms: readonly FaultForm[]) {
  let table: RouteTable | undefined;
  /** The routes are complete at the first request. */
  const methodsOf = (path: string): readonly string[] => (table ??= createRouteTable(routes())).methodsOf(path);

  const schemasOf = createRouteSchemas(routes);

  return new Elysia({ name: "faults" })
    .onTransform({ as: "global" }, ({ request, route, params }) => {
      infoOf(request).route = route;
      replaceImpossibleIds(params);
    })
    .onError({ as: "global" }, ({ code, error, request, set }) => {
      const path = pathOf(request);
      const form = formAt(forms, path);
      const { id } = infoOf(request);
      // The route's content type does not apply to the error.
      delete set.headers["content-type"];
      const carried = set.headers as Record<string, string>;
      if (code === "NOT_FOUND" && !(error instanceof AppError)) {
        const methods = methodsOf(path);
        if (methods.length === 0 && form === null && wantsPage(request)) return notFoundPage(request);
        const fault =
          methods.length === 0
            ? new AppError(
                "NOT_FOUND",
                `There is nothing at this address. The routes are listed at ${form?.listedAt ?? "/swagger"}.`,
              )
            : new AppError("METHOD_NOT_ALLOWED", `This address takes ${methods.join(", ")}.`);
        return errorResponse(
          fault,
          form,
          id,
          methods.length === 0 ? carried : { ...carried, allow: methods.join(", ") },
        );
      }
      return errorResponse(withProbableNames(toAppError(error, request), infoOf(request).sent), form, id, carried);
    });

  function toAppError(error: unknown, request: Request): AppError {
    if (error instanceof AppError) return error;
    const validation = error instanceof ValidationError ? fromValidation(error) : untoldFault(request);
    if (validation) return validation;
    logger.error("A request ended in an unexpected error.", { request_id: infoOf(request).id, ...traceOf(error) });
    return new AppError(
      "INTERNAL",
      "Something went wrong here. Try again, and name the request_id when you report it.",
    );
  }

  /** A handler never sees an invalid body, so an invalid body is the cause of the error. */
  function untoldFault(request: Request): AppError | null {
    const { route = "", body } = infoOf(request);
    const schema = body === undefined ? undefined : schemasOf(request.method, route).body;
    return schema ? bodyFault(schema, body) : null;
  }
}

/** Only stack frames: an unexpected message may quote a patient. */
function traceOf(error: unknown): { error: string; trace: string } {
  if (!(error instanceof Error)) return { error: typeof error, trace: "" };
  return { error: error.name, trace: framesOf(error).slice(0, 8).join(" | ") };
}

/** Elysia passes null for an invalid encoding (`%zz`). */
function replaceImpossibleIds(params: Record<string, string | null | undefined> | undefined): void {
  for (const name in params) {
    const value = params[name] ?? null;
    if (value === null || value.length > LONGEST_ID) params[name] = UNKNOWN_ID;
  }
}
