// Row types of the demo's history and received deliveries.
import { flag, json, meanings, type Meant } from "../db/meaning.ts";

export const historyMeaning = meanings<"demo_history">()({ is_whole: flag });
export type DemoHistory = Meant<typeof historyMeaning>;

export const receivedMeaning = meanings<"demo_received">()({ headers: json<[name: string, value: string][]>() });
export type DemoReceived = Meant<typeof receivedMeaning>;
