// Ears of all calls of this thread: they buffer audio, send it to the detector in batches, and request recognition.
import type { Clock } from "../../core/clock.ts";
import type { Words } from "../asr/protocol.ts";
import type { Recognisers } from "../asr/recognisers.ts";
import type { Spotters } from "../spotter/spotters.ts";
import { createAlarmWatch } from "./alarm-watch.ts";
import { foregroundSound } from "./foreground-sound.ts";
import { createEarMemory, type EarMemory } from "./memory.ts";
import type { Ear, EarListener, Ears, OwnRecogniser } from "./port.ts";
import { FRAME_SAMPLES, type FromEarWorker, type ToEarWorker } from "./protocol.ts";

/** Calls send frames in four phases of 5 ms; two phases share a message. */
const GATHER_MS = 10;
/** A detector this late is useless to a call: it would notice a pause of 450 ms seconds later. */
const MOST_BEHIND_MS = 1_500;

const NO_WORDS = { text: "", confidence: 0 };

interface Open {
  listener: EarListener;
  memory: EarMemory;
}

export interface EarsClient {
  /** Connects the detector, or its replacement after a crash. Ears of the old one are lost. */
  connect(port: MessagePort): void;
  /** Null without a detector: a call starting now works by keypad. `own` replaces the built-in recogniser. */
  ears(own?: OwnRecogniser | null): Ears | null;
}

export interface EarsOptions {
  clock: Clock;
  recognisers: Recognisers;
  spotters: Spotters;
}

export function createEars({ clock, recognisers, spotters }: EarsOptions): EarsClient {
  const open = new Map<number, Open>();
  let way: MessagePort | null = null;
  let count = 0;
  let gathered: { ear: number; frame: Int16Array }[] = [];
  let closed: number[] = [];
  let isGathering = false;

  function gather(): void {
    if (isGathering) return;
    isGathering = true;
    clock.after(GATHER_MS, () => {
      isGathering = false;
      const samples = new Int16Array(gathered.length * FRAME_SAMPLES);
      for (const [at, { frame }] of gathered.entries()) samples.set(frame, at * FRAME_SAMPLES);
      const message: ToEarWorker = { ears: gathered.map(({ ear }) => ear), samples, closed };
      gathered = [];
      closed = [];
      way?.postMessage(message, [samples.buffer]);
    });
  }

  function heard({ ears, probabilities }: FromEarWorker): void {
    for (const [at, ear] of ears.entries()) {
      const call = open.get(ear);
      if (!call) continue;
      const probability = probabilities[at] ?? 0;
      call.memory.judge(probability);
      call.listener.voice(probability, call.memory.judgedMs);
    }
  }

  function lose(ear: number): void {
    const call = open.get(ear);
    close(ear);
    call?.listener.lost();
  }

  function close(ear: number): void {
    if (!open.delete(ear)) return;
    closed.push(ear);
    gather();
  }

  function openEar(listener: EarListener, own: OwnRecogniser | null): Ear {
    const ear = ++count;
    const memory = createEarMemory();
    const alarms = createAlarmWatch({ ear, memory, spotters, listener });
    open.set(ear, { listener, memory });
    return {
      hear(frame) {
        if (!open.has(ear)) return;
        memory.hear(frame);
        gathered.push({ ear, frame: frame.slice() });
        gather();
        if (memory.heardMs - memory.judgedMs > MOST_BEHIND_MS) lose(ear);
      },
      recognise(fromMs, toMs, gateDb = null) {
        const heard = memory.spokenBetween(fromMs, toMs);
        if (!heard) return Promise.resolve({ ...NO_WORDS, alarms: [] });
        const spoken = gateDb === null ? heard : foregroundSound(heard, gateDb);
        const builtIn = (sound: Int16Array<ArrayBuffer>) => recognisers.recognise(ear, sound);
        // The spotter hears the whole sound: a cry for help may come from farther away.
        return alarms.beside(wordsIn(spoken, builtIn, own), fromMs, toMs);
      },
      close: () => close(ear),
    };
  }

  return {
    connect(port) {
      way?.close();
      for (const ear of open.keys()) lose(ear);
      gathered = [];
      closed = [];
      way = port;
      port.addEventListener("message", ({ data }: MessageEvent<FromEarWorker>) => heard(data));
      port.start();
    },
    ears: (own = null) => (way ? { open: (listener) => openEar(listener, own) } : null),
  };
}

/** Null: there is no word in it. */
async function wordsIn(
  spoken: Int16Array<ArrayBuffer> | null,
  builtIn: (sound: Int16Array<ArrayBuffer>) => Promise<Words | null>,
  own: OwnRecogniser | null,
): Promise<Words | null> {
  if (!spoken) return NO_WORDS;
  if (!own) return builtIn(spoken);
  return own.recognise(spoken, async () => {
    const words = await builtIn(spoken);
    return words && { ...words, alarms: [] };
  });
}
