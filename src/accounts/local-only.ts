// What only people with a password of their own have.
import { AppError } from "../core/errors.ts";
import type { Executor } from "../db/tables.ts";
import { directoryPersonOf } from "./directory-store.ts";

/** Throws for people who come from a directory. */
export async function assertLocal(executor: Executor, personId: string): Promise<void> {
  if (await directoryPersonOf(executor, personId))
    throw new AppError(
      "CONFLICT",
      "This account comes from the hospital's directory. Its password, role and address are changed there.",
    );
}
