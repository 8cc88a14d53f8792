// What the demo's own receiver was sent.
import type { Row } from "../db/tables.ts";

export type DemoReceived = Row<"demo_received">;
