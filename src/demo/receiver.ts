// The demo's webhook receiver, inside the appliance in place of a hospital's own system. Deliveries go through the
// normal delivery loop with the usual bytes, headers and signature; only the connection is skipped. Nothing leaves the
// machine, and loopback need not be allowed for webhooks.
import type { ReadNotes } from "../accounts/read-notes.ts";
import type { Actor } from "../core/actor.ts";
import { MINUTE_MS, SECOND_MS, toIso, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { equalInConstantTime, type Bytes } from "../core/hmac.ts";
import type { Database } from "../db/database.ts";
import type { Endpoint } from "../events/records.ts";
import type { Executor } from "../db/tables.ts";
import { endpointsOf } from "../events/endpoint-store.ts";
import { headersOf, type PostRequest, type SafePost } from "../events/safe-post/safe-post.ts";
import { contractSignature, type SigningSecrets } from "../events/signing.ts";
import { insertReceived, pruneReceived, receivedById, receivedOf } from "./received-store.ts";
import type { DemoReceived } from "./records.ts";

/** `.invalid` can never be a real host (RFC 2606): without the demo, a delivery to it fails. */
const RECEIVER = "https://receiver.demo.invalid/";

export const receiverUrl = (organisationId: string): string => `${RECEIVER}${organisationId}`;
export const MOST_RECEIVED = 200;
/** Pruning interval; this many more may exist in between. */
const PRUNED_EVERY = 20;

/** The tolerance documented in /docs/webhooks. */
const TOLERANCE_MS = 5 * MINUTE_MS;
const NO_CONTENT = 204;
const NOT_FOUND = 404;

export interface ReceiverDeps {
  db: Database;
  clock: Clock;
  /** Secrets of the endpoint's owner. */
  secretsOf: (endpoint: Endpoint) => SigningSecrets | null;
}

export function createReceiver({ db, clock, secretsOf }: ReceiverDeps) {
  async function receive(request: PostRequest): Promise<number> {
    const { url, body } = request;
    const headers = headersOf(request);
    const organisationId = url.slice(RECEIVER.length);
    const endpoints = (await endpointsOf(db.reader, organisationId)).filter((endpoint) => endpoint.url === url);
    const eventId = headers["x-webhook-id"];
    if (endpoints.length === 0 || eventId === undefined) return NOT_FOUND;
    const secrets = endpoints.flatMap((endpoint) => secretsOf(endpoint)?.current ?? []);
    await db.write(async (tx) => {
      const id = await insertReceived(tx, {
        organisation_id: organisationId,
        event_id: eventId,
        received_at: clock.now(),
        headers: Object.entries(headers),
        body: typeof body === "string" ? body : new TextDecoder().decode(body),
        verdict: verdictOf(headers, body, secrets, clock.now()),
      });
      if (id % PRUNED_EVERY === 0) await pruneReceived(tx, organisationId, MOST_RECEIVED);
    });
    return NO_CONTENT;
  }

  return {
    /** Wraps a sender and keeps deliveries to the receiver inside. */
    around(post: SafePost): SafePost {
      return {
        ...post,
        checkUrl: (url) => (url.startsWith(RECEIVER) ? undefined : post.checkUrl(url)),
        async post(request) {
          if (!request.url.startsWith(RECEIVER)) return post.post(request);
          const startedAt = clock.elapsedMs();
          const status = await receive(request);
          return { kind: "answered", status, excerpt: "", durationMs: clock.elapsedMs() - startedAt };
        },
      };
    },
  };
}

/** For generated history: nothing leaves the machine. */
export const nowhere: SafePost = {
  checkUrl() {},
  async post() {
    return { kind: "blocked", detail: "Nothing of the demo's past is sent anywhere.", durationMs: 0 };
  },
};

export type Receiver = ReturnType<typeof createReceiver>;

/** Verification as documented in /docs/webhooks: signature over timestamp and body first, then the time. */
export function verdictOf(
  headers: Readonly<Record<string, string>>,
  body: Bytes,
  secrets: readonly string[],
  now: number,
): DemoReceived["verdict"] {
  const timestamp = headers["x-webhook-timestamp"];
  const signature = headers["x-webhook-signature"];
  if (timestamp === undefined || signature === undefined) return "unsigned";
  if (!secrets.some((secret) => equalInConstantTime(contractSignature(secret, timestamp, body), signature))) {
    return "wrong_signature";
  }
  return Math.abs(now - Number(timestamp) * SECOND_MS) <= TOLERANCE_MS ? "verified" : "too_old";
}

/** Deliveries as shown on the page. */
export function createReceived({ reader, readNotes }: { reader: Executor; readNotes: ReadNotes }) {
  return {
    async list(organisationId: string) {
      const rows = await receivedOf(reader, organisationId, MOST_RECEIVED);
      return {
        url: receiverUrl(organisationId),
        kept: MOST_RECEIVED,
        data: rows.map(({ id, event_type, event_id, received_at, verdict }) => ({
          received_id: String(id),
          event_type,
          event_id,
          received_at: toIso(received_at),
          verdict,
        })),
      };
    },

    async inspect(organisationId: string, id: string, actor: Actor) {
      const row = /^\d{1,15}$/.test(id) ? await receivedById(reader, organisationId, Number(id)) : undefined;
      if (!row) throw new AppError("NOT_FOUND", "The receiver keeps nothing with this id any more.");
      await readNotes.note({ organisationId, actor, action: "received.read", subjectId: row.event_id });
      return {
        received_id: String(row.id),
        event_id: row.event_id,
        received_at: toIso(row.received_at),
        verdict: row.verdict,
        headers: row.headers,
        body: row.body,
      };
    },
  };
}

export type Received = ReturnType<typeof createReceived>;
