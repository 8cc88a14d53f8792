// Result of a call, from its ending on the wire and our own actions. Pure functions.
import type { Failure, LineEnd } from "../../port.ts";
import type { Recorded } from "../../rtp/recorder.ts";
import type { CallEnding } from "../call/user-agent-port.ts";

/** Why we ended it, if we did. `hungUp` is the normal case: the agent was done, or a hang-up was requested. */
export type OwnCause = "hungUp" | "stopped" | "agentFailed" | "noMedia" | "notBegun" | "audioLost";

export interface CallFacts {
  ending: CallEnding;
  cause: OwnCause | null;
  isAnswered: boolean;
  /** From the answer to the end of the audio. */
  talkedSeconds: number;
  /** Null if the agent failed, or was never asked. */
  talk: { talk: unknown } | null;
  recording: Recorded;
}

const NOT_ANSWERED = { code: "interrupted", message: "The call was hung up before it was answered." } as const;

type Reason = Pick<Failure, "code" | "message" | "putBack">;

const BROKEN_OFF: Record<Exclude<OwnCause, "hungUp">, Reason> = {
  stopped: { code: "interrupted", message: "The service was stopped during the call." },
  agentFailed: { code: "infrastructure_error", message: "The agent failed, and the call was hung up." },
  audioLost: {
    code: "infrastructure_error",
    message: "The other side's audio stopped in the middle of the call, and the call was hung up.",
  },
  notBegun: { code: "infrastructure_error", message: "The call could not be begun. The log says why." },
  noMedia: {
    code: "infrastructure_error",
    message: "No audio port was free. Widen telephony.sip.rtp_port_from and rtp_port_to.",
    putBack: true,
  },
};

export function callEndOf({ ending, cause, isAnswered, talkedSeconds, talk, recording }: CallFacts): LineEnd {
  const durationSeconds = isAnswered ? talkedSeconds : 0;
  const failed = ({ code, message, putBack }: Reason): Failure => ({
    kind: "failed",
    code,
    message,
    ...(putBack && { putBack }),
    ...(isAnswered && { durationSeconds, recorded: recording.recorded, ...talk }),
  });
  if (cause !== null && cause !== "hungUp") return failed(BROKEN_OFF[cause]);
  if (!isAnswered) return failed(cause ? NOT_ANSWERED : { ...ending, code: ending.outcome ?? "no_answer" });
  // Once we have hung up, the conversation is complete, whether or not the peer confirms it before we stop.
  if (ending.outcome !== null && cause === null) return failed({ ...ending, code: ending.outcome });
  if (!talk) return failed(BROKEN_OFF.agentFailed);
  return { kind: "completed", ...talk, durationSeconds, recorded: recording.recorded };
}
