// What is forgotten with a call here: the answers kept for requests that may come twice.
import type { Eraser } from "../db/eraser.ts";
import { deleteResponsesAbout } from "./idempotency-store.ts";

export const responsesEraser: Eraser = { tables: ["idempotency_keys"], eraseCall: deleteResponsesAbout };
