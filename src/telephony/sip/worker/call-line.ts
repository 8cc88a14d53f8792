// The line as its agent uses it: playback, keys, transfer and hang-up. Requests after the end of the call have no
// effect.
import type { Clock } from "../../../core/clock.ts";
import type { ConsultEnd, Line, Sound, TransferEnd } from "../../port.ts";
import type { AudioStream } from "../../rtp/audio-stream.ts";
import { playableOf } from "../../rtp/playable.ts";
import type { TransferProgress } from "../call/user-agent-port.ts";

export interface CallLine extends Line {
  transferProgress(progress: TransferProgress): void;
  readonly isTransferring: boolean;
  /** Stops playback for good. */
  close(): void;
  /**
   * Reports the positions of cut-off sounds to the agent. Called together with its end, so that the agent does not
   * continue.
   */
  tellCutOff(): void;
  /** A pending transfer counts as failed. */
  forgetTransfer(): void;
}

export interface CallLineOptions {
  clock: Clock;
  stream: AudioStream;
  /** Wraps every callback into the agent. */
  guard: (action: () => void) => void;
  record: (isOn: boolean) => void;
  refer: (target: string) => void;
  consult: (target: string, announcement: Sound | null) => Promise<ConsultEnd>;
  hangUp: () => void;
}

const SILENCE = new Int16Array(0);

export function createCallLine({ clock, stream, guard, record, refer, consult, hangUp }: CallLineOptions): CallLine {
  let isClosed = false;
  const untold: (() => void)[] = [];
  let settleTransfer: ((end: TransferEnd) => void) | null = null;

  function transferEnded(end: TransferEnd): void {
    settleTransfer?.(end);
    settleTransfer = null;
  }

  return {
    play({ samples }, onEnd) {
      if (isClosed) return () => 0;
      // Words without samples are silent on a real line.
      const ended = (isWhole: boolean, playedMs: number) => {
        const tell = () => guard(() => onEnd({ isWhole, playedMs }));
        if (isClosed) untold.push(tell);
        else tell();
      };
      return stream.play(playableOf(samples ?? SILENCE), ended);
    },
    press(keys) {
      if (!isClosed) stream.sendDtmf(keys);
    },
    stopPlaying() {
      if (!isClosed) stream.stopPlaying();
    },
    pausePlaying() {
      if (!isClosed) stream.pausePlaying();
    },
    resumePlaying() {
      if (!isClosed) stream.resumePlaying();
    },
    record(isOn) {
      if (!isClosed) record(isOn);
    },
    async transfer(target) {
      if (isClosed) return "refused";
      transferEnded("refused");
      return new Promise((resolve) => {
        settleTransfer = resolve;
        refer(target);
      });
    },
    consult: async (target, announcement) => (isClosed ? "refused" : consult(target, announcement)),
    // Deferred: the agent may be in the middle of a call, and gets `ended` before media is closed.
    hangUp: () => void clock.after(0, hangUp),
    get isTransferring() {
      return settleTransfer !== null;
    },
    transferProgress({ state }) {
      if (state === "answered") transferEnded("answered");
      else if (state === "taken") transferEnded("handed_over");
      // The exchange has already taken the other side away, so the agent cannot tell them.
      else if (state === "refused") transferEnded(isClosed ? "gone" : "refused");
    },
    close() {
      isClosed = true;
      stream.stopPlaying();
    },
    tellCutOff() {
      for (const tell of untold.splice(0)) tell();
    },
    forgetTransfer: () => transferEnded("refused"),
  };
}
