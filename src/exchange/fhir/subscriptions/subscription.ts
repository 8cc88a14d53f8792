// Subscription: a rest-hook that is told about Appointments. It is a webhook endpoint with criteria, so it has the
// deliveries, retries, replay and allow list of one.
import type { Subscription, SubscriptionChannel } from "fhir/r4";
import type { EndpointService } from "../../../events/endpoint-service.ts";
import { subscriptionsOf, type FhirChannel, type FhirEndpoint } from "../../../events/fhir-channel.ts";
import { toIso, type Clock } from "../../../core/clock.ts";
import { AppError, invalidField, missingField } from "../../../core/errors.ts";
import { parseIsoTime } from "../../../core/iso-time.ts";
import { isSafeText } from "../../../core/names.ts";
import type { Alongside } from "../../../db/alongside.ts";
import type { Database } from "../../../db/database.ts";
import { pageOfAll } from "../candidates.ts";
import { fhirId, ownId } from "../ids.ts";
import { isObject, textOf } from "../json.ts";
import { ID, LAST_UPDATED, type Asker, type Kind } from "../kind.ts";
import { FHIR_JSON } from "../media-types.ts";
import { versioned } from "../version.ts";
import { parseCriteria, type CriteriaContext } from "./criteria.ts";

type Shown = Pick<
  FhirEndpoint,
  | "id"
  | "url"
  | "description"
  | "enabled"
  | "disabled_reason"
  | "fhir_criteria"
  | "fhir_payload"
  | "fhir_until"
  | "updated_at"
>;

export function subscriptionResource(row: Shown, now: number): Subscription {
  const { id, url, description, enabled, disabled_reason, fhir_criteria, fhir_payload, fhir_until, updated_at } = row;
  const isOver = fhir_until !== null && fhir_until <= now;
  return {
    resourceType: "Subscription",
    id: fhirId(id),
    meta: { lastUpdated: toIso(updated_at) },
    status: isOver ? "off" : enabled ? "active" : "error",
    ...(fhir_until !== null && { end: toIso(fhir_until) }),
    reason: description,
    criteria: fhir_criteria,
    ...(!isOver && !enabled && { error: disabled_reason ?? "Switched off." }),
    // Its headers hold credentials and are not shown.
    channel: { type: "rest-hook", endpoint: url, ...(fhir_payload && { payload: fhir_payload }) },
  };
}

export interface SubscriptionDeps {
  db: Pick<Database, "reader">;
  clock: Clock;
  endpoints: Pick<EndpointService, "create" | "remove">;
}

export function subscriptions({ db, clock }: Pick<SubscriptionDeps, "db" | "clock">): Kind<Subscription> {
  const all = async ({ organisationId }: Asker) =>
    (await subscriptionsOf(db.reader, organisationId)).map((row) => subscriptionResource(row, clock.now()));
  return {
    type: "Subscription",
    scope: "endpoints:read",
    writeScope: "endpoints:write",
    says: "A rest-hook that is told about Appointments; to make one, appointments:read is needed too.",
    params: [
      ID,
      LAST_UPDATED,
      {
        name: "status",
        type: "token",
        says: "`active`, `error` (switched off) or `off` (over).",
        of: ({ status }) => [{ system: "http://hl7.org/fhir/subscription-status", code: status }],
      },
      { name: "criteria", type: "string", says: "Beginning of its criteria.", of: ({ criteria }) => [criteria] },
      { name: "type", type: "token", says: "Always `rest-hook`.", of: ({ channel }) => [{ code: channel.type }] },
    ],
    includes: [],
    writes: ["create", "delete"],
    async read(asker, ids) {
      const wanted = new Set(ids);
      return (await all(asker)).filter(({ id = "" }) => wanted.has(id));
    },
    candidates: async (asker, search, page) => pageOfAll(await all(asker), search, page),
  };
}

const MOST_HEADERS = 10;
const LONGEST_HEADER = 1_000;
/** The others are ours to set. */
const HEADER =
  /^(?!(?:host|connection|content-.*|transfer-encoding|accept-encoding|user-agent|x-webhook-id|expect|te|trailer|upgrade) *:)[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100} *:[\t\x20-\x7e]*$/i;
