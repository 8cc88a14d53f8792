// The SIP worker's entry: ties the phone to the messages of its thread, and nothing else.
import { systemClock } from "../../../core/clock.ts";
import { createIds } from "../../../core/ids.ts";
import { createKeypadAgent } from "../../../voice/keypad/keypad.ts";
import { raiseThreadPriority } from "./libc.ts";
import { createPhone } from "./phone.ts";
import type { FromWorker, ToWorker } from "../protocol.ts";

declare const self: Worker;

// Audio goes before requests and reports, where the system lets us.
raiseThreadPriority();

const phone = createPhone({
  clock: systemClock,
  ids: createIds(systemClock),
  createAgent: createKeypadAgent,
  send: (message: FromWorker) => self.postMessage(message, []),
});

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => phone.receive(data));
