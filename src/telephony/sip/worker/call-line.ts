// The line as its agent sees it: plays, presses keys, transfers and hangs up. Deaf once the call is over, whatever is
// asked of it.
import type { Clock } from "../../../core/clock.ts";
import type { ConsultEnd, Line, Sound, TransferEnd } from "../../port.ts";
import type { AudioStream } from "../../rtp/audio-stream.ts";
import { playableOf } from "../../rtp/playable.ts";
import type { TransferProgress } from "../call/user-agent-port.ts";

export interface CallLine extends Line {
  transferProgress(progress: TransferProgress): void;
  readonly isTransferring: boolean;
  /** Silent from now on. */
  close(): void;
  /** The agent hears how far its sounds came. Together with its end, so that it does not go on for nobody. */
  tellCutOff(): void;
  /** What was not decided by now came to nothing. */
  forgetTransfer(): void;
}

export interface CallLineOptions {
  clock: Clock;
  stream: AudioStream;
  /** Around every call back into the agent. */
  guard: (action: () => void) => void;
  refer: (target: string) => void;
  consult: (target: string, announcement: Sound | null) => Promise<ConsultEnd>;
  hangUp: () => void;
}

const SILENCE = new Int16Array(0);

export function createCallLine({ clock, stream, guard, refer, consult, hangUp }: CallLineOptions): CallLine {
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
      // Words alone make no sound on a real line.
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
    async transfer(target) {
      if (isClosed) return "refused";
      transferEnded("refused");
      return new Promise((resolve) => {
        settleTransfer = resolve;
        refer(target);
      });
    },
    consult: async (target, announcement) => (isClosed ? "refused" : consult(target, announcement)),
    // A moment later: the agent may be in the middle of something, and hears `ended` before media is closed.
    hangUp: () => void clock.after(0, hangUp),
    get isTransferring() {
      return settleTransfer !== null;
    },
    transferProgress({ state }) {
      if (state === "answered") transferEnded("answered");
      else if (state === "taken") transferEnded("handed_over");
      // Nobody is there to be told so, where the exchange took them away before.
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
