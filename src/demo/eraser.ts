// Erasure of a call in the demo's webhook receiver; the rest is erased with its event (see 0028_demo.sql).
import type { Eraser } from "../db/eraser.ts";
import { deleteReceivedAbout } from "./received-store.ts";

export const receivedEraser: Eraser = {
  tables: ["demo_received"],
  eraseCall: (tx, callId) => deleteReceivedAbout(tx, callId),
};
