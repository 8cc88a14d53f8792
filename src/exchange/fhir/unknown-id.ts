// Reads of several records at once leave out those that do not exist.
import { AppError } from "../../core/errors.ts";

/** Null for NOT_FOUND; throws every other error. */
export function unlessUnknown(error: unknown): null {
  if (error instanceof AppError && error.code === "NOT_FOUND") return null;
  throw error;
}
