// Temporary errors of the database.
import { AppError } from "../../core/errors.ts";

export const RETRY_AFTER_SECONDS = 1;

export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

export const diskFailed = (): AppError =>
  unavailable("The disk failed, and it is not certain what it holds. Nothing was changed; try again.");
