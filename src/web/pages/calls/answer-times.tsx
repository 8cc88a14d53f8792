// Response time of the agent per turn, as a waterfall from the end of the callee's speech to our first audio.
import type { TurnTimes } from "../../../payloads/turn-times.ts";
import { Card } from "../../kit/parts.tsx";
import { formatClock, formatNumber } from "../../format.ts";
import { said } from "../../words.ts";

const words = said.calls.answerTimes;

type Part = keyof typeof words.parts;

/** Each part with the mark that ends it. Recognition runs during endpointing. */
const ENDS: readonly (readonly [Part, Exclude<keyof TurnTimes, "led">])[] = [
  ["waiting", "stt_start"],
  ["recognising", "stt_final"],
  ["waiting", "commit"],
  ["deciding", "llm_first"],
  ["deciding", "tts_start"],
  ["voice", "tts_first"],
  ["sending", "rtp_first"],
];

interface Answer {
  /** End of the callee's speech, in seconds after the call was answered. */
  seconds: number;
  tookMs: number;
  stretches: { part: Part; ms: number }[];
  wasInterrupted: boolean;
}

export function AnswerTimes({ turns }: { turns: readonly TurnTimes[] }) {
  const answers = turns.flatMap(answerOf);
  if (answers.length === 0) return null;
  const longestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
  return (
    <Card title={words.title}>
      <p class="note">
        {words.note} {words.usual(formatNumber(medianOf(answers.map(({ tookMs }) => tookMs))))}
      </p>
      <ol class="answer-times" aria-label={words.label}>
        {answers.map((answer, index) => (
          <li key={index}>
            <span class="at">{formatClock(answer.seconds)}</span>
            <span class="bar" role="img" aria-label={describe(answer)} title={describe(answer)}>
              {answer.stretches.map(({ part, ms }, place) => (
                <span key={place} class={part} style={{ width: `${(ms / longestMs) * 100}%` }} />
              ))}
            </span>
            <span>{words.took(formatNumber(answer.tookMs))}</span>
            {answer.wasInterrupted && <span class="note">{words.interrupted}</span>}
          </li>
        ))}
      </ol>
      <ul class="answer-parts">
        {Object.entries(words.parts).map(([part, text]) => (
          <li key={part}>
            <span class={part} /> {text}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Empty if the turn follows no speech or has no answer. */
function answerOf(turn: TurnTimes): Answer[] {
  const { speech_end, rtp_first, interrupted_at } = turn;
  if (speech_end === null || rtp_first === null || rtp_first < speech_end) return [];
  const stretches: Answer["stretches"] = [];
  let untilMs = speech_end;
  for (const [part, mark] of ENDS) {
    const atMs = turn[mark] ?? untilMs;
    if (atMs <= untilMs) continue;
    const before = stretches.at(-1);
    if (before?.part === part) before.ms += atMs - untilMs;
    else stretches.push({ part, ms: atMs - untilMs });
    untilMs = atMs;
  }
  return [
    {
      seconds: speech_end / 1_000,
      tookMs: rtp_first - speech_end,
      stretches,
      wasInterrupted: interrupted_at !== null,
    },
  ];
}

const describe = ({ stretches }: Answer): string =>
  stretches.map(({ part, ms }) => `${words.parts[part]} ${words.took(formatNumber(ms))}`).join(", ");

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
