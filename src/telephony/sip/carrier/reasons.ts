// Reasons why our side ended a call, or never started it.
import type { Failure } from "../../port.ts";

export type Reason = Pick<Failure, "code" | "message" | "putBack">;

export const NOT_TAKEN_UP: Reason = { code: "interrupted", message: "The call was hung up before it was answered." };
export const STOPPED: Reason = { code: "interrupted", message: "The service was stopped during the call." };
export const WORKER_DIED: Reason = {
  code: "interrupted",
  message: "The telephony part of the appliance failed during the call.",
};
export const NO_TRUNK: Reason = {
  code: "infrastructure_error",
  message: "The phone number has no trunk. Give it one.",
  putBack: true,
};
export const NO_WORKER: Reason = {
  code: "infrastructure_error",
  message: "SIP is not running. Its log says why.",
  putBack: true,
};
