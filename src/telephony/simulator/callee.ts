// Simulated callees: what they do at the answer, and what they say or press when the agent has finished speaking.
export type Act = { do: "press"; key: string } | { do: "say"; words: string } | { do: "hangUp" };

export interface Callee {
  /** At the answer, without waiting for the agent. */
  atAnswer: { afterSeconds: number; act: Act } | null;
  /** Null: keeps listening. `heard` is everything that the agent has said since the callee's last act. */
  reactTo(heard: string): Act | null;
  /** Result of a transfer. */
  transferIs: "answered" | "refused";
}

/** The first match wins. */
type Wish = readonly [heard: RegExp, act: (heard: RegExpExecArray) => Act];

const says = (heard: RegExp, words: string): Wish => [heard, () => ({ do: "say", words })];
/** Presses the key that the agent named, captured by the expression; or always this key. */
const presses = (heard: RegExp, key?: string): Wish => [
  heard,
  ([, named = ""]) => ({ do: "press", key: key ?? named }),
];

/** Agrees to the recording. */
const RECORDED: readonly Wish[] = [
  presses(/May we record this call\? Press (\d)/),
  says(/May we record this call\?$/, "Yes."),
];

const listening = (...wishes: Wish[]): Callee => ({
  transferIs: "answered",
  atAnswer: null,
  reactTo: (heard) => firstOf([...RECORDED, ...wishes], heard),
});

function firstOf(wishes: readonly Wish[], heard: string): Act | null {
  for (const [pattern, act] of wishes) {
    const found = pattern.exec(heard);
    if (found) return act(found);
  }
  return null;
}

const atOnce = (afterSeconds: number, act: Act): Callee => ({
  transferIs: "answered",
  atAnswer: { afterSeconds, act },
  reactTo: () => null,
});

const isThem = says(/Am I speaking with|Do you have a moment/, "Yes, speaking.");
const isThemByKey = presses(/If I am speaking with .*, press 1|Press 1 if you have a moment/, "1");

/** By their intent. The outcome depends on the agent and the calendar. */
export const CALLEES = {
  // Takes the first time offered, books if possible, and otherwise says yes.
  agreeable: listening(
    isThemByKey,
    presses(/Press (\d) for \w+day/),
    presses(/Press (\d) to book/),
    presses(/Press 1\b/, "1"),
    says(/Which one suits you\?/, "The first one, please."),
    says(/Would you like (?:to book|it\?)|Shall I put you on the waiting list\?/, "Yes, please."),
    says(/Will you come\?/, "Yes, I will come."),
    says(/Shall I book it\?|Is that right\?|Was that a yes\?/, "Yes."),
    isThem,
  ),
  notInterested: listening(
    isThemByKey,
    presses(/to book an appointment\. Press (\d) if not/),
    presses(/Press (\d) if you do not want/),
    says(/Am I speaking with|Do you have a moment|Would you like/, "I am not interested, thank you."),
  ),
  busyNow: listening(
    presses(/Press (\d) to be called/),
    says(/Is that right\?/, "Yes, that is right."),
    says(/When shall we call you again\?/, "In half an hour."),
    says(
      /Am I speaking with|Do you have a moment|Would you like|Will you come/,
      "I am busy now. Please call me later.",
    ),
  ),
  wantsPeace: listening(
    presses(/Press (\d) if you do not want/),
    says(/Am I speaking with|Do you have a moment|Would you like/, "Please do not call me again."),
  ),
  wantsPerson: listening(
    presses(/Press (\d) to speak to a person/),
    says(
      /Am I speaking with|Do you have a moment|Would you like|Will you come/,
      "I want to speak to a person, please.",
    ),
  ),
  inHurry: atOnce(2, { do: "hangUp" }),
  voicemail: atOnce(1, {
    do: "say",
    words: "The person you have called cannot come to the telephone. Please leave a message after the tone.",
  }),
} as const satisfies Record<string, Callee>;

/**
 * Agrees to the recording, and says these lines, one after each turn of the agent, and then nothing more. Stateful: one
 * callee per call.
 */
export function sayingLines(lines: readonly string[]): Callee {
  let said = 0;
  return {
    transferIs: "answered",
    atAnswer: null,
    reactTo(heard) {
      const agreement = firstOf(RECORDED, heard);
      if (agreement) return agreement;
      const words = lines[said++];
      return words === undefined ? null : { do: "say", words };
    },
  };
}
