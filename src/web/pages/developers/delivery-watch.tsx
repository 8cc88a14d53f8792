// Follows one delivery until its next attempt has finished: for test events and replays.
import { useEffect, useState } from "preact/hooks";
import { api, call, messageOf } from "../../client.ts";
import { formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.developers.deliveryWatch;

export interface Attempt {
  at: string;
  duration_ms: number;
  status: number | null;
  outcome: string;
  detail: string;
  response: string;
}

export interface Delivery {
  delivery_id: string;
  endpoint_id: string;
  state: string;
  call_id: string | null;
  event_id: string;
  event_type: string;
  next_attempt_at: string | null;
  outage: { since: string; reason: string; next_probe_at: string } | null;
  created_at: string;
  body: string;
  attempts: Attempt[];
}

/** An attempt times out after 8 s. Polling starts early, because most receivers are fast. */
const EVERY_MS = 600;
const MOST_LOOKS = 30;

interface Watch {
  delivery: Delivery | null;
  error: string | null;
  isSettled: boolean;
  isSlow: boolean;
}

/** `attemptsBefore` distinguishes earlier attempts from the awaited one. */
export function useWatchedDelivery(id: string, attemptsBefore: number): Watch {
  const [watch, setWatch] = useState<Watch>({ delivery: null, error: null, isSettled: false, isSlow: false });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async (count: number) => {
      try {
        const delivery = await call(api.deliveries({ id }).get());
        if (isOver) return;
        const isSettled =
          delivery.state !== "pending" || delivery.attempts.length > attemptsBefore || delivery.outage !== null;
        const isSlow = !isSettled && count >= MOST_LOOKS;
        setWatch({ delivery, error: null, isSettled, isSlow });
        if (!isSettled && !isSlow) timer = setTimeout(() => void look(count + 1), EVERY_MS);
      } catch (fault) {
        if (!isOver) setWatch((before) => ({ ...before, error: messageOf(fault) }));
      }
    };
    timer = setTimeout(() => void look(1), EVERY_MS / 4);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id, attemptsBefore]);
  return watch;
}

/** The result in a sentence. */
export function DeliveryOutcome({
  id,
  attemptsBefore = 0,
  withLink = true,
  onSettled,
}: {
  id: string;
  attemptsBefore?: number;
  withLink?: boolean;
  onSettled?: () => void;
}) {
  const { time_zone } = useSession().organisation;
  const { delivery, error, isSettled, isSlow } = useWatchedDelivery(id, attemptsBefore);
  useEffect(() => {
    if (isSettled) onSettled?.();
  }, [isSettled]);
  const attempt = isSettled ? delivery?.attempts.at(-1) : undefined;
  const next = delivery?.outage?.next_probe_at ?? delivery?.next_attempt_at ?? null;
  return (
    <p class={`outcome ${toneOf(delivery, isSettled, error)}`} role="status">
      {error ?? (isSlow ? words.slow : !isSettled ? words.sending : sentence(delivery, attempt))}{" "}
      {isSettled && next !== null && words.next(formatTime(next, time_zone))}{" "}
      {withLink && isSettled && <a href={`/dashboard/developers/deliveries?id=${id}`}>{words.open}</a>}
    </p>
  );
}

function sentence(delivery: Delivery | null, attempt: Attempt | undefined): string {
  if (delivery?.state === "held") return words.held;
  if (delivery?.outage) return words.outage(delivery.outage.reason);
  if (!attempt) return "";
  if (attempt.outcome === "delivered") return words.delivered(attempt.status, attempt.duration_ms);
  return words.failed(attempt.detail, attempt.duration_ms);
}

function toneOf(delivery: Delivery | null, isSettled: boolean, error: string | null): string {
  if (error !== null) return "bad";
  if (!isSettled) return "";
  return delivery?.state === "delivered" ? "good" : "bad";
}
