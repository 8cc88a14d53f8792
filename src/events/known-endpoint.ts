// Finds an endpoint of this organisation, or throws.
import { AppError } from "../core/errors.ts";
import type { Executor } from "../db/tables.ts";
import { endpointOf } from "./endpoint-store.ts";
import type { Endpoint } from "./records.ts";

export async function knownEndpoint(executor: Executor, organisationId: string, id: string): Promise<Endpoint> {
  const row = await endpointOf(executor, organisationId, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no webhook endpoint with this id.");
  return row;
}
