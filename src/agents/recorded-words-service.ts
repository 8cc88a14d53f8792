// Recorded phrases of an agent: uploaded as WAV, stored as 8 kHz samples, passed to the carrier by key.
import { createHash } from "node:crypto";
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Files } from "../core/file-job.ts";
import type { Database } from "../db/database.ts";
import type { Executor } from "../db/tables.ts";
import type { RecordedWords } from "../payloads/recorded-words.ts";
import { isRecordedKind, RECORDED_KINDS, type RecordedKind } from "../payloads/recorded-words.ts";
import {
  deleteRecordedWords,
  recordedDigests,
  recordedWords,
  allRecordedWords,
  putRecordedWords,
} from "./recorded-words-store.ts";
import { pcmWav, samplesOf } from "./recorded-words-wav.ts";
import { recordingJob } from "./recording-job.ts";
import type { RecordedPhrase } from "./records.ts";
import { agentById } from "./store.ts";

/** Ninety seconds is the limit of a recording; in 16 bits at 24 kHz that is 4.3 MB. */
export const MOST_RECORDED_BYTES = 5 * 1_024 * 1_024;
const LONGEST_FILE_NAME = 200;

export interface RecordedWordsView {
  kind: RecordedKind;
  file_name: string;
  seconds: number;
  /** SHA-256 of the audio, in hex. */
  digest: string;
  created_at: string;
  /** The recording does not name the current keys and should be replaced. */
  is_outdated: boolean;
}

export function createRecordedWordsService(deps: { db: Database; clock: Clock; audit: Audit; files: Files }) {
  const { db, clock, audit, files } = deps;

  async function assertAgent(executor: Executor, organisationId: string, agentId: string): Promise<void> {
    if (!(await agentById(executor, organisationId, agentId))) {
      throw new AppError("NOT_FOUND", "There is no agent with this id.");
    }
  }

  return {
    async put(
      organisationId: string,
      agentId: string,
      kind: string,
      fileName: string,
      bytes: Uint8Array,
      actor: Actor,
    ): Promise<RecordedWordsView> {
      // Authorisation first, so that unauthorised requests cost no decoding.
      await assertAgent(db.reader, organisationId, agentId);
      const known = checkedKind(kind);
      if (bytes.byteLength > MOST_RECORDED_BYTES) {
        throw new AppError("PAYLOAD_TOO_LARGE", `A recording may have at most ${MOST_RECORDED_BYTES / 1_024 ** 2} MB.`);
      }
      const { bytes: samples, seconds } = await files.read(organisationId, recordingJob, { bytes }, {});
      const row: RecordedPhrase = {
        agent_id: agentId,
        kind: known,
        file_name: checkedFileName(fileName),
        seconds,
        digest: createHash("sha256").update(samples).digest("hex"),
        samples,
        created_at: clock.now(),
        is_outdated: false,
      };
      return db.write(async (tx) => {
        await putRecordedWords(tx, row);
        const detail = { kind: known, seconds: Math.round(row.seconds) };
        // Legacy name, kept because stored entries, filters and exports use it.
        await audit.record(tx, { organisationId, actor, action: "agent.prompt_set", subjectId: agentId, detail });
        return recordedWordsView(row);
      });
    },

    async remove(organisationId: string, agentId: string, kind: string, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        await assertAgent(tx, organisationId, agentId);
        const known = checkedKind(kind);
        if (!(await deleteRecordedWords(tx, agentId, known))) throw noRecordedWords(known);
        const detail = { kind: known };
        await audit.record(tx, { organisationId, actor, action: "agent.prompt_removed", subjectId: agentId, detail });
      });
    },

    /** In the order in which a call plays them. */
    async list(organisationId: string, agentId: string): Promise<RecordedWordsView[]> {
      await assertAgent(db.reader, organisationId, agentId);
      const rows = await allRecordedWords(db.reader, agentId);
      return rows
        .map(recordedWordsView)
        .toSorted((a, b) => RECORDED_KINDS.indexOf(a.kind) - RECORDED_KINDS.indexOf(b.kind));
    },

    /** For listening: 16-bit PCM at 8 kHz, as played on calls. */
    async wav(organisationId: string, agentId: string, kind: string): Promise<Uint8Array> {
      await assertAgent(db.reader, organisationId, agentId);
      const known = checkedKind(kind);
      const row = await recordedWords(db.reader, agentId, known);
      if (!row) throw noRecordedWords(known);
      return pcmWav(row.samples);
    },

    /** References passed to the carrier at each dial. */
    async refsOf(executor: Executor, agentId: string): Promise<RecordedWords[]> {
      const rows = await recordedDigests(executor, agentId);
      return rows.map(({ kind, digest }) => ({ kind, key: keyOf(agentId, kind, digest) }));
    },

    /** Throws if the recording was replaced or removed after its key was issued. */
    async load(key: string): Promise<Int16Array> {
      const [agentId = "", kind = "", digest = ""] = key.split("/");
      const row = isRecordedKind(kind) ? await recordedWords(db.reader, agentId, kind) : undefined;
      if (row?.digest !== digest) throw new AppError("NOT_FOUND", "This recording was replaced or removed.");
      return samplesOf(row.samples);
    },
  };
}

export type RecordedWordsService = ReturnType<typeof createRecordedWordsService>;

function keyOf(agentId: string, kind: RecordedKind, digest: string): string {
  return `${agentId}/${kind}/${digest}`;
}

function checkedKind(kind: string): RecordedKind {
  if (!isRecordedKind(kind)) throw invalidField("kind", `kind must be one of ${RECORDED_KINDS.join(", ")}.`);
  return kind;
}

/** Keeps the last path segment, without characters that file names cannot contain. */
function checkedFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const text = last.replaceAll(/\p{Cc}/gu, "").trim();
  return text === "" ? "recording.wav" : text.slice(0, LONGEST_FILE_NAME);
}

function noRecordedWords(kind: RecordedKind): AppError {
  return new AppError("NOT_FOUND", `This agent has no recording for ${kind}.`);
}

function recordedWordsView(row: Omit<RecordedPhrase, "samples">): RecordedWordsView {
  return {
    kind: row.kind,
    file_name: row.file_name,
    seconds: row.seconds,
    digest: row.digest,
    created_at: toIso(row.created_at),
    is_outdated: row.is_outdated,
  };
}
