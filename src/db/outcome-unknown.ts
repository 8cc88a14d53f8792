// A commit whose outcome is unknown: the connection to PostgreSQL broke during COMMIT, or SQLite's disk failed after
// it.
import { AppError } from "../core/errors.ts";

const LOST = "The connection to the database was lost";

/** `happened`: the cause, as the beginning of a sentence. */
export class OutcomeUnknown extends AppError {
  constructor(retryAfterSeconds: number, cause: unknown, happened = LOST) {
    super(
      "UNAVAILABLE",
      `${happened} at the last moment: it is not known whether this was stored. ` +
        "Read the record, or send the request again with the same Idempotency-Key.",
      { retryAfterSeconds, cause },
    );
  }
}
