// A call led by a scripted model, on a manual clock, with all its results.
import type { Ears } from "../../../src/speech/ears/port.ts";
import type { LedOptions } from "../../../src/voice/model-led/lead.ts";
import type { BookingDesk } from "../../../src/calendar/desk-port.ts";
import type { AgentTools } from "../../../src/voice/port.ts";
import { createTalkingAgent } from "../../../src/voice/talking/talking.ts";
import { setStage, SOUND_MS, type StageOptions } from "../stage.ts";
import { scriptedChat, type ChatScript, type ScriptedChat } from "./scripted-chat.ts";

/** Words replace audio. */
const ears: Ears = { open: () => ({ hear() {}, recognise: () => new Promise(() => {}), close() {} }) };

const STEP_MS = 50;

export interface LedCallOptions extends StageOptions {
  led?: LedOptions;
  probe?: () => boolean;
  /** Replaces the stage's. */
  bookingDesk?: BookingDesk;
}

export function setLedCall(script: ChatScript, { led, probe, bookingDesk, ...options }: LedCallOptions = {}) {
  let chat: ScriptedChat | null = null;
  const cancelled: string[] = [];
  const agreed: Parameters<AgentTools["agree"]>[0][] = [];
  const stage = setStage({
    ears,
    ...options,
    createAgent: (given) => {
      chat = scriptedChat(given.clock, script, probe ? { probe } : {});
      const desk = bookingDesk ?? given.tools.desk;
      const tools: AgentTools = {
        ...given.tools,
        chat,
        desk: desk && {
          ...desk,
          cancel: () => {
            cancelled.push("cancel");
            return desk.cancel();
          },
        },
        agree: async (what) => {
          if (Object.keys(what).length > 0) agreed.push(what);
          await given.tools.agree(what);
        },
      };
      return createTalkingAgent({ ...given, tools, ...(led && { led }) });
    },
  });

  /** Transcript before the last wait. */
  let waited = 0;
  return {
    ...stage,
    cancelled,
    agreed,
    requests: () => chat?.requests ?? [],
    /** The current phrases play to their end, and the calendar answers. */
    async heardOut(lines = 4): Promise<void> {
      await stage.clock.advance(lines * SOUND_MS + 100);
    },
    /** Runs until the agent's question was played or it hung up. Returns the longest silence. */
    async untilTheirTurn(): Promise<number> {
      const before = waited;
      let plays = before;
      let speaksForMs = 0;
      let silentMs = 0;
      let longestMs = 0;
      for (let ms = 0; ms < 60_000 && !stage.happened.includes("hang up"); ms += STEP_MS) {
        await stage.clock.advance(STEP_MS);
        const now = stage.heard().length;
        speaksForMs = Math.max(0, speaksForMs - STEP_MS) + (now - plays) * SOUND_MS;
        plays = now;
        silentMs = speaksForMs > 0 ? 0 : silentMs + STEP_MS;
        longestMs = Math.max(longestMs, silentMs);
        if (now > before && silentMs > 0 && stage.heard().at(-1)?.endsWith("?")) break;
      }
      waited = plays;
      return longestMs;
    },
    /** Up to the attendance question. */
    async identified(): Promise<void> {
      await stage.answer();
      await stage.clock.advance(2 * SOUND_MS + 100);
      await stage.hear("Yes, speaking.");
      await stage.clock.advance(2 * SOUND_MS + 100);
      waited = stage.heard().length;
    },
  };
}

export type LedCall = ReturnType<typeof setLedCall>;
