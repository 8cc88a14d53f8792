// The lossy network in its own thread: the patients' thread blocks during recognition, and packets must not wait for
// it.
import { lossyRelay, type LossyRelayOptions } from "./lossy-relay.ts";

declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<LossyRelayOptions>) => {
  void lossyRelay(data).then(() => self.postMessage("ready", []));
});
