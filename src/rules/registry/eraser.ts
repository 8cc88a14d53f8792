// Erasure of a person's registry result. It is not part of a call: it stays when a call is erased.
import type { Eraser } from "../../db/eraser.ts";
import { deleteResultOf } from "./registry-store.ts";

export const registryEraser: Eraser = {
  tables: [],
  async eraseCall() {},
  eraseContact: deleteResultOf,
};
