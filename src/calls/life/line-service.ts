// Line diagnostics of a call: SIP ladder, audio statistics and packets.
import type { Actor } from "../../core/actor.ts";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import { toIso } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { StoredPath } from "../../core/stored-file.ts";
import type { Database } from "../../db/database.ts";
import type { Captures } from "../../media/captures.ts";
import type { LineMessage, MediaStats } from "../../telephony/line-report.ts";
import { pcapOf } from "../../telephony/pcap.ts";
import { lineOf, trunkIdOfNumber, trunkName } from "./line-store.ts";
import { ladderText } from "./ladder-text.ts";
import { callOf } from "../call/store.ts";

export interface LineServiceDeps {
  db: Database;
  readNotes: ReadNotes;
  captures: Pick<Captures, "exists" | "fileOf">;
  /** Ladder of a live call so far; null if the call is not live or no trunk carries it. */
  live: (callId: string) => readonly LineMessage[] | null;
}

interface Line {
  trunkId: string | null;
  trace: readonly LineMessage[];
  media: MediaStats | null;
  captureFile: string | null;
}

/** The capture, or the packets. */
export type PacketsOfCall = { file: StoredPath } | { bytes: Uint8Array<ArrayBuffer> };

export function createLineService({ db, readNotes, captures, live }: LineServiceDeps) {
  /** Empty for calls without a trunk, such as simulated ones. */
  async function find(organisationId: string, callId: string): Promise<Line> {
    const call = await callOf(db.reader, organisationId, callId);
    if (!call) throw new AppError("NOT_FOUND", "There is no call with this id.");
    const row = await lineOf(db.reader, callId);
    if (!row) {
      const trunkId = call.phone_number_id === null ? null : await trunkIdOfNumber(db.reader, call.phone_number_id);
      return { trunkId, trace: live(callId) ?? [], media: null, captureFile: null };
    }
    return {
      trunkId: row.trunk_id,
      trace: JSON.parse(row.trace) as LineMessage[],
      media: row.media === null ? null : (JSON.parse(row.media) as MediaStats),
      captureFile: row.capture_file !== null && captures.exists(row.capture_file) ? row.capture_file : null,
    };
  }

  async function findWhatWasSaid(organisationId: string, callId: string): Promise<Line> {
    const line = await find(organisationId, callId);
    if (line.trace.length > 0 || line.captureFile !== null) return line;
    throw new AppError("NOT_FOUND", "No trunk carried this call, so there are no messages of it.");
  }

  async function noteDownload(
    organisationId: string,
    callId: string,
    actor: Actor,
    form: "text" | "packets",
  ): Promise<void> {
    await readNotes.note({
      organisationId,
      actor,
      action: "call.line_downloaded",
      subjectId: callId,
      detail: { form },
    });
  }

  return {
    async read(organisationId: string, callId: string, actor: Actor) {
      const { trunkId, trace, media, captureFile } = await find(organisationId, callId);
      await readNotes.note({ organisationId, actor, action: "call.line_read", subjectId: callId });
      return {
        trunk_name: trunkId === null ? null : await trunkName(db.reader, trunkId),
        messages: trace.map(messageView),
        media: media === null ? null : mediaView(media),
        has_capture: captureFile !== null,
      };
    },

    async text(organisationId: string, callId: string, actor: Actor): Promise<string> {
      const { trunkId, trace } = await findWhatWasSaid(organisationId, callId);
      await noteDownload(organisationId, callId, actor, "text");
      return ladderText(callId, trunkId === null ? null : await trunkName(db.reader, trunkId), trace);
    },

    /** The capture with audio, if capturing was on before the call; otherwise the SIP messages as packets. */
    async packets(organisationId: string, callId: string, actor: Actor): Promise<PacketsOfCall> {
      const { trace, captureFile } = await findWhatWasSaid(organisationId, callId);
      await noteDownload(organisationId, callId, actor, "packets");
      return captureFile === null ? { bytes: pcapOf(trace, null) } : { file: captures.fileOf(captureFile) };
    },
  };
}

export type LineService = ReturnType<typeof createLineService>;
export type LineView = Awaited<ReturnType<LineService["read"]>>;
export type LineMessageView = ReturnType<typeof messageView>;
export type MediaView = ReturnType<typeof mediaView>;

function messageView({ atMs, direction, peer, firstLine, text }: LineMessage, _: number, all: readonly LineMessage[]) {
  return {
    at: toIso(atMs),
    /** Since the first message. */
    after_ms: atMs - (all[0]?.atMs ?? atMs),
    direction,
    peer,
    first_line: firstLine,
    text,
  };
}

function mediaView(media: MediaStats) {
  return {
    sent_packets: media.sentPackets,
    received_packets: media.receivedPackets,
    lost_packets: media.lostPackets,
    late_packets: media.latePackets,
    /** Packets from an unexpected source, or of a format that was not negotiated. */
    ignored_packets: media.ignoredPackets,
    loss_share: media.lossShare,
    jitter_ms: media.jitterMs,
    jitter_buffer_ms: media.jitterBufferMs,
    gaps: media.gaps,
    round_trip_ms: media.roundTripMs,
    remote_loss_share: media.remoteLossShare,
    remote_jitter_ms: media.remoteJitterMs,
    mos: media.mos,
    one_way_audio: media.oneWayAudio,
    /** As in SDP; null if unknown. */
    codec: media.codec ?? null,
    /** Null without encryption. */
    encryption: media.encryption ? { suite: media.encryption.suite, is_whole: media.encryption.isWhole } : null,
  };
}
