// Inbound hook of an organisation: token, signature and daily quota.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import type { Config } from "../config/schema.ts";
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { equalInConstantTime, hmacSha256, sha256Hex } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { addDays, instantOf, wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import { HOOK_PURPOSE } from "../db/sealed-secrets.ts";
import {
  countRequest,
  hookByToken,
  hookOf,
  replaceHook,
  setSignatureRequired,
  type HookWithOrganisation,
} from "./store.ts";

export interface NewHook {
  token: string;
  url: string;
  signingSecret: string;
}

/** Allowed clock difference in both directions: long enough for a queue, short enough against replays. */
const SIGNATURE_TOLERANCE_MS = 5 * MINUTE_MS;
const TOKEN_BYTES = 32;
/** The format of our tokens; others are rejected without a database query. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface HookServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  config: Config;
  secrets: SecretBox;
}

export class HookService {
  constructor(private readonly deps: HookServiceDeps) {}

  /** Creates or replaces the hook: the old token and secret become invalid at once. Both are shown only now. */
  async regenerate(organisationId: string, actor: Actor): Promise<NewHook> {
    const { db, clock, ids, audit, config, secrets } = this.deps;
    const token = ids.secret(TOKEN_BYTES);
    const signingSecret = `whin_${ids.secret(32)}`;
    const now = clock.now();
    await db.write(async (tx) => {
      const present = await hookOf(tx, organisationId);
      await replaceHook(tx, {
        organisation_id: organisationId,
        token_hash: sha256Hex(token),
        sealed_signing_secret: secrets.seal(signingSecret, HOOK_PURPOSE),
        signature_required: present?.signature_required ?? false,
        quota_date: present?.quota_date ?? "",
        quota_used: present?.quota_used ?? 0,
        created_at: now,
        updated_at: now,
      });
      await audit.record(tx, { organisationId, actor, action: "inbound_hook.regenerated" });
    });
    return { token, url: `${config.base_url}/v1/hooks/${token}`, signingSecret };
  }

  async requireSignature(organisationId: string, required: boolean, actor: Actor): Promise<void> {
    const { db, clock, audit } = this.deps;
    await db.write(async (tx) => {
      const known = await setSignatureRequired(tx, organisationId, required, clock.now());
      if (!known) throw new AppError("NOT_FOUND", "This organisation has no inbound hook yet. Create one first.");
      await audit.record(tx, {
        organisationId,
        actor,
        action: "inbound_hook.signature_changed",
        detail: { required },
      });
    });
  }

  async status(organisationId: string) {
    const { db, clock, config } = this.deps;
    const hook = await hookOf(db.reader, organisationId);
    const organisation = await organisationById(db.reader, organisationId);
    if (!hook || !organisation) return null;
    const limit = config.plans[organisation.plan].inbound_daily_quota;
    const today = wallTime(clock.now(), organisation.time_zone).date;
    return {
      signature_required: hook.signature_required,
      quota_date: hook.quota_date,
      quota_used: hook.quota_used,
      used_today: hook.quota_date === today ? hook.quota_used : 0,
      /** Null if the plan has no limit; then requests are not counted. */
      daily_quota: limit === "unlimited" ? null : limit,
    };
  }

  async byToken(token: string): Promise<HookWithOrganisation> {
    const hook = TOKEN.test(token) ? await hookByToken(this.deps.db.reader, sha256Hex(token)) : undefined;
    if (!hook) throw new AppError("UNAUTHORIZED", "The token in the address is not valid.");
    return hook;
  }

  /** Rejects when the daily quota is used up, without counting. */
  assertQuotaLeft(hook: HookWithOrganisation): void {
    const { clock, config } = this.deps;
    const limit = config.plans[hook.plan].inbound_daily_quota;
    const today = wallTime(clock.now(), hook.time_zone).date;
    if (limit !== "unlimited" && hook.quota_date === today && hook.quota_used >= limit)
      throw quotaExceeded(clock.now(), hook.time_zone);
  }

  async countRequest(hook: HookWithOrganisation): Promise<void> {
    const { db, clock, config } = this.deps;
    const limit = config.plans[hook.plan].inbound_daily_quota;
    if (limit === "unlimited") return;
    const today = wallTime(clock.now(), hook.time_zone).date;
    const counted = await db.write((tx) => countRequest(tx, hook.organisation_id, today, limit));
    if (!counted) throw quotaExceeded(clock.now(), hook.time_zone);
  }

  /** Over the received bytes: a body that was parsed and serialised again differs. */
  assertSignature(hook: HookWithOrganisation, headers: Headers, rawBody: Uint8Array): void {
    const { clock, secrets } = this.deps;
    if (!hook.signature_required) return;
    const timestamp = headers.get("x-inbound-timestamp")?.trim() ?? "";
    const signature = headers.get("x-inbound-signature")?.trim() ?? "";
    assertRecent(timestamp, signature, clock.now());
    const secret = secrets.open(hook.sealed_signing_secret, HOOK_PURPOSE);
    const expected = hmacSha256(secret, `${timestamp}.`, rawBody).toString("hex");
    if (!equalInConstantTime(expected, signature))
      throw new AppError(
        "UNAUTHORIZED",
        "X-Inbound-Signature is wrong. Send the lowercase hex HMAC-SHA256 of the timestamp, a dot and the raw body, keyed with the whole signing secret (whin_…).",
      );
  }
}

export const createHookService = (deps: HookServiceDeps): HookService => new HookService(deps);

/** Names the missing header, or the clock difference. */
function assertRecent(timestamp: string, signature: string, now: number): void {
  const missing = [
    ...(timestamp === "" ? ["X-Inbound-Timestamp"] : []),
    ...(signature === "" ? ["X-Inbound-Signature"] : []),
  ];
  if (missing.length > 0)
    throw new AppError("UNAUTHORIZED", `${missing.join(" and ")} missing. This address takes signed requests only.`);
  if (!/^[0-9]{1,12}$/.test(timestamp))
    throw new AppError("UNAUTHORIZED", "X-Inbound-Timestamp must be Unix seconds, ten digits, not milliseconds.");
  const behindMs = now - Number(timestamp) * SECOND_MS;
  if (Math.abs(behindMs) <= SIGNATURE_TOLERANCE_MS) return;
  const seconds = Math.round(Math.abs(behindMs) / SECOND_MS);
  throw new AppError(
    "UNAUTHORIZED",
    `X-Inbound-Timestamp is ${seconds} seconds ${behindMs > 0 ? "behind" : "ahead of"} this server's clock; at most ${SIGNATURE_TOLERANCE_MS / SECOND_MS} are allowed. Sign each request when it is sent, and check both clocks.`,
  );
}

function quotaExceeded(now: number, zone: string): AppError {
  const midnight = instantOf(addDays(wallTime(now, zone).date, 1), 0, zone);
  return new AppError(
    "QUOTA_EXCEEDED",
    "The daily quota of the inbound webhook is used up. It resets at local midnight.",
    { retryAfterSeconds: (midnight - now) / SECOND_MS },
  );
}
