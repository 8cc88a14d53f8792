// GET /calendar-feeds/{token}/calendar.ics, for calendar programs that subscribe to it. The address is the credential.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { SECOND_MS } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { RateLimiter } from "../../http/rate-limit.ts";
import { infoOf } from "../../http/request-info.ts";
import type { FeedService } from "./feed-service.ts";

/** Per feed. A program polls a few times an hour; a ward may share one address. */
const MOST_PER_MINUTE = 30;

const HEADERS = {
  "content-type": "text/calendar; charset=utf-8",
  "content-disposition": 'inline; filename="calendar.ics"',
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "referrer-policy": "no-referrer",
};

export function feedRoutes(feeds: FeedService, limiter: RateLimiter) {
  return new Elysia({ name: "calendar-feeds" }).get(
    "/calendar-feeds/:token/calendar.ics",
    async ({ params, request }) => {
      const feed = await feeds.byToken(params.token);
      const decision = limiter.take(feed.id, MOST_PER_MINUTE);
      if (decision?.allowed === false)
        throw new AppError("RATE_LIMITED", "This calendar is asked for too often. Try again in a minute.", {
          retryAfterSeconds: decision.resetMs / SECOND_MS,
        });
      return new Response(await feeds.text(feed, infoOf(request).id), { headers: HEADERS });
    },
    { params: Type.Object({ token: Type.String({ maxLength: 64 }) }), detail: { hide: true } },
  );
}
