// Line, calendar and voice for an agent under test. Their actions are recorded as one list, in order.
import { createLogger } from "../../src/core/logger.ts";
import type { RecordedKind } from "../../src/payloads/recorded-words.ts";
import { createFencedAgent } from "../../src/telephony/fenced-agent.ts";
import type { ConsultEnd, Line, Sound, TransferEnd } from "../../src/telephony/port.ts";
import type { Pace } from "../../src/speech/tts/pace.ts";
import type { Ears } from "../../src/speech/ears/port.ts";
import { createTalkingAgent } from "../../src/voice/talking/talking.ts";
import type { BookingDesk, KnownAppointment, SlotOffer } from "../../src/calendar/desk-port.ts";
import type { Agent, AgentBrief, AgentTools, TalkResult } from "../../src/voice/port.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createStageLine } from "./stage-line.ts";

export const APPOINTMENT: KnownAppointment = { date: "2026-05-05", startTime: "10:30" };
export const OFFERS: SlotOffer[] = [
  { label: "A", date: "2026-05-06", startTime: "09:00", endTime: "09:30" },
  { label: "B", date: "2026-05-07", startTime: "17:15", endTime: "17:45" },
];

export interface StageOptions {
  brief?: Partial<AgentBrief>;
  desk?: Partial<BookingDesk> | null;
  recorded?: readonly RecordedKind[];
  /** Null: the language is not supported. */
  voice?: ((text: string, language?: string) => Promise<Sound | null>) | null;
  /** Clauses of a phrase; one by default. */
  clausesOf?: (text: string) => string[];
  transfer?: () => Promise<TransferEnd>;
  consult?: () => Promise<ConsultEnd>;
  /** Duration of storing an agreement; immediate by default. */
  agree?: () => Promise<void>;
  /** Replaces the real agent. */
  createAgent?: typeof createTalkingAgent;
  /** Without ears the call uses keys. */
  ears?: Ears;
  /** A line that never reports the end of a sound. */
  isDeaf?: boolean;
}

/** Every sound of this stage lasts two seconds. */
export const SOUND_MS = 2_000;

/** The samples do not matter: the line uses the length. */
export const soundOf = (lengthMs: number, words = ""): Sound => ({ samples: null, lengthMs, words });

