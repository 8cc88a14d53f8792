// A line, a calendar and a voice for an agent under test. What they do is told as one list of lines, in order.
import { createLogger } from "../../../src/core/logger.ts";
import { createKeypadAgent } from "../../../src/voice/keypad/keypad.ts";
import type { AgentBrief, Line, TransferEnd } from "../../../src/voice/port.ts";
import { createStageLine } from "./stage-line.ts";
import type { BookingDesk, KnownAppointment, SlotOffer } from "../../../src/telephony/port.ts";
import type { PromptKind } from "../../../src/db/tables.ts";
import { createManualClock } from "../../support/manual-clock.ts";

export const APPOINTMENT: KnownAppointment = { date: "2026-05-05", startTime: "10:30" };
export const OFFERS: SlotOffer[] = [
  { label: "A", date: "2026-05-06", startTime: "09:00", endTime: "09:30" },
  { label: "B", date: "2026-05-07", startTime: "17:15", endTime: "17:45" },
];

export interface StageOptions {
  brief?: Partial<AgentBrief>;
  desk?: Partial<BookingDesk> | null;
  recorded?: readonly PromptKind[];
  /** Null: it has not the language. */
  voice?: ((text: string) => Promise<Int16Array | null>) | null;
  transfer?: () => Promise<TransferEnd>;
  /** A line that never says that a sound has ended. */
  isDeaf?: boolean;
}

/** Every sound of this stage lasts two seconds. */
export const SOUND_MS = 2_000;
const samples = () => new Int16Array(SOUND_MS * 8).fill(1_000);

export function setStage(options: StageOptions = {}) {
  const clock = createManualClock();
  const happened: string[] = [];
  const logLines: string[] = [];
  const asked = (what: string): void => void happened.push(`desk: ${what}`);
  const soundNames = new Map<Int16Array, string>();

  const named = (name: string): Int16Array => {
    const sound = samples();
    soundNames.set(sound, name);
    return sound;
  };
  const recordings = new Map((options.recorded ?? []).map((kind) => [kind, named(`[${kind}]`)]));

  const sounding = createStageLine(clock);
  /** How much of each was played at most, by its name. */
  const playedShares = () =>
    new Map(
      [...sounding.played()].map(([sound, playedMs]) => [soundNames.get(sound) ?? "?", (playedMs * 8) / sound.length]),
    );
  const line: Line = {
    play(sound, onEnd) {
      happened.push(`play ${soundNames.get(sound) ?? "?"}`);
      return sounding.play(sound, options.isDeaf ? () => {} : onEnd);
    },
    stopPlaying() {
      happened.push("stop");
      sounding.stop();
    },
    transfer(target) {
      happened.push(`transfer ${target}`);
      return options.transfer ? options.transfer() : Promise.resolve("answered");
    },
    hangUp: () => void happened.push("hang up"),
  };

  const given = options.desk === undefined ? {} : options.desk;
  const desk: BookingDesk | null = given && {
    canBook: given.canBook ?? true,
    appointment: given.appointment ?? (() => Promise.resolve(APPOINTMENT)),
    confirm: () => (asked("confirm"), given.confirm ? given.confirm() : Promise.resolve(true)),
    requestChange: () => (asked("change"), given.requestChange ? given.requestChange() : Promise.resolve(true)),
    offer: (most) => (asked(`offer ${most}`), given.offer ? given.offer(most) : Promise.resolve(OFFERS)),
    book: (label) => (
      asked(`book ${label}`),
      given.book ? given.book(label) : Promise.resolve(OFFERS.find((offer) => offer.label === label) ?? null)
    ),
  };

  const spoken: string[] = [];
  const agent = createKeypadAgent({
    clock,
    logger: createLogger(clock, "debug", (text) => void logLines.push(text)),
    brief: {
      agentName: "Asha",
      language: "en-IN",
      greeting: "Hello, this is City Hospital.",
      contactName: "Ravi",
      transferTo: "+912200001111",
      direction: "outbound",
      ...options.brief,
    },
    tools: {
      recorded: (kind) => recordings.get(kind) ?? null,
      async speak(text) {
        spoken.push(text);
        if (options.voice === null) return null;
        const sound = options.voice ? await options.voice(text) : samples();
        if (sound) soundNames.set(sound, text);
        return sound;
      },
      desk,
    },
  });

  return {
    clock,
    agent,
    line,
    happened,
    spoken,
    logLines,
    /** What was played, without the rest. */
    heard: () => happened.filter((what) => what.startsWith("play ")).map((what) => what.slice(5)),
    hold: () => sounding.hold(),
    resume: () => sounding.resume(),
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
  };
}
