// Write lane of claims and reports. Both read and write the newest calls and the queues, so on PostgreSQL concurrent
// ones would mostly hit serialization failures. The transactions stay SERIALIZABLE: the lane only saves retries,
// correctness does not depend on it.
import type { WriteOptions } from "../../db/port.ts";

export const CALL_LANE: WriteOptions = { lane: "calls" };
