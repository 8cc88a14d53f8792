// Settings of the question before a call: address, what happens without an answer, and the signing secret.
import { updateOrganisation } from "../../accounts/organisation-store.ts";
import type { Audit } from "../../accounts/audit.ts";
import type { Actor } from "../../core/actor.ts";
import { SECOND_MS, toIso } from "../../core/clock.ts";
import { assertUnchanged } from "../../core/entity-tag.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import { QUESTION_PURPOSE } from "../../db/sealed-secrets.ts";
import type { Executor } from "../../db/tables.ts";
import { ROTATION_OVERLAP_MS } from "../../events/retry-schedule.ts";
import { newSigningSecret } from "../../events/signing.ts";
import { QUESTION_FAILS, type QuestionFails } from "../../payloads/call-question.ts";
import type { Purpose } from "../../payloads/lawful.ts";
import { QUESTION_TIMEOUT_MS } from "./answer.ts";
import { askOnce, type AskingDeps } from "./asking.ts";
import { deleteQuestion, insertQuestion, questionSettingsOf, updateQuestion } from "./question-store.ts";
import type { QuestionSettings } from "./records.ts";

export interface QuestionServiceDeps extends AskingDeps {
  db: Database;
  audit: Audit;
  /** The dispatcher looks at waiting calls again. */
  wake: () => void;
}

export interface QuestionInput {
  url: string;
  /** `open` or `closed`. */
  fails: string;
}

const TEST_DATA = {
  call_id: "call_test",
  agent_id: "agt_test",
  purpose: "service" satisfies Purpose,
  user_number: "+919810012345",
  attempt: 1,
  test: true,
} as const;

export function createQuestionService(deps: QuestionServiceDeps) {
  const { db, clock, ids, audit, secrets, safePost, wake } = deps;

  return {
    /** Null if the organisation asks nothing. */
    async get(organisationId: string) {
      const row = await questionSettingsOf(db.reader, organisationId);
      return row ? viewOf(row, clock.now()) : null;
    },

    /** Creates or changes it. `secret` is set at its creation alone. */
    async set(organisationId: string, input: QuestionInput, actor: Actor) {
      safePost.checkUrl(input.url);
      const fails = checkedFails(input.fails);
      const saved = await db.write(async (tx) => {
        const now = clock.now();
        const before = await questionSettingsOf(tx, organisationId);
        if (before) assertUnchanged(actor, viewOf(before, now));
        const secret = before ? null : newSigningSecret(ids);
        if (secret === null) await updateQuestion(tx, organisationId, { url: input.url, fails, updated_at: now });
        else {
          await insertQuestion(tx, {
            organisation_id: organisationId,
            url: input.url,
            fails,
            sealed_secret: secrets.seal(secret, QUESTION_PURPOSE),
            sealed_previous_secret: null,
            previous_secret_until: null,
            created_at: now,
            updated_at: now,
          });
          await updateOrganisation(tx, organisationId, { asks_before_calls: true, updated_at: now });
        }
        await audit.record(tx, { organisationId, actor, action: "question.changed", detail: { fails } });
        return { ...viewOf(await mustFind(tx, organisationId), now), secret };
      });
      wake();
      return saved;
    },

    /** The old secret signs too for a day, in `webhook-signature`. */
    async rotateSecret(organisationId: string, actor: Actor) {
      const secret = newSigningSecret(ids);
      return db.write(async (tx) => {
        const now = clock.now();
        const { sealed_secret } = await mustFind(tx, organisationId);
        const isOpen = opens(secrets, sealed_secret);
        await updateQuestion(tx, organisationId, {
          sealed_secret: secrets.seal(secret, QUESTION_PURPOSE),
          sealed_previous_secret: isOpen ? sealed_secret : null,
          previous_secret_until: isOpen ? now + ROTATION_OVERLAP_MS : null,
          updated_at: now,
        });
        await audit.record(tx, { organisationId, actor, action: "question.secret_rotated" });
        return { ...viewOf(await mustFind(tx, organisationId), now), secret };
      });
    },

    async remove(organisationId: string, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        await mustFind(tx, organisationId);
        await deleteQuestion(tx, organisationId);
        await updateOrganisation(tx, organisationId, { asks_before_calls: false, updated_at: clock.now() });
        await audit.record(tx, { organisationId, actor, action: "question.removed" });
      });
      wake();
    },

    tryIt: createTrying(deps),
  };
}

export type QuestionService = ReturnType<typeof createQuestionService>;

/** Sends a test question, and returns the answer as a call would receive it. */
function createTrying(deps: QuestionServiceDeps) {
  const { db, clock, audit } = deps;
  /** Organisations with a test question under way. */
  const trying = new Set<string>();

  return async (organisationId: string, actor: Actor) => {
    const settings = await mustFind(db.reader, organisationId);
    if (trying.has(organisationId)) {
      throw new AppError("RATE_LIMITED", "A test question is under way. Try again in a moment.", {
        retryAfterSeconds: QUESTION_TIMEOUT_MS / SECOND_MS,
      });
    }
    trying.add(organisationId);
    const data = { ...TEST_DATA, scheduled_at: toIso(clock.now()) };
    const { durationMs, answer } = await askOnce(deps, settings, data).finally(() => trying.delete(organisationId));
    await db.write((tx) =>
      audit.record(tx, { organisationId, actor, action: "question.tried", detail: { answer: answer.kind } }),
    );
    return {
      answer: answer.kind,
      until: answer.kind === "wait" ? toIso(answer.until) : null,
      reason: answer.kind === "drop" ? answer.reason : null,
      problem: answer.kind === "failed" ? answer.detail : null,
      duration_ms: durationMs,
    };
  };
}

async function mustFind(executor: Executor, organisationId: string): Promise<QuestionSettings> {
  const row = await questionSettingsOf(executor, organisationId);
  if (!row) throw new AppError("NOT_FOUND", "No address is asked before calls. Set one first.");
  return row;
}

function checkedFails(value: string): QuestionFails {
  const fails = QUESTION_FAILS.find((known) => known === value);
  if (fails === undefined) throw invalidField("fails", "fails must be open or closed.");
  return fails;
}

function viewOf(row: QuestionSettings, now: number) {
  const until = row.previous_secret_until;
  return {
    url: row.url,
    fails: row.fails,
    previous_secret_until: until !== null && until > now ? toIso(until) : null,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

/** A secret under a lost key signs nothing more. */
function opens(secrets: SecretBox, sealed: string): boolean {
  try {
    secrets.open(sealed, QUESTION_PURPOSE);
    return true;
  } catch {
    return false;
  }
}
