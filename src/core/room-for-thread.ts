// Whether a thread can be had. The runtime ends the whole process where a new one finds no descriptor for its event
// loop.
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** A thread takes three at its start; the rest is for whoever opens one at the same moment. */
const DESCRIPTORS = 16;

/** Throws where there are too few. */
export function assertRoomForThread(): void {
  const open: number[] = [];
  try {
    while (open.length < DESCRIPTORS) open.push(openSync(devNull, "r"));
  } catch {
    throw new Error("Too many files are open to start a thread.");
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}
