// Transcript. The line being spoken is highlighted and kept in view; a click on a line plays from it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Utterance } from "../../../payloads/conversation.ts";
import { Button } from "../../kit/parts.tsx";
import { formatClock } from "../../format.ts";
import type { Player } from "./use-player.ts";
import { said } from "../../words.ts";

const words = said.calls.transcript;

/** A seek ends slightly before its target if the recording has no sample at exactly that time. */
const SEEK_SLACK_SECONDS = 0.05;
const SPEAKERS: Record<string, string> = { agent: words.agent, user: words.user };

/** `player` is null without a recording. */
export function Transcript({ lines, player }: { lines: Utterance[]; player: Player | null }) {
  const box = useRef<HTMLOListElement>(null);
  const [isAway, setAway] = useState(false);
  const hasBegun = player !== null && (player.isPlaying || player.position > 0);
  const now = (player?.position ?? 0) + SEEK_SLACK_SECONDS;
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
        {lines.map(({ speaker, text, timestamp }, index) => {
          const play = () => {
            if (getSelection()?.isCollapsed === false) return;
            setAway(false);
            player?.playFrom(timestamp);
          };
          return (
            <li
              key={index}
              class={speaker === "agent" ? "by-agent" : "by-contact"}
              aria-current={index === current ? "true" : undefined}
              onClick={player ? play : undefined}
            >
              {player ? (
                <button type="button" class="at" aria-label={words.playFrom(formatClock(timestamp))}>
                  {formatClock(timestamp)}
                </button>
              ) : (
                <span class="at">{formatClock(timestamp)}</span>
              )}
              <p>
                <strong>{SPEAKERS[speaker] ?? speaker}</strong> {text}
              </p>
            </li>
          );
        })}
      </ol>
      {isAway && player?.isPlaying && <Button onClick={reveal} label={words.back} />}
    </div>
  );
}
