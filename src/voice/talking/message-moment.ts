// When a machine takes our message: after its beep. Some never beep, or we did not hear it; then once it has fallen silent.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { TalkAction, TalkState } from "../conversation/model.ts";

/** Machines beep within two seconds of their last word. */
const SILENT_MS = 2.5 * SECOND_MS;
/** The longest greeting that is waited for; what it records of us then is its own affair. */
const LONGEST_MS = 20 * SECOND_MS;
const LOOK_EVERY_MS = 250;

/** Whether what is being said is our message for a machine. */
export const isForMachine = ({ stage, outcome }: TalkState): boolean =>
  stage === "telling" && outcome === "machine_answered";

export interface MessageMoment {
  beeped(): void;
  /** Resolves when it is time to speak. */
  comes(): Promise<void>;
  /** The message is being said. */
  says(message: TalkAction): void;
  /** What was said before a beep is in no message, so it is said again, once; null where it is not. */
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
