// Decides when to leave a message on a machine: after its beep, or after a silence if no beep was detected.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { TalkAction, TalkState } from "../conversation/model.ts";

/** Machines beep within two seconds of their last word. */
const SILENT_MS = 2.5 * SECOND_MS;
/** Longest greeting to wait for; the message may be cut off after that. */
const LONGEST_MS = 20 * SECOND_MS;
const LOOK_EVERY_MS = 250;

/** Whether the agent is leaving a message on a machine. */
export const isForMachine = ({ stage, outcome }: TalkState): boolean =>
  stage === "telling" && outcome === "machine_answered";

export interface MessageMoment {
  beeped(): void;
  /** Resolves when the message can start. */
  comes(): Promise<void>;
  /** The message starts. */
  says(message: TalkAction): void;
  /** A message spoken before the beep was not recorded: returns it once for repetition, otherwise null. */
  again(): TalkAction | null;
}

export function createMessageMoment({ clock, quietForMs }: { clock: Clock; quietForMs: () => number }): MessageMoment {
  let hasBeeped = false;
  let said: TalkAction | null = null;
  let wasRepeated = false;
  return {
    beeped() {
      hasBeeped = true;
    },
    says(message) {
      said = message;
    },
    again() {
      const message = wasRepeated ? null : said;
      wasRepeated ||= message !== null;
      return message;
    },
    comes() {
      const from = clock.elapsedMs();
      return new Promise((resolve) => {
        const look = (): void => {
          const waitedMs = clock.elapsedMs() - from;
          const isSilent = Math.min(quietForMs(), waitedMs) >= SILENT_MS;
          if (hasBeeped || isSilent || waitedMs >= LONGEST_MS) resolve();
          else clock.after(LOOK_EVERY_MS, look);
        };
        look();
      });
    },
  };
}
