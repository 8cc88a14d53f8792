// The lossy network in a thread of its own: the patients' thread stands still while they listen and think, and no
// packet may wait for that.
import { lossyRelay, type LossyRelayOptions } from "./lossy-relay.ts";

declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<LossyRelayOptions>) => {
  void lossyRelay(data).then(() => self.postMessage("ready", []));
});
