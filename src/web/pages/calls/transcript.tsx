// Transcript. The line being spoken is highlighted and kept in view; a click on a line plays from it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Utterance } from "../../../payloads/conversation.ts";
import type { RecordingView } from "../../../payloads/lawful-schema.ts";
import { Button } from "../../kit/parts.tsx";
import { formatClock } from "../../format.ts";
import { noticesText } from "./recording-facts.tsx";
import type { Player } from "./use-player.ts";
import { said } from "../../words.ts";

const words = said.calls.transcript;

/** A seek ends slightly before its target if the recording has no sample at exactly that time. */
const SEEK_SLACK_SECONDS = 0.05;
const SPEAKERS: Record<string, string> = { agent: words.agent, user: words.user };

/** `player` is null without a recording. The recording may begin after the answer and end before the call. */
export function Transcript({
  lines,
  player,
  recording,
}: {
  lines: Utterance[];
  player: Player | null;
  recording: RecordingView | null;
}) {
  const from = recording?.from ?? 0;
  const until = recording?.until ?? Infinity;
  const box = useRef<HTMLOListElement>(null);
  const [isAway, setAway] = useState(false);
  const hasBegun = player !== null && (player.isPlaying || player.position > 0);
  const now = from + (player?.position ?? 0) + SEEK_SLACK_SECONDS;
  const current = hasBegun ? lines.findLastIndex(({ timestamp }) => timestamp <= now) : -1;

  const reveal = () => {
    setAway(false);
    const [list, line] = [box.current, box.current?.children[current]];
    if (!list || !(line instanceof HTMLElement)) return;
    // Scrolls the list, never the page, which the user may be reading elsewhere.
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    list.scrollTo({
      top: line.offsetTop - (list.clientHeight - line.clientHeight) / 2,
      behavior: isCalm ? "instant" : "smooth",
    });
  };
  useEffect(() => {
    if (!isAway && current >= 0) reveal();
  }, [current]);
  const leave = () => {
    if (player?.isPlaying) setAway(true);
  };

  return (
    <div class="transcript-box">
      <ol
        ref={box}
        class="transcript"
        aria-label={words.label}
        tabIndex={0}
        onWheel={leave}
        onTouchMove={leave}
        onKeyDown={(event) => {
          if (["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"].includes(event.key)) leave();
        }}
      >
        {lines.map(({ speaker, text, timestamp, notices = [] }, index) => {
          const play = () => {
            if (getSelection()?.isCollapsed === false) return;
            setAway(false);
            player?.playFrom(Math.max(0, timestamp - from));
          };
          // A line that began shortly before the recording is still heard in part.
          const next = lines[index + 1]?.timestamp ?? Infinity;
          const isRecorded = player !== null && next > from && timestamp < until;
          return (
            <li
              key={index}
              class={speaker === "agent" ? "by-agent" : "by-contact"}
              aria-current={index === current ? "true" : undefined}
              onClick={isRecorded ? play : undefined}
            >
              {isRecorded ? (
                <button type="button" class="at" aria-label={words.playFrom(formatClock(timestamp))}>
                  {formatClock(timestamp)}
                </button>
              ) : (
                <span class="at">{formatClock(timestamp)}</span>
              )}
              <p>
                <strong>{SPEAKERS[speaker] ?? speaker}</strong> {text}
                {notices.length > 0 && <small class="note">{noticesText(notices)}</small>}
              </p>
            </li>
          );
        })}
      </ol>
      {isAway && player?.isPlaying && <Button onClick={reveal} label={words.back} />}
    </div>
  );
}
