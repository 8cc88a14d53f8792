// Pronunciation list of an organisation.
import type { Audit } from "../accounts/audit.ts";
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Executor } from "../db/tables.ts";
import { LONGEST_RESPELLING, soundsOfRespelling } from "../speech/tts/neural/respelling.ts";
import { isOneWord, LONGEST_WORD, wordKeyOf, type Pronunciation } from "../speech/tts/pronunciation.ts";
import { deletePronunciation, pronunciationsOf, putPronunciation } from "./pronunciation-store.ts";

/** Sent with every call; covers the doctors, departments and medicines of a hospital. */
export const MOST_PRONUNCIATIONS = 500;

export function createPronunciationService({ db, clock, audit }: { db: Database; clock: Clock; audit: Audit }) {
  async function of(executor: Executor, organisationId: string): Promise<Pronunciation[]> {
    const rows = await pronunciationsOf(executor, organisationId);
    return rows.map(({ word, said }) => ({ word, said }));
  }

  return {
    /** The list for a call's agent. */
    of,
    list: (organisationId: string): Promise<Pronunciation[]> => of(db.reader, organisationId),

    async put(organisationId: string, given: Pronunciation, actor: Actor): Promise<Pronunciation> {
      const { word, said } = checked(given);
      const wordKey = wordKeyOf(word);
      await db.write(async (tx) => {
        const known = await pronunciationsOf(tx, organisationId);
        const isNew = known.every(({ word_key }) => word_key !== wordKey);
        if (isNew && known.length >= MOST_PRONUNCIATIONS) {
          throw new AppError(
            "CONFLICT",
            `The list has ${MOST_PRONUNCIATIONS} words, and more are not allowed. Remove one that is no longer needed.`,
          );
        }
        const row = { organisation_id: organisationId, word_key: wordKey, word, said, updated_at: clock.now() };
        await putPronunciation(tx, row);
        await audit.record(tx, { organisationId, actor, action: "pronunciation.set" });
      });
      return { word, said };
    },

    async remove(organisationId: string, word: string, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        if (!(await deletePronunciation(tx, organisationId, wordKeyOf(word)))) {
          throw new AppError("NOT_FOUND", "This word is not on the list.");
        }
        await audit.record(tx, { organisationId, actor, action: "pronunciation.removed" });
      });
    },
  };
}

export type PronunciationService = ReturnType<typeof createPronunciationService>;

function checked(given: Pronunciation): Pronunciation {
  const [word, said] = [given.word.trim(), given.said.trim()];
  if (!isOneWord(word)) {
    throw invalidField("word", `word must be a single word of at most ${LONGEST_WORD} letters, such as Sharma.`);
  }
  if (soundsOfRespelling(said) === null) {
    throw invalidField(
      "said",
      `said must be written in syllables of simple letters with the stressed one in capitals, such as SHAR-ma, or in ARPAbet, such as SH AA1 R M AH0; ${LONGEST_RESPELLING} characters are the most.`,
    );
  }
  return { word, said };
}
