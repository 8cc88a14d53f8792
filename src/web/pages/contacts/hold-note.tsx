// Says on the page of a call or a person that it must be kept, and why.
import type { Hold } from "../../../rules/holds/model.ts";
import { Card } from "../../kit/parts.tsx";
import { formatShortTime } from "../../format.ts";
import { said } from "../../words.ts";

const words = said.contacts.holds;

export function HoldNote({ holds, zone }: { holds: readonly Hold[]; zone: string }) {
  if (holds.length === 0) return null;
  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      <ul class="contact-list">
        {holds.map(({ hold_id, reason, until }) => (
          <li key={hold_id}>
            <span>{reason}</span>
            <small>{until === null ? words.untilReleased : words.until(formatShortTime(until, zone))}</small>
          </li>
        ))}
      </ul>
    </Card>
  );
}
