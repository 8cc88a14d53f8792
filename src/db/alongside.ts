// What commits with an act: the service runs it inside its own transaction, with what will be answered.
import type { Tx } from "./tables.ts";

export type Alongside<Data> = (tx: Tx, data: Data) => Promise<void>;