const PAYLOADS = [FHIR_JSON, "application/json"];

export interface SubscriptionAsked extends FhirChannel {
  url: string;
  reason: string;
}

export function subscriptionIn(body: unknown, context: CriteriaContext, now: number): SubscriptionAsked {
  if (!isObject(body) || body["resourceType"] !== "Subscription")
    throw invalidField("resourceType", "The body must be a Subscription resource.");
  if (body["modifierExtension"] !== undefined)
    throw invalidField("modifierExtension", "modifierExtension is not understood here. Leave it out.");
  if (body["status"] !== "requested" && body["status"] !== "active")
    throw invalidField("status", "status must be requested for a new Subscription.");
  const [reason, criteria, end] = [textOf(body["reason"]), textOf(body["criteria"]), textOf(body["end"])];
  if (reason === undefined || reason.trim() === "" || !isSafeText(reason))
    throw invalidField("reason", missingField("reason"));
  if (criteria === undefined) throw invalidField("criteria", missingField("criteria"));
  parseCriteria(criteria, context);
  const until = end === undefined ? null : parseIsoTime("end", end);
  if (until !== null && until <= now) throw invalidField("end", "end must lie in the future.");
  return { reason, criteria, until, ...channelIn(body["channel"]) };
}

function channelIn(given: unknown): Pick<SubscriptionAsked, "url" | "payload" | "headers"> {
  const channel = (isObject(given) ? given : {}) as Partial<SubscriptionChannel>;
  if (channel.type !== "rest-hook") throw invalidField("channel.type", "channel.type must be rest-hook.");
  const url = textOf(channel.endpoint);
  if (url === undefined) throw invalidField("channel.endpoint", missingField("channel.endpoint"));
  const payload = textOf(channel.payload) ?? "";
  const bare = payload.split(";")[0]?.trim() ?? "";
  if (payload !== "" && !PAYLOADS.includes(bare))
    throw invalidField(
      "channel.payload",
      `channel.payload must be ${FHIR_JSON}, or left out for a notification alone.`,
    );
  const headers: unknown[] = Array.isArray(channel.header) ? channel.header : [];
  const areSound = headers.every(
    (each) => typeof each === "string" && each.length <= LONGEST_HEADER && HEADER.test(each),
  );
  if (!areSound || headers.length > MOST_HEADERS)
    throw invalidField(
      "channel.header",
      `channel.header takes at most ${MOST_HEADERS} lines such as Authorization: Bearer …`,
    );
  return { url, payload: bare, headers: headers as string[] };
}

export interface MadeSubscription {
  id: string;
  resource: Subscription;
}

export class Subscriptions {
  constructor(private readonly deps: SubscriptionDeps) {}

  async create(
    { organisationId, actor, scopes }: Asker,
    asked: SubscriptionAsked,
    alongside: Alongside<MadeSubscription>,
  ): Promise<MadeSubscription> {
    if (!scopes.has("appointments:read"))
      throw new AppError("INSUFFICIENT_SCOPE", "A Subscription to Appointments needs the scope appointments:read too.");
    const { url, reason: description, ...fhir } = asked;
    let made: MadeSubscription | undefined;
    const input = { url, description, eventTypes: [], fhir };
    await this.deps.endpoints.create(organisationId, input, actor, async (tx, view) => {
      const row = {
        id: view.endpoint_id,
        url,
        description: view.description,
        enabled: true,
        disabled_reason: null,
        fhir_criteria: fhir.criteria,
        fhir_payload: fhir.payload,
        fhir_until: fhir.until,
        updated_at: Date.parse(view.updated_at),
      };
      made = { id: view.endpoint_id, resource: versioned(subscriptionResource(row, this.deps.clock.now())) };
      await alongside(tx, made);
    });
    if (!made) throw new Error("The Subscription was not committed.");
    return made;
  }

  async remove({ organisationId, actor }: Asker, id: string): Promise<void> {
    const { db, endpoints } = this.deps;
    const known = await subscriptionsOf(db.reader, organisationId);
    const row = known.find((each) => each.id === ownId("whe", id));
    if (!row) throw new AppError("NOT_FOUND", "There is no Subscription with this id.");
    await endpoints.remove(organisationId, row.id, actor);
  }
}
