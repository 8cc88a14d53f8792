// Results of registry scrubs.
import type { Row } from "../../db/tables.ts";

export type RegistryResult = Row<"registry_results">;
