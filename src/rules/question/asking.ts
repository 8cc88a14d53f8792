// Sends one signed question and reads its answer.
import { SECOND_MS, toIso, type Clock } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import { QUESTION_PURPOSE } from "../../db/sealed-secrets.ts";
import type { SafePost } from "../../events/safe-post/safe-post.ts";
import type { SigningSecrets } from "../../events/signing.ts";
import type { Purpose } from "../../payloads/lawful.ts";
import { answerIn, QUESTION_TIMEOUT_MS, type Answer } from "./answer.ts";
import type { QuestionSettings } from "./records.ts";

/** The number and ids. The hospital knows who it is; the name is not sent. */
export interface QuestionData {
  call_id: string;
  agent_id: string;
  purpose: Purpose;
  user_number: string;
  scheduled_at: string;
  /** 1 for the first call, more for a retry. */
  attempt: number;
  /** Sent by "Try it": no call waits for the answer. */
  test?: true;
}

export interface AskingDeps {
  clock: Clock;
  ids: Ids;
  secrets: SecretBox;
  safePost: SafePost;
}

/** Signature header of the contract: an odd count is signed by the current secret; see signing.ts. */
const BY_CURRENT_SECRET = 1;

export interface Asked {
  answer: Answer;
  durationMs: number;
}

/** Throws only if the secret cannot be opened. */
export async function askOnce(deps: AskingDeps, settings: QuestionSettings, data: QuestionData): Promise<Asked> {
  const { clock, ids, safePost } = deps;
  const at = clock.now();
  const id = ids.next("qst");
  const body = JSON.stringify({ question_id: id, type: "call.question", asked_at: toIso(at), data });
  const result = await safePost.post({
    url: settings.url,
    body,
    timeoutMs: QUESTION_TIMEOUT_MS,
    toSign: {
      eventId: id,
      unixSeconds: Math.floor(at / SECOND_MS),
      attempts: BY_CURRENT_SECRET,
      secrets: signingSecrets(deps, settings, at),
    },
  });
  return { answer: answerIn(result, clock.now()), durationMs: Math.round(result.durationMs) };
}

function signingSecrets({ secrets }: AskingDeps, row: QuestionSettings, now: number): SigningSecrets {
  const { sealed_secret, sealed_previous_secret: previous, previous_secret_until: until } = row;
  return {
    current: secrets.open(sealed_secret, QUESTION_PURPOSE),
    previous: previous !== null && until !== null && until > now ? secrets.open(previous, QUESTION_PURPOSE) : null,
  };
}
