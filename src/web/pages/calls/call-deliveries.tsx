// Webhook deliveries of a call: endpoint, result and number of attempts.
import type { CallPageData } from "../../../dashboard/call-page.ts";
import { Badge, Card } from "../../kit/parts.tsx";
import { formatTime } from "../../format.ts";
import { useMay } from "../../session.tsx";
import { deliveryStates, said } from "../../words.ts";

const words = said.calls.callDeliveries;

export function CallDeliveries({ deliveries, zone }: { deliveries: CallPageData["deliveries"]; zone: string }) {
  const isStaff = useMay("staff");
  if (deliveries.length === 0) {
    return (
      <Card title={words.title}>
        <p class="note">{words.none}</p>
      </Card>
    );
  }
  return (
    <Card title={words.title}>
      <ul class="call-deliveries">
        {deliveries.map((delivery) => (
          <li key={delivery.delivery_id}>
            <span class="event">
              {isStaff ? (
                <a href={`/dashboard/developers/deliveries?id=${delivery.delivery_id}`}>{delivery.event_type}</a>
              ) : (
                delivery.event_type
              )}
            </span>
            <Badge state={delivery.state} text={deliveryStates[delivery.state] ?? delivery.state} />
            <span class="note">
              {[
                delivery.endpoint_host,
                formatTime(delivery.created_at, zone),
                words.attempts(delivery.attempts),
                ...(delivery.next_attempt_at === null ? [] : [words.next(formatTime(delivery.next_attempt_at, zone))]),
              ].join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
