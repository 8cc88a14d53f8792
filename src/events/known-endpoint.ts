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

/** Why the endpoint of a source is disabled by the source's settings. */
export const NOT_TOLD = "The source is not told over HL7.";

/** While it is disabled for another reason, what it is told waits. */
export const isTold = ({ enabled, disabled_reason }: Pick<Endpoint, "enabled" | "disabled_reason">): boolean =>
  enabled || disabled_reason !== NOT_TOLD;

/** What a source is told is decided in the source's settings alone. */
export function assertWebhook({ kind }: Pick<Endpoint, "kind">): void {
  if (kind !== "webhook") throw ofSource();
}

export function assertTold(endpoint: Endpoint): void {
  if (!isTold(endpoint)) throw ofSource();
}

function ofSource(): AppError {
  return new AppError("CONFLICT", "This endpoint belongs to a source. Change how the source is told in its settings.");
}