export function setStage(options: StageOptions = {}) {
  const createAgent = options.createAgent ?? createTalkingAgent;
  const clock = createManualClock();
  const happened: string[] = [];
  const logLines: string[] = [];
  const asked = (what: string): void => void happened.push(`desk: ${what}`);
  const recordings = new Map((options.recorded ?? []).map((kind) => [kind, new Int16Array(SOUND_MS * 8)]));
  const nameOf = ({ samples, words }: Sound): string => {
    const kind = [...recordings].find(([, each]) => each === samples)?.[0];
    return kind === undefined ? words : `[${kind}]`;
  };

  const sounds: Sound[] = [];
  const sounding = createStageLine(clock);
  let isPaused = false;
  /** Longest playback per sound, by name. */
  const playedShares = () =>
    new Map([...sounding.played()].map(([sound, playedMs]) => [nameOf(sound), playedMs / sound.lengthMs]));
  const line: Line = {
    play(sound, onEnd) {
      sounds.push(sound);
      happened.push(`play ${nameOf(sound)}`);
      return sounding.play(sound, options.isDeaf ? () => {} : onEnd);
    },
    stopPlaying() {
      happened.push("stop");
      sounding.stop();
      if (isPaused) sounding.resume();
      isPaused = false;
    },
    pausePlaying() {
      happened.push("pause");
      isPaused = true;
      sounding.hold();
    },
    resumePlaying() {
      happened.push("resume");
      isPaused = false;
      sounding.resume();
    },
    press: (keys) => void happened.push(`press ${keys}`),
    record: (isOn) => void happened.push(isOn ? "record" : "stop recording"),
    transfer(target) {
      happened.push(`transfer ${target}`);
      return options.transfer ? options.transfer() : Promise.resolve("answered");
    },
    consult(target) {
      happened.push(`consult ${target}`);
      return options.consult ? options.consult() : Promise.resolve("joined");
    },
    hangUp: () => void happened.push("hang up"),
  };

  const given = options.desk === undefined ? {} : options.desk;
  const desk: BookingDesk | null = given && {
    canBook: given.canBook ?? true,
    canWait: given.canWait ?? false,
    hasPlace: given.hasPlace ?? false,
    wait: () => (asked("wait"), Promise.resolve(true)),
    decline: (stays) => (asked(stays ? "stay" : "leave"), Promise.resolve(true)),
    appointment: given.appointment ?? (() => Promise.resolve(APPOINTMENT)),
    confirm: () => (asked("confirm"), given.confirm ? given.confirm() : Promise.resolve(true)),
    cancel: () => Promise.resolve(true),
    requestChange: () => (asked("change"), given.requestChange ? given.requestChange() : Promise.resolve(true)),
    offer: (most) => (asked(`offer ${most}`), given.offer ? given.offer(most) : Promise.resolve(OFFERS)),
    book: (label) => (
      asked(`book ${label}`),
      given.book ? given.book(label) : Promise.resolve(OFFERS.find((offer) => offer.label === label) ?? null)
    ),
    undo: () => (
      asked("undo"),
      given.undo ? given.undo() : Promise.resolve({ isDone: true, appointment: APPOINTMENT })
    ),
  };

  const spoken: string[] = [];
  async function speak(text: string, pace: Pace = "usual", language?: string): Promise<Sound | null> {
    spoken.push(pace === "slow" ? `slowly: ${text}` : text);
    if (options.voice === null) return null;
    const sound = options.voice ? await options.voice(text, language) : soundOf(SOUND_MS);
    return sound && { ...sound, words: text };
  }
  const tools: AgentTools = {
    recorded: (kind) => recordings.get(kind) ?? null,
    say(text, pace, language) {
      const clauses = options.clausesOf?.(text) ?? [text];
      return {
        next: async () => (clauses.length > 0 ? speak(clauses.shift() ?? "", pace, language) : null),
        cancel: () => void clauses.splice(0),
      };
    },
    ears: options.ears ?? null,
    desk,
    agree(agreed) {
      happened.push(`agree ${JSON.stringify(agreed)}`);
      return options.agree ? options.agree() : Promise.resolve();
    },
  };
  const brief: AgentBrief = {
    agentName: "Asha",
    language: "en-IN",
    voice: "warm",
    prompt: "Remind them of their visit.",
    greeting: "Hello, this is City Hospital.",
    contactName: "Ravi",
    timeZone: "Asia/Kolkata",
    additionalInfo: {},
    transferTo: "+912200001111",
    direction: "outbound",
    desk: desk && { canBook: desk.canBook },
    ...options.brief,
  };
  // Behind its fence, as on a real line.
  const fence = createFencedAgent({
    callId: "call-1",
    clock,
    logger: createLogger(clock, "debug", (text) => void logLines.push(text)),
    brief,
    clip: () => null,
    ask: () => Promise.reject(new Error("The desk of this stage is asked directly.")),
    createCallAgent: ({ clock, logger, start }) => createAgent({ clock, logger, brief, tools, start }),
    failed: () => void happened.push("hang up"),
  });
  const agent: Pick<Agent, "answered" | "keyPressed" | "heardWords" | "ended"> &
    Pick<typeof fence, "heardFrame" | "lastWords"> = {
    ...fence,
    ended(by) {
      const left = fence.ended(by);
      if (!left) throw new Error("The agent failed.");
      return left.talk as TalkResult;
    },
  };

  return {
    clock,
    agent,
    line,
    happened,
    played: (): readonly Sound[] => sounds,
    spoken,
    logLines,
    /** Played phrases only. */
    heard: () => happened.filter((what) => what.startsWith("play ")).map((what) => what.slice(5)),
    hold: () => sounding.hold(),
    resume: () => sounding.resume(),
    /** Notifies the agent like a real line. */
    holdsUs(isHeld: boolean) {
      if (isHeld) sounding.hold();
      else sounding.resume();
      fence.held(isHeld);
    },
    playedShares,
    count: (what: string) => happened.filter((each) => each === what).length,
    async answer() {
      await clock.advance(0);
      agent.answered(line);
      await clock.advance(0);
    },
    async press(key: string) {
      agent.keyPressed(key);
      await clock.advance(0);
    },
    async hear(words: string) {
      agent.heardWords(words);
      await clock.advance(0);
    },
  };
}
