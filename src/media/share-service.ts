// Public sharing of calls: a switch per organisation with one token per call, and links of single calls. Switching it
// off also disables the tokens that it made.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { updateOrganisation } from "../accounts/organisation-store.ts";
import { DAY_MS, HOUR_MS, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { equalInConstantTime } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { ShareExpiry } from "../accounts/records.ts";
import type { LinksOf } from "../events/media-port.ts";
import type { MediaLinks } from "./links.ts";
import type { CallShare } from "./records.ts";
import { createSingleShares } from "./single-shares.ts";
import { isCallThere, replaceShare, shareOfCall, sharingOf } from "./share-store.ts";

/** Lifetime of newly issued links. */
const LIFE_MS: Readonly<Record<ShareExpiry, number | null>> = {
  none: null,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

/** Our tokens have 32 characters. A longer one is rejected without a database query. */
const LONGEST_TOKEN = 100;

export const SHARE_EXPIRIES = Object.keys(LIFE_MS) as ShareExpiry[];

interface ShareDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  links: MediaLinks;
  baseUrl: string;
}

export function createShareService(deps: ShareDeps) {
  const { db, clock, ids, audit, links, baseUrl } = deps;

  const isLive = (share: CallShare) => share.expires_at === null || share.expires_at > clock.now();

  /**
   * The call's token, issued now if it has none or an expired one; null while sharing is off, or if the call was
   * erased.
   */
  async function tokenFor(organisationId: string, callId: string): Promise<string | null> {
    const sharing = await sharingOf(db.reader, organisationId);
    if (!sharing?.share_calls) return null;
    const present = await shareOfCall(db.reader, callId);
    if (present && isLive(present)) return present.token;
    return db.write(async (tx) => {
      // Two deliveries of one call may race; the second finds the token of the first.
      const other = await shareOfCall(tx, callId);
      if (other && isLive(other)) return other.token;
      if (!(await isCallThere(tx, callId))) return null;
      const now = clock.now();
      const lifeMs = LIFE_MS[sharing.share_expiry];
      const token = ids.secret(24);
      await replaceShare(tx, {
        call_id: callId,
        organisation_id: organisationId,
        token,
        created_at: now,
        expires_at: lifeMs === null ? null : now + lifeMs,
      });
      return token;
    });
  }

  const publicUrl = (callId: string, path: string, parameter: string, token: string) =>
    `${baseUrl}/public/call/${callId}${path}?${parameter}=${token}`;

  const detailsUrl = (callId: string, token: string) => publicUrl(callId, "/details", "share_token", token);
  const single = createSingleShares({ db, clock, ids, audit, urlOf: detailsUrl });

  const linksOf: LinksOf = async ({ organisationId, callId, hasRecording, hasTranscript }) => {
    const token = await tokenFor(organisationId, callId);
    const link = (file: "recording.wav" | "transcript.json") =>
      token === null ? links.sign(callId, file) : publicUrl(callId, `/${file}`, "token", token);
    return {
      recording: hasRecording ? link("recording.wav") : null,
      transcript: hasTranscript ? link("transcript.json") : null,
      detailsUrl: token === null ? null : publicUrl(callId, "/details", "share_token", token),
      shareToken: token,
    };
  };

  return {
    tokenFor,
    linksOf,
    detailsUrl,
    recordingUrl: (callId: string, token: string) => publicUrl(callId, "/recording.wav", "token", token),

    /** Links of single calls; they do not depend on the switch. */
    single,

    /**
     * Returns the call's organisation, and whether the call alone is shared. The error is the same for a wrong or
     * expired token, disabled sharing and an unknown call.
     */
    async assertShared(callId: string, token: string): Promise<{ organisationId: string; isSingle: boolean }> {
      const isPossible = token !== "" && token.length <= LONGEST_TOKEN;
      const alone = isPossible ? await single.opens(callId, token) : null;
      if (alone !== null) return { organisationId: alone, isSingle: true };
      const share = isPossible ? await shareOfCall(db.reader, callId) : undefined;
      const matches = equalInConstantTime(share?.token ?? "", token);
      if (share && matches && share.share_calls && isLive(share))
        return { organisationId: share.organisation_id, isSingle: false };
      throw new AppError("UNAUTHORIZED", "This link is not valid, or no longer.");
    },

    async status(organisationId: string) {
      const sharing = await sharingOf(db.reader, organisationId);
      return { enabled: sharing?.share_calls ?? false, expiry: sharing?.share_expiry ?? "none" };
    },

    configure: createConfigure(deps),
  };
}

export type ShareService = ReturnType<typeof createShareService>;

/** The switch for every call of an organisation, and how long its links live. */
function createConfigure({ db, clock, audit }: Pick<ShareDeps, "db" | "clock" | "audit">) {
  return async (
    organisationId: string,
    change: { enabled?: boolean; expiry?: string },
    actor: Actor,
  ): Promise<void> => {
    const expiry = change.expiry === undefined ? undefined : SHARE_EXPIRIES.find((known) => known === change.expiry);
    if (change.expiry !== undefined && !expiry)
      throw invalidField("expiry", `expiry must be one of ${SHARE_EXPIRIES.join(", ")}.`);
    await db.write(async (tx) => {
      await updateOrganisation(tx, organisationId, {
        ...(change.enabled === undefined ? {} : { share_calls: change.enabled }),
        ...(expiry === undefined ? {} : { share_expiry: expiry }),
        updated_at: clock.now(),
      });
      await audit.record(tx, { organisationId, actor, action: "sharing.changed", detail: { ...change } });
    });
  };
}
