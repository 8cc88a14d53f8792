// Webhook endpoints and their subscriptions. Secrets are shown once and stored encrypted.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import { assertUnchanged } from "../core/entity-tag.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Database } from "../db/database.ts";
import { ENDPOINT_PURPOSE } from "../db/sealed-secrets.ts";
import { MAYBE_DELIVERED } from "../db/backup/hold-due-calls.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { checkedDescription, checkedTypes } from "./checked-endpoint.ts";
import { countUnfinished, deleteSome, giveUpSome, settleBacklog } from "./backlog-store.ts";
import { countByState } from "./delivery-list-store.ts";
import {
  deleteEndpoint,
  endpointsOf,
  endpointsWithPending,
  insertEndpoint,
  updateEndpoint,
  type EndpointChange,
} from "./endpoint-store.ts";
import { endpointView } from "./endpoint-view.ts";
import { assertNoSubscription, headersText, NO_FHIR, type FhirChannel } from "./fhir-channel.ts";
import { assertTold, assertWebhook, knownEndpoint } from "./known-endpoint.ts";
import type { Lanes } from "./lane.ts";
import { NO_OUTAGE } from "./outage.ts";
import type { Endpoint } from "./records.ts";
import { ROTATION_OVERLAP_MS } from "./retry-schedule.ts";
import { newSigningSecret, type SigningSecrets } from "./signing.ts";

export interface EndpointInput {
  url: string;
  description?: string;
  eventTypes: readonly string[];
  signing?: boolean;
  /** A FHIR Subscription, which has no events and no signature. */
  fhir?: FhirChannel;
}

export type CreatedEndpoint = ReturnType<typeof endpointView> & { secret: string };

export interface EndpointServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  config: Config;
  secrets: SecretBox;
  lanes: Lanes;
  checkUrl: (url: string) => void;
  wake: () => void;
}

/** Cache size of decrypted signing secrets; decrypting one takes longer than signing with it. */
const MOST_OPENED = 1_000;

export class EndpointService {
  readonly #opened = new Map<string, string>();

  constructor(private readonly deps: EndpointServiceDeps) {}

  async create(
    organisationId: string,
    input: EndpointInput,
    actor: Actor,
    alongside: Alongside<CreatedEndpoint> = async () => {},
  ): Promise<CreatedEndpoint> {
    const { db, clock, ids, audit, secrets, checkUrl } = this.deps;
    checkUrl(input.url);
    const { fhir } = input;
    const eventTypes = fhir ? [] : checkedTypes(input.eventTypes);
    const secret = fhir ? headersText(fhir.headers) : newSigningSecret(ids);
    return db.write(async (tx) => {
      await this.#assertWithinPlan(tx, organisationId);
      const now = clock.now();
      const row: Endpoint = {
        id: ids.next("whe"),
        organisation_id: organisationId,
        url: input.url,
        description: checkedDescription(input.description ?? ""),
        event_types: eventTypes,
        signing: input.signing !== false && !fhir,
        sealed_secret: secrets.seal(secret, ENDPOINT_PURPOSE),
        sealed_previous_secret: null,
        previous_secret_until: null,
        enabled: true,
        disabled_reason: null,
        consecutive_failures: 0,
        ...NO_OUTAGE,
        is_settling: false,
        kind: "webhook",
        source_id: null,
        ...(fhir ? { fhir_criteria: fhir.criteria, fhir_payload: fhir.payload, fhir_until: fhir.until } : NO_FHIR),
        created_at: now,
        updated_at: now,
      };
      await insertEndpoint(tx, row);
      await audit.record(tx, {
        organisationId,
        actor,
        action: "endpoint.created",
        subjectId: row.id,
        detail: { event_types: eventTypes },
      });
      const created = { ...endpointView(row, now), secret };
      await alongside(tx, created);
      return created;
    });
  }

