// A scripted callee: speaks and pauses frame by frame, and the recogniser returns the scripted words.
import type { Clock } from "../../../src/core/clock.ts";
import type { Ear, EarListener, Ears, Recognised } from "../../../src/speech/ears/port.ts";
import { createTalkingAgent } from "../../../src/voice/talking/talking.ts";
import { setStage, SOUND_MS, type StageOptions } from "../stage.ts";
import { wordsOf } from "../turns/turn-script.ts";

const FRAME_MS = 20;
const WINDOW_MS = 32;
/** Duration of built-in recognition. */
const RECOGNITION_MS = 220;

export type TalkingStage = ReturnType<typeof setTalkingStage>;

export interface TalkingStageOptions extends StageOptions {
  /** Result of recognition; takes the built-in recogniser's time by default. */
  recognise?: (words: Recognised | null, clock: Clock) => Promise<Recognised | null>;
}

export function setTalkingStage({ recognise: recognised, ...options }: TalkingStageOptions = {}) {
  let listener: EarListener | null = null;
  let isSpeaking = false;
  let lost = 0;
  let heardMs = 0;
  let judgedMs = 0;
  let next: Recognised | null = wordsOf("");
  let isRecognising = true;
  const asked: { fromMs: number; toMs: number }[] = [];
  let isClosed = false;
  const ear: Ear = {
    hear() {
      heardMs += FRAME_MS;
      for (; judgedMs + WINDOW_MS <= heardMs;) {
        judgedMs += WINDOW_MS;
        listener?.voice(isSpeaking ? 0.95 : 0.02, judgedMs);
      }
    },
    recognise(fromMs, toMs) {
      asked.push({ fromMs, toMs });
      const words = next;
      if (recognised) return recognised(words, stage.clock);
      return new Promise((resolve) => {
        if (isRecognising) stage.clock.after(RECOGNITION_MS, () => resolve(words));
      });
    },
    close() {
      isClosed = true;
    },
  };
  const ears: Ears = {
    open(newListener) {
      listener = newListener;
      return ear;
    },
  };
  const stage = setStage({ ears, createAgent: createTalkingAgent, ...options });
  /** As loud as callers at a telephone. */
  const frame = new Int16Array(160).fill(3_300);

  /** Advances time with one frame every 20 ms. */
  async function pass(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += FRAME_MS) {
      await stage.clock.advance(FRAME_MS);
      stage.agent.heardFrame(frame, lost);
      lost = 0;
    }
    await stage.clock.advance(0);
  }

  async function voice(ms: number): Promise<void> {
    isSpeaking = true;
    await pass(ms);
    isSpeaking = false;
  }

  return {
    ...stage,
    asked,
    pass,
    voice,
    isClosed: () => isClosed,
    /** Speaks and waits for the end of turn. */
    async says(text: string, { forMs = 500, thenMs = 500 } = {}): Promise<void> {
      next = wordsOf(text);
      await voice(forMs);
      await pass(thenMs);
    },
    /** Result for any further speech; null for a failure. */
    willHear(words: Recognised | string | null) {
      next = typeof words === "string" ? wordsOf(words) : words;
    },
    /** This many frames were lost, as reported by the next one. */
    /** Mean amplitude from now on. */
    isAsLoudAs(amplitude: number) {
      frame.fill(amplitude);
    },
    losesFrames(frames: number) {
      lost = frames;
    },
    recogniserHangs() {
      isRecognising = false;
    },
    loseEars: () => listener?.lost(),
    /** The spotter reports a match in earlier speech. */
    spots: (...phrases: string[]) => listener?.alarm(phrases, true),
    /** The spotter reports an uncertain match. */
    mayHaveSpotted: (...phrases: string[]) => listener?.alarm(phrases, false),
    /** The last phrase played. */
    last: () => stage.heard().at(-1),
  };
}

/** Runs until the agent has asked and listens. */
export async function heardOut(stage: TalkingStage, lines: number): Promise<void> {
  await stage.pass(lines * SOUND_MS + 100);
}

/** The call was answered and identity was asked. */
export async function answered(options: StageOptions = {}) {
  const stage = setTalkingStage(options);
  await stage.answer();
  await heardOut(stage, 2);
  return stage;
}
