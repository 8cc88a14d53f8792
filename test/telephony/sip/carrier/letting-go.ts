// Loaded into a worker before its own code: leaves a rejected promise unhandled, or throws, on command.
import type { ToWorker } from "../../../../src/telephony/sip/carrier/protocol.ts";

declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<ToWorker | { type: "letGo" | "throw" }>) => {
  if (data.type === "throw") throw new TypeError("Meera's number is +919810012345");
  if (data.type === "letGo") void Promise.reject(new TypeError("Meera's number is +919810012345"));
});
