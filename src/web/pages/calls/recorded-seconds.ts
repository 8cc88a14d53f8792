// Length of a recording that has not loaded yet. It may begin after the answer and end before the call.
import type { CallView } from "../../../calls/model.ts";

type Facts = Pick<CallView, "call_duration_seconds" | "recording">;

export function recordedSeconds({ call_duration_seconds: callSeconds, recording }: Facts): number {
  if (!recording) return callSeconds ?? 0;
  const { from, until } = recording;
  return from === null ? 0 : Math.max(0, (until ?? callSeconds ?? 0) - from);
}
