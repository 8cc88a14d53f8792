// What the calls themselves are erased by: the call, what was said, and what its line was like.
import type { Eraser } from "../db/eraser.ts";
import { deleteCallTraces } from "./life/erasure-store.ts";

export const callsEraser: Eraser = {
  tables: ["calls", "call_results", "pending_analyses", "call_lines", "call_legs"],
  eraseCall: deleteCallTraces,
};
