// Check before starting a thread. The runtime aborts the whole process if a new thread finds no file descriptor for its
// event loop.
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** A thread needs three at its start; the rest is a margin for files opened at the same moment. */
const DESCRIPTORS = 16;

/** Throws if too few are free. */
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
