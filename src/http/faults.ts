// The Elysia plugin that answers every fault with the error body, unknown routes and wrong methods included.
import { Elysia, ValidationError } from "elysia";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { errorResponse, fromValidation } from "./error-response.ts";
import { pathOf } from "./handler.ts";
import { infoOf } from "./request-info.ts";

export interface KnownRoute {
  method: string;
  path: string;
}

export function createFaults(logger: Logger, routes: () => readonly KnownRoute[]) {
  return new Elysia({ name: "faults" })
    .onTransform({ as: "global" }, ({ request, route }) => {
      infoOf(request).route = route;
    })
    .onError({ as: "global" }, ({ code, error, request, set }) => {
      const path = pathOf(request);
      const { id } = infoOf(request);
      // What the route meant to answer with is not what is answered.
      delete set.headers["content-type"];
      const carried = set.headers as Record<string, string>;
      if (code === "NOT_FOUND" && !(error instanceof AppError)) {
        const methods = methodsOf(path, routes());
        const fault =
          methods.length === 0
            ? new AppError("NOT_FOUND", "There is nothing at this address. The routes are listed at /swagger.")
            : new AppError("METHOD_NOT_ALLOWED", `This address takes ${methods.join(", ")}.`);
        return errorResponse(
          fault,
          path,
          id,
          methods.length === 0 ? carried : { ...carried, allow: methods.join(", ") },
        );
      }
      return errorResponse(toAppError(error, id), path, id, carried);
    });

  function toAppError(error: unknown, requestId: string): AppError {
    if (error instanceof AppError) return error;
    const validation = error instanceof ValidationError ? fromValidation(error) : null;
    if (validation) return validation;
    logger.error("A request ended in an unexpected error.", { request_id: requestId, ...traceOf(error) });
    return new AppError(
      "INTERNAL",
      "Something went wrong here. Try again, and name the request_id when you report it.",
    );
  }
}

/** Frames only: an unexpected message may quote what a patient said. */
function traceOf(error: unknown): { error: string; trace: string } {
  if (!(error instanceof Error)) return { error: typeof error, trace: "" };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s*at /.test(line));
  return {
    error: error.name,
    trace: frames
      .slice(0, 8)
      .map((line) => line.trim())
      .join(" | "),
  };
}

function methodsOf(path: string, routes: readonly KnownRoute[]): string[] {
  const matching = routes.filter((route) => matches(route.path, path)).map(({ method }) => method);
  return [...new Set(matching)].toSorted();
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(":") ? given[i] !== "" : part === given[i]))
  );
}
