// The receiver's side of the world, scripted: what was sent, and what is answered. Its real twin is tested in
// safe-post/.
import { headersOf, type PostRequest, type PostResult, type SafePost } from "../../src/events/safe-post/safe-post.ts";

export interface SentRequest extends Pick<PostRequest, "url" | "body" | "timeoutMs" | "line" | "atOnce"> {
  headers: Record<string, string>;
  /** When, by the test's clock. */
  at: number;
  json: { event_id: string; event_type: string; created_at: string; data: Record<string, unknown> };
}

export interface FakePost extends SafePost {
  sent: SentRequest[];
  /** Decides every answer; 204 until a test says otherwise. */
  answer: (request: SentRequest) => PostResult | Promise<PostResult>;
}

export const answered = (status: number, excerpt = ""): PostResult => ({
  kind: "answered",
  status,
  excerpt,
  durationMs: 5,
});

export function createFakePost(now: () => number): FakePost {
  const fake: FakePost = {
    sent: [],
    answer: () => answered(204),
    checkUrl() {},
    async post(request) {
      const { body } = request;
      const text = typeof body === "string" ? body : new TextDecoder().decode(body);
      const sent = {
        ...request,
        headers: headersOf(request),
        at: now(),
        json: JSON.parse(text) as SentRequest["json"],
      };
      fake.sent.push(sent);
      return fake.answer(sent);
    },
  };
  return fake;
}