  async list(organisationId: string) {
    const rows = await endpointsOf(this.deps.db.reader, organisationId);
    return Promise.all(rows.map((row) => this.#withCounts(row)));
  }

  async get(organisationId: string, id: string) {
    return this.#withCounts(await knownEndpoint(this.deps.db.reader, organisationId, id));
  }

  async #withCounts(row: Endpoint) {
    const { db, clock, lanes } = this.deps;
    return {
      ...endpointView(row, clock.now()),
      /** Current concurrency limit; null if this process has sent nothing yet. */
      at_once: lanes.get(row.id)?.pace.places ?? null,
      deliveries: await countByState(db.reader, row.id),
    };
  }

  async count(organisationId: string): Promise<number> {
    return (await webhooksOf(this.deps.db.reader, organisationId)).length;
  }

  async update(organisationId: string, id: string, input: Partial<EndpointInput>, actor: Actor) {
    const { checkUrl, wake } = this.deps;
    if (input.url !== undefined) checkUrl(input.url);
    const endpoint = await this.#change(organisationId, id, "endpoint.changed", actor, () => ({
      // An outage of the old address does not apply to the new one.
      ...(input.url === undefined ? {} : { url: input.url, ...NO_OUTAGE }),
      ...(input.description === undefined ? {} : { description: checkedDescription(input.description) }),
      ...(input.eventTypes === undefined ? {} : { event_types: checkedTypes(input.eventTypes) }),
      ...(input.signing === undefined ? {} : { signing: input.signing }),
    }));
    wake();
    return endpoint;
  }

  /** The old secret also signs for a day, so the receiver can be updated in the meantime. */
  async rotateSecret(organisationId: string, id: string, actor: Actor) {
    const { clock, ids, secrets } = this.deps;
    const secret = newSigningSecret(ids);
    const endpoint = await this.#change(organisationId, id, "endpoint.secret_rotated", actor, (row) => ({
      sealed_secret: secrets.seal(secret, ENDPOINT_PURPOSE),
      // A previous secret under a lost key would make every delivery of that day impossible to sign.
      ...(this.#opens(row.sealed_secret)
        ? { sealed_previous_secret: row.sealed_secret, previous_secret_until: clock.now() + ROTATION_OVERLAP_MS }
        : { sealed_previous_secret: null, previous_secret_until: null }),
    }));
    return { ...endpoint, secret };
  }

  async disable(organisationId: string, id: string, actor: Actor) {
    const { db, clock, audit, wake } = this.deps;
    await db.write(async (tx) => {
      const row = await knownEndpoint(tx, organisationId, id);
      await disableWithin(tx, row, "Switched off by hand.", clock.now());
      await audit.record(tx, { organisationId, actor, action: "endpoint.disabled", subjectId: id });
    });
    wake();
  }

  /**
   * Disables each endpoint with pending deliveries, because they may have been delivered already. The user who enables
   * it again decides whether they are sent. Returns how many.
   */
  async holdPending(organisationId: string, actor: Actor): Promise<number> {
    const { db, clock, audit } = this.deps;
    return db.write(async (tx) => {
      const waiting = await endpointsWithPending(tx, organisationId);
      for (const row of waiting) {
        await disableWithin(tx, row, MAYBE_DELIVERED, clock.now());
        await audit.record(tx, { organisationId, actor, action: "endpoint.disabled", subjectId: row.id });
      }
      return waiting.length;
    });
  }

  /** Sends or gives up the held deliveries, as the caller chooses. */
  async enable(organisationId: string, id: string, sendHeld: boolean, actor: Actor): Promise<{ held: number }> {
    const { db, clock, audit, wake } = this.deps;
    const step = async (tx: Tx, before: number): Promise<{ held: number; isDone: boolean }> => {
      const row = await knownEndpoint(tx, organisationId, id);
      assertTold(row);
      const now = clock.now();
      let held = before;
      if (sendHeld) held = row.enabled ? 0 : await countUnfinished(tx, id);
      else {
        // Until a switch-off has settled, some deliveries to be held are still pending.
        const givenUp = await giveUpSome(tx, id, row.enabled ? ["held"] : ["pending", "held"], now);
        held += givenUp;
        // The endpoint stays disabled until nothing is left to give up, so none of it is sent.
        if (givenUp > 0) return { held, isDone: false };
      }
      await enableWithin(tx, id, now);
      const detail = { held, sent: sendHeld };
      await audit.record(tx, { organisationId, actor, action: "endpoint.enabled", subjectId: id, detail });
      return { held, isDone: true };
    };
    // In batches, so other writes are not blocked.
    let done = { held: 0, isDone: false };
    while (!done.isDone) {
      const { held } = done;
      done = await db.write((tx) => step(tx, held));
    }
    wake();
    return { held: done.held };
  }

  /** Deletes it with its deliveries, and with events that no other endpoint waits for. */
  async remove(organisationId: string, id: string, actor: Actor): Promise<void> {
    const { db, clock, audit } = this.deps;
    const step = async (tx: Tx): Promise<boolean> => {
      const row = await knownEndpoint(tx, organisationId, id);
      assertWebhook(row);
      if (await deleteSome(tx, id)) {
        // Disabled first, so nothing is sent if the process dies before the deletion is complete.
        if (row.enabled)
          await updateEndpoint(tx, id, { enabled: false, disabled_reason: "Being deleted.", updated_at: clock.now() });
        return false;
      }
      await deleteEndpoint(tx, id);
      await audit.record(tx, { organisationId, actor, action: "endpoint.deleted", subjectId: id });
      return true;
    };
    // In batches, so other writes are not blocked.
    while (!(await db.write(step)));
  }

  /** The secrets that sign a delivery now; null if signing is off. */
  signingSecrets(row: Endpoint): SigningSecrets | null {
    const { clock } = this.deps;
    if (!row.signing) return null;
    const overlaps =
      row.sealed_previous_secret !== null &&
      row.previous_secret_until !== null &&
      row.previous_secret_until > clock.now();
    return {
      current: this.#open(row.sealed_secret),
      previous: overlaps && row.sealed_previous_secret !== null ? this.#open(row.sealed_previous_secret) : null,
    };
  }

  /** Of a FHIR Subscription. */
  sealedHeaders(row: Endpoint): string {
    return this.#open(row.sealed_secret);
  }

  #open(sealed: string): string {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known;
    const secret = this.deps.secrets.open(sealed, ENDPOINT_PURPOSE);
    if (this.#opened.size >= MOST_OPENED) this.#opened.clear();
    this.#opened.set(sealed, secret);
    return secret;
  }

  #opens(sealed: string): boolean {
    try {
      this.deps.secrets.open(sealed, ENDPOINT_PURPOSE);
      return true;
    } catch {
      return false;
    }
  }

  async #assertWithinPlan(tx: Tx, organisationId: string): Promise<void> {
    const organisation = await organisationById(tx, organisationId);
    if (!organisation) throw new AppError("NOT_FOUND", "There is no organisation with this id.");
    const limit = this.deps.config.plans[organisation.plan].webhook_endpoints;
    if (limit !== "unlimited" && (await webhooksOf(tx, organisationId)).length >= limit) {
      throw new AppError(
        "PLAN_LIMIT_REACHED",
        `The ${organisation.plan} plan allows ${limit} webhook endpoint${limit === 1 ? "" : "s"}.`,
      );
    }
  }

  async #change(
    organisationId: string,
    id: string,
    action: string,
    actor: Actor,
    changeOf: (row: Endpoint) => EndpointChange,
  ) {
    const { db, clock, audit } = this.deps;
    return db.write(async (tx) => {
      const row = await knownEndpoint(tx, organisationId, id);
      assertWebhook(row);
      assertNoSubscription(row);
      assertUnchanged(actor, endpointView(row, clock.now()));
      const changed = { ...changeOf(row), updated_at: clock.now() };
      await updateEndpoint(tx, id, changed);
      await audit.record(tx, { organisationId, actor, action, subjectId: id });
      return endpointView({ ...row, ...changed }, clock.now());
    });
  }
}

export const createEndpointService = (deps: EndpointServiceDeps): EndpointService => new EndpointService(deps);

/** Without the endpoints of sources, which no plan limits. */
const webhooksOf = async (executor: Executor, organisationId: string) =>
  (await endpointsOf(executor, organisationId)).filter(({ kind }) => kind === "webhook");

async function enableWithin(tx: Tx, id: string, now: number): Promise<void> {
  const working = { enabled: true, disabled_reason: null, consecutive_failures: 0, ...NO_OUTAGE };
  await updateEndpoint(tx, id, { ...working, updated_at: now });
  await settleBacklog(tx, { id, enabled: true }, now);
}

/** Pending deliveries become held until the endpoint is enabled again. */
export async function disableWithin(tx: Tx, row: Endpoint, reason: string, now: number): Promise<void> {
  await updateEndpoint(tx, row.id, { enabled: false, disabled_reason: reason, ...NO_OUTAGE, updated_at: now });
  await settleBacklog(tx, { id: row.id, enabled: false }, now);
}
