// Creates a campaign from a list, or predicts its outcome in a dry run.
import { createHmac } from "node:crypto";
import type { Actor } from "../core/actor.ts";
import { callableAgent } from "../calls/checked-call.ts";
import { agentWords } from "../calls/call/agent-words.ts";
import type { Config } from "../config/schema.ts";
import { MINUTE_MS, toIso } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Tx } from "../db/tables.ts";
import { storedIdentifiers } from "../payloads/identifiers.ts";
import { countOpen, openWithList } from "./campaign-store.ts";
import { checkedCampaign, type CheckedCampaign, type CheckedRow } from "./checked-campaign.ts";
import { numbersOnDoNotDisturb } from "../lists/known-numbers-store.ts";
import type { CampaignDryRun, CampaignInput, CreatedCampaign } from "./model.ts";
import type { Campaign, CampaignPerson } from "./records.ts";
import type { CampaignServiceDeps } from "./service-deps.ts";

type MakingDeps = Pick<
  CampaignServiceDeps,
  "db" | "clock" | "ids" | "config" | "audit" | "readNotes" | "wake" | "preparations" | "secrets"
>;

export interface CampaignOrigin {
  /** Closure that the campaign calls about. */
  closureId?: string;
  /** For uploads by a person: the same list is rejected while an earlier campaign with it is open. */
  isOnlyOnce?: boolean;
}

/** Errors listed if no campaign was created. */
const MOST_TOLD = 20;

export function createCampaignMaking(deps: MakingDeps) {
  const { db, clock, ids, config, audit, readNotes, wake, preparations, secrets } = deps;
  const hashKey = secrets.deriveKey("campaign-lists");
  return {
    /** `alongside` runs in the transaction that completes the campaign. */
    async create(
      organisationId: string,
      input: CampaignInput,
      actor: Actor,
      alongside: Alongside<CreatedCampaign> = async () => {},
      origin: CampaignOrigin = {},
    ): Promise<CreatedCampaign> {
      const now = clock.now();
      const checked = await checkedCampaign(db.reader, organisationId, input, config, now);
      const { accepted, refused } = checked;
      if (accepted.length === 0) throw noneAccepted(checked);
      const made = { ...newCampaign(ids, organisationId, checked, now), closure_id: origin.closureId ?? null };
      const rows = accepted.map((row) => newRow(made, row));
      const campaign = { ...made, list_hash: origin.isOnlyOnce ? hashOf(hashKey, made, rows) : null };
      const created = { campaign_id: campaign.id, accepted: accepted.length, refused };
      await preparations.write(
        campaign,
        rows,
        async (tx) => {
          // The agent may have been archived, or have lost its number, since the check.
          await callableAgent(tx, organisationId, campaign.agent_id);
          await assertNotHandedIn(tx, campaign);
          await assertRoom(tx, organisationId, config.campaigns.at_once);
        },
        async (tx) => {
          const detail = { accepted: accepted.length, refused: refused.length };
          await audit.record(tx, { organisationId, actor, action: "campaign.created", subjectId: campaign.id, detail });
          await alongside(tx, created);
        },
      );
      wake();
      return created;
    },

    /** Reveals which numbers are on the do-not-disturb list, so it is recorded as a read. */
    async check(organisationId: string, input: CampaignInput, actor: Actor): Promise<CampaignDryRun> {
      const checked = await checkedCampaign(db.reader, organisationId, input, config, clock.now());
      await readNotes.note({ organisationId, actor, action: "campaign.dry_run", subjectId: checked.agent.id });
      const numbers = [...new Set(checked.accepted.map(({ contactNumber }) => contactNumber))];
      const listed = await numbersOnDoNotDisturb(db.reader, organisationId, numbers);
      const doNotDisturb = checked.accepted.filter(({ contactNumber }) => listed.has(contactNumber));
      return dryRunOf(
        checked,
        doNotDisturb.map(({ row }) => row),
      );
    },
  };
}

