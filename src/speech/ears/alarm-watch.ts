// Looks for alarm phrases in what one call's words are recognised from, beside the recogniser. Words wait for no alarm; one that comes
// after them is told by itself.
import type { Words } from "../asr/protocol.ts";
import { isDenied } from "../spotter/denied.ts";
import type { Spotters } from "../spotter/spotters.ts";
import type { EarMemory } from "./memory.ts";
import type { EarListener, Recognised } from "./port.ts";

/** Somebody who goes on speaking is recognised again from their first word, but looked through only from here before the last pause. */
const OVERLAP_MS = 1_500;

export interface AlarmWatch {
  /** What is being recognised, with the alarms that were heard in the same sound by then. */
  beside(recognising: Promise<Words | null>, fromMs: number, toMs: number): Promise<Recognised | null>;
}

export interface AlarmWatchOptions {
  ear: number;
  memory: EarMemory;
  spotters: Spotters;
  listener: Pick<EarListener, "alarm">;
}

export function createAlarmWatch({ ear, memory, spotters, listener }: AlarmWatchOptions): AlarmWatch {
  let watchedToMs = 0;

  function spot(fromMs: number, toMs: number): Promise<readonly string[]> {
    const samples = memory.spokenBetween(Math.max(fromMs, watchedToMs - OVERLAP_MS), toMs);
    watchedToMs = toMs;
    return samples ? spotters.spot(ear, samples) : Promise.resolve([]);
  }

  return {
    async beside(recognising, fromMs, toMs) {
      let early: readonly string[] = [];
      let isEarly = true;
      let text = "";
      const meant = (alarms: readonly string[]) => alarms.filter((alarm) => !isDenied(text, alarm));
      void spot(fromMs, toMs).then((alarms) => {
        if (isEarly) early = alarms;
        else if (meant(alarms).length > 0) listener.alarm(meant(alarms));
      });
      const words = await recognising;
      isEarly = false;
      text = words?.text ?? "";
      const alarms = meant(early);
      if (!words && alarms.length === 0) return null;
      return { text, confidence: words?.confidence ?? 0, alarms };
    },
  };
}
