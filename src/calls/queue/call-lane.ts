// The lane of claims and reports. Both read and write the newest calls and the queues, so on PostgreSQL two of them at
// once would mostly fail each other. The transactions stay SERIALIZABLE: the lane saves retries, it keeps nothing
// right.
import type { WriteOptions } from "../../db/port.ts";

export const CALL_LANE: WriteOptions = { lane: "calls" };