/** Prevents a double upload, by two people or a double click, which would call each person twice. */
async function assertNotHandedIn(tx: Tx, { organisation_id, list_hash }: Campaign): Promise<void> {
  const same = list_hash === null ? undefined : await openWithList(tx, organisation_id, list_hash);
  if (!same) return;
  throw new AppError(
    "CONFLICT",
    `This very list is being called already: "${same.name}". Stop that campaign first, or change the list.`,
  );
}

function hashOf(key: Uint8Array, { agent_id }: Campaign, rows: readonly CampaignPerson[]): string {
  const hash = createHmac("sha256", key).update(agent_id);
  for (const { contact_number, contact_name, additional_info, user_identifiers } of rows) {
    const words = [contact_number, contact_name, additional_info && JSON.stringify(additional_info)];
    hash.update(`\n${JSON.stringify(user_identifiers === null ? words : [...words, user_identifiers])}`);
  }
  return hash.digest("base64url");
}

async function assertRoom(tx: Tx, organisationId: string, most: Config["campaigns"]["at_once"]): Promise<void> {
  if (most === "unlimited" || (await countOpen(tx, organisationId)) < most) return;
  throw new AppError(
    "PLAN_LIMIT_REACHED",
    `${most} campaigns may be open at once. Wait until one has finished, or stop one.`,
  );
}

function noneAccepted({ refused }: CheckedCampaign): AppError {
  const details = refused
    .slice(0, MOST_TOLD)
    .map(({ row, field, message }) => ({ field: `rows.${row}.${field}`, message: `Row ${row}: ${message}` }));
  return new AppError("VALIDATION_ERROR", `No row can be called. ${details[0]?.message ?? ""}`, { details });
}

function newCampaign(ids: Ids, organisationId: string, checked: CheckedCampaign, now: number): Campaign {
  return {
    id: ids.next("cmp"),
    organisation_id: organisationId,
    agent_id: checked.agent.id,
    name: checked.name,
    state: "preparing",
    row_count: checked.accepted.length,
    start_at: checked.startAt,
    calls_per_minute: checked.callsPerMinute,
    calling_hours: checked.callingHours,
    retry: checked.retry,
    next_call_at: checked.startAt,
    look_at: checked.startAt,
    created_at: now,
    updated_at: now,
    finished_at: null,
    forgotten_at: null,
    list_hash: null,
    closure_id: null,
  };
}

function newRow(campaign: Campaign, row: CheckedRow): CampaignPerson {
  return {
    campaign_id: campaign.id,
    row_number: row.row,
    state: "waiting",
    outcome: null,
    attempts: 0,
    due_at: Math.max(campaign.start_at, row.scheduledAt ?? 0),
    call_id: null,
    contact_number: row.contactNumber,
    contact_name: row.contactName,
    contact_email: row.contactEmail,
    preferred_language: row.preferredLanguage,
    contact_time_zone: row.place?.timeZone ?? null,
    contact_region: row.place?.region ?? null,
    additional_info: row.additionalInfo,
    user_identifiers: storedIdentifiers(row.identifiers ?? []),
  };
}

function dryRunOf(checked: CheckedCampaign, doNotDisturb: number[]): CampaignDryRun {
  const { agent, accepted, refused, missing, startAt, callsPerMinute } = checked;
  const [example] = accepted;
  return {
    dry_run: true,
    accepted: accepted.length,
    refused,
    duplicates: duplicatesIn(accepted),
    do_not_disturb: doNotDisturb,
    missing_placeholders: [...missing].map(([name, rows]) => ({ name, rows })),
    greeting: example ? (agentWords(agent, example)?.greeting ?? null) : null,
    starts_at: toIso(startAt),
    ends_at: toIso(startAt + Math.ceil((Math.max(0, accepted.length - 1) * MINUTE_MS) / callsPerMinute)),
  };
}

function duplicatesIn(rows: readonly CheckedRow[]): CampaignDryRun["duplicates"] {
  const firstWith = new Map<string, number>();
  return rows.flatMap(({ row, contactNumber }) => {
    const first = firstWith.get(contactNumber);
    if (first !== undefined) return [{ row, same_as: first }];
    firstWith.set(contactNumber, row);
    return [];
  });
}
