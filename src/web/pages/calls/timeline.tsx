// States of a call with their times. For a waiting call: the reason, and the time of the next check. Where rules are
// not enforced: what would hold the call.
import type { CallPageData } from "../../../dashboard/call-page.ts";
import { Badge, Card } from "../../kit/parts.tsx";
import { formatTime } from "../../format.ts";
import { holdText, isWaiting, stateText } from "./call-words.ts";
import { said } from "../../words.ts";

const words = said.calls.timeline;

export function Timeline({ page, zone }: { page: CallPageData; zone: string }) {
  const { call, timeline, would_be_held_by } = page;
  const waits = isWaiting(call.status);
  const nextAt = formatTime(call.next_attempt_at, zone);
  return (
    <Card title={words.title}>
      <ol class="timeline">
        {timeline.map(({ state, at }) => (
          <li key={`${state} ${at}`}>
            <span>{state === "scheduled" ? words.plannedFor : stateText(state)}</span>
            <time dateTime={at}>{formatTime(at, zone)}</time>
          </li>
        ))}
        {waits && (
          <li class="now">
            <Badge state={call.status} text={stateText(call.status)} />
            <span>
              {call.hold_reason !== null && <strong>{holdText(call.hold_reason)}. </strong>}
              {call.next_attempt_at !== null &&
                (call.hold_reason === null ? words.due(nextAt) : words.nextLook(nextAt))}
            </span>
          </li>
        )}
      </ol>
      {would_be_held_by.length > 0 && (
        <p class="call-warn">
          <strong>{words.wouldBeHeld(would_be_held_by.map(holdText).join("; "))}</strong> {words.notEnforced}
        </p>
      )}
    </Card>
  );
}
