// Calls that wait for a legal rule: by reason, each with its name and the time until which it waits.
import type { WorklistPage } from "../../../worklist/worklist-view.ts";
import { Card } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { formatNumber, formatShortTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { holdText } from "../calls/call-words.ts";
import { CALLS_PATH } from "../calls/filters.ts";

const words = said.today;

/** With more calls the list starts folded. */
const MOST_UNFOLDED = 5;

export function Waiting({ waiting: { reasons, has_more } }: { waiting: WorklistPage["waiting"] }) {
  const zone = useSession().organisation.time_zone;
  if (reasons.length === 0) return null;
  return (
    <Card title={words.waiting}>
      <p class="note">{words.waitingNote}</p>
      {reasons.map(({ reason, count, calls }) => (
        <details key={reason} class="worklist-held" open={count <= MOST_UNFOLDED}>
          <summary>
            {holdText(reason)} ({formatNumber(count)})
          </summary>
          <ul>
            {calls.map(({ call_id, contact_name, contact_number, until }) => (
              <li key={call_id}>
                <a href={`${CALLS_PATH}/${call_id}`}>{contact_name ?? <Phone number={contact_number} />}</a>{" "}
                <Phone number={contact_number} />{" "}
                <span class="muted">{words.waitingUntil(formatShortTime(until, zone))}</span>
              </li>
            ))}
          </ul>
          {count > calls.length && <p class="muted">{words.heldMore(formatNumber(count - calls.length))}</p>}
        </details>
      ))}
      {has_more && <p class="muted">{words.waitingMore}</p>}
    </Card>
  );
}
