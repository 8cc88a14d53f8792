// Recording of one call: on once its notice was heard or the callee agreed, off for good once they want it off.
import { SECOND_MS } from "../../core/clock.ts";
import type { NoticeKind, RecordingMode, RecordingReport } from "../../payloads/lawful.ts";
import type { Line } from "../../telephony/port.ts";

export interface CallRecording {
  answered(line: Line): void;
  /** These notices were played to their end. */
  noticed(kinds: readonly NoticeKind[]): void;
  /** The callee's answer as it stands. */
  stands(consent: RecordingReport["consent"]): void;
  /** Another person joins the call, who was told nothing of a recording. */
  joined(): void;
  state(): { isOn: boolean; consent: RecordingReport["consent"] };
  /** Null if the agent does not control the recording. */
  report(): RecordingReport | null;
}

/** `nowMs`: since the answer. */
export function createCallRecording(mode: RecordingMode | undefined, nowMs: () => number): CallRecording {
  let line: Line | null = null;
  let consent: RecordingReport["consent"] = null;
  let from: number | null = null;
  let until: number | null = null;
  // Tenths of a second, like the transcript.
  const seconds = () => Math.max(0, Math.round(nowMs() / (SECOND_MS / 10)) / 10);

  function start(): void {
    if (!line || from !== null || consent === "withdrawn") return;
    from = seconds();
    line.record(true);
  }

  function stop(): void {
    if (from === null || until !== null) return;
    until = seconds();
    line?.record(false);
  }

  return {
    answered(newLine) {
      line = newLine;
    },
    noticed(kinds) {
      if (mode === "announce" && kinds.includes("recording")) start();
    },
    stands(now) {
      if (now === consent) return;
      consent = now;
      if (mode === "ask" && now === "given") start();
      if (now === "withdrawn") stop();
    },
    joined: stop,
    state: () => ({ isOn: from !== null && until === null, consent }),
    report: () => (mode === undefined ? null : { mode, consent, from, until }),
  };
}
