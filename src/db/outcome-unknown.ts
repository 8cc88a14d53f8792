// Only a database on the other end of a wire can be lost so: a commit in a file of ours has happened, or it has not.
import { AppError } from "../core/errors.ts";

/** After the commit was sent nothing was heard any more. */
export class OutcomeUnknown extends AppError {
  constructor(retryAfterSeconds: number, cause: unknown) {
    super(
      "UNAVAILABLE",
      "The connection to the database was lost at the last moment: it is not known whether this was stored. " +
        "Look, or send it again with the same Idempotency-Key.",
      { retryAfterSeconds, cause },
    );
  }
}
