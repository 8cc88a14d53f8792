// Prints the progress of a long copy to stderr: each new step at once, then one line every few seconds.
import { monotonicMs } from "../core/clock.ts";
import { megabytes } from "../db/archive/archive-file.ts";
import { printError } from "./output.ts";

const EVERY_MS = 5_000;

export function progressLines(): (step: string, doneBytes: number, totalBytes: number) => void {
  let present = "";
  let saidAtMs = monotonicMs();
  return (step, doneBytes, totalBytes) => {
    const nowMs = monotonicMs();
    if (step !== present) printError(`${step} …`);
    else if (nowMs - saidAtMs < EVERY_MS) return;
    else printError(`${step}: ${megabytes(doneBytes)}${totalBytes > 0 ? ` of ${megabytes(totalBytes)}` : ""}`);
    present = step;
    saidAtMs = nowMs;
  };
}
