// One answered call on the simulated line: the agent is the real one; the callee follows a script of words and keys.
import { SECOND_MS } from "../../core/clock.ts";
import type { Line } from "../port.ts";
import type { FencedAgent } from "../fenced-agent.ts";
import type { Act, Callee } from "./callee.ts";
import { spokenMs } from "../../audio/speaking-pace.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import { SoundQueue } from "./sound-queue.ts";

/** Time that people take to find the key, once the agent has finished. */
const REACTION_MS = 1.5 * SECOND_MS;
const TRANSFER_MS = 3 * SECOND_MS;
const JOINED_MS = 20 * SECOND_MS;

export interface SimulatedCall {
  /** Simulated seconds since the answer. */
  seconds(): number;
  /** Whether the agent had the recording on, if only for a moment. */
  readonly wasRecorded: boolean;
  /** Stops all playback and actions. */
  close(): void;
}

export function startSimulatedCall(options: {
  clock: SimulatedClock;
  callee: Callee;
  agent: FencedAgent;
  /** One side hung up. */
  over: (by: "us" | "peer") => void;
}): SimulatedCall {
  const { clock, callee, agent, over } = options;
  const answeredAtMs = clock.elapsedMs();
  let cancelReaction = (): void => {};
  let heard = "";
  let wasRecorded = false;

  const sounds = new SoundQueue({
    clock,
    guard: agent.guard,
    played: ({ words }) => (heard += ` ${words}`),
    turned(isSilent) {
      cancelReaction();
      if (isSilent) cancelReaction = clock.after(REACTION_MS, react);
    },
  });

  function react(): void {
    const act = callee.reactTo(heard);
    if (act) perform(act);
  }

  function perform(act: Act): void {
    heard = "";
    if (act.do === "press") agent.keyPressed(act.key);
    else if (act.do === "say") say(act.words);
    else over("peer");
  }

  /** The agent gets the words once they are spoken. */
  function say(words: string): void {
    clock.after(spokenMs(words), () => {
      if (!sounds.isClosed) agent.heardWords(words);
    });
  }

  const line: Line = {
    play: (sound, onEnd) => sounds.play(sound, onEnd),
    stopPlaying: () => sounds.stop(),
    pausePlaying: () => sounds.pause(),
    resumePlaying: () => sounds.resume(),
    press() {},
    record(isOn) {
      wasRecorded ||= isOn && !sounds.isClosed;
    },
    transfer: () =>
      new Promise((resolve) => {
        clock.after(TRANSFER_MS, () => agent.guard(() => resolve(sounds.isClosed ? "refused" : callee.transferIs)));
      }),
    // The target answers or not, as with a transfer; the two talk for a while and hang up.
    consult: () =>
      new Promise((resolve) => {
        const isTaken = callee.transferIs === "answered";
        clock.after(TRANSFER_MS, () => {
          agent.guard(() => resolve(isTaken && !sounds.isClosed ? "joined" : "no_answer"));
          if (isTaken) clock.after(JOINED_MS, () => over("peer"));
        });
      }),
    // Deferred: the agent may be in the middle of a call.
    hangUp: () => void clock.after(0, () => over("us")),
  };

  if (callee.atAnswer) {
    const { afterSeconds, act } = callee.atAnswer;
    clock.after(afterSeconds * SECOND_MS, () => perform(act));
  }
  agent.answered(line);

  return {
    get wasRecorded() {
      return wasRecorded;
    },
    seconds: () => Math.round(clock.elapsedMs() - answeredAtMs) / SECOND_MS,
    close() {
      cancelReaction();
      sounds.close();
    },
  };
}
