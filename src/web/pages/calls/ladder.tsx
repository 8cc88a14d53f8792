// SIP messages of a call as a ladder diagram between Ringward and the trunk. Each arrow opens the full message.
import type { LineMessageView, LineView } from "../../../calls/life/line-service.ts";
import { formatNumber } from "../../format.ts";
import { CopyCode } from "../../kit/copy-code.tsx";
import { said } from "../../words.ts";

const words = said.calls.ladder;

/** By method, by status, or by the first digit of the status. */
const MEANINGS = words.meanings;

export function Ladder({ line: { trunk_name, messages } }: { line: LineView }) {
  const peers = [...new Set(messages.map(({ peer }) => peer))];
  const seen = new Set<string>();
  return (
    <div class="ladder">
      <div class="ladder-ends">
        <strong>{words.us}</strong>
        <span>
          <strong>{trunk_name ?? words.them}</strong>
          {peers.map((peer) => (
            <code key={peer}>{peer}</code>
          ))}
        </span>
      </div>
      <ol>
        {messages.map((message, index) => {
          const key = `${message.direction} ${message.text}`;
          const isRepeated = seen.has(key);
          seen.add(key);
          return <Step key={index} message={message} isRepeated={isRepeated} />;
        })}
      </ol>
    </div>
  );
}

function Step({ message, isRepeated }: { message: LineMessageView; isRepeated: boolean }) {
  const { direction, first_line, text, after_ms, at } = message;
  const shown = first_line.replace(/^SIP\/2\.0 | SIP\/2\.0$/g, "");
  const [head = "", ...rest] = shown.split(" ");
  const isRequest = !first_line.startsWith("SIP/2.0 ");
  const meaning = MEANINGS[head] ?? MEANINGS[head.charAt(0)];
  return (
    <li class={`${direction} ${toneOf(head)}`}>
      <details>
        <summary>
          <time dateTime={at}>{afterText(after_ms)}</time>
          <span class="ladder-arrow">
            <span class="visually-hidden">{words[direction]} </span>
            <span>
              <strong>{head}</strong> <span class={isRequest ? "ladder-target" : undefined}>{rest.join(" ")}</span>
            </span>{" "}
            <small>
              {[...(meaning === undefined ? [] : [meaning]), ...(isRepeated ? [words.again] : [])].join(", ")}
            </small>
          </span>
        </summary>
        <CopyCode label={words.message(shown)} code={text.replaceAll("\r\n", "\n")} />
      </details>
    </li>
  );
}

/** An authentication challenge (401, 407) is a normal part of a call over a trunk, not an error. */
function toneOf(head: string): string {
  if (head === "401" || head === "407") return "asked";
  const tones: Record<string, string> = { "1": "under-way", "2": "agreed", "3": "refused", "4": "refused" };
  return tones[head.charAt(0)] ?? (/^[56]/.test(head) ? "refused" : "asked");
}

function afterText(afterMs: number): string {
  return afterMs < 1_000
    ? words.milliseconds(formatNumber(Math.round(afterMs)))
    : words.seconds((afterMs / 1_000).toFixed(2));
}
