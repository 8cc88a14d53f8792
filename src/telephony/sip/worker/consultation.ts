// Consultation: a second call beside an active one, to ask a person whether they take it, while the other side stays on
// the line. When they answer, both sides are bridged through us until one of them hangs up.
import { SECOND_MS } from "../../../core/clock.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { Logger } from "../../../core/logger.ts";
import { faultFields } from "../../../core/fault-fields.ts";
import type { ConsultEnd, Sound } from "../../port.ts";
import type { CallEnding, MediaPort, UserAgent } from "../call/user-agent-port.ts";
import { parseUri } from "../message/uri.ts";
import { SipParseError } from "../message/parse-error.ts";
import type { AudioStream } from "../../rtp/audio-stream.ts";
import type { MediaEngine } from "../../rtp/engine.ts";
import { playableOf } from "../../rtp/playable.ts";
import { createRelayedSound, type RelayedSound } from "../../rtp/relayed-sound.ts";

/** Ring timeout of a desk telephone; in an emergency the waiting side then gets the emergency number. */
const RINGS_MS = 25 * SECOND_MS;
const SIP_PORT = 5_060;

export interface Consultation {
  readonly legId: string;
  /** The ports of the second call; null until they are open. */
  readonly media: MediaPort | null;
  readonly isJoined: boolean;
  answered(): void;
  ended(ending: CallEnding): void;
  /** Audio of the first side, once they are bridged. */
  heard(frame: Int16Array): void;
  /** The first side hung up. */
  stop(): void;
}

export interface ConsultationOptions {
  logger: Logger;
  engine: MediaEngine;
  userAgent: Pick<UserAgent, "invite" | "hangUp">;
  legId: string;
  trunkId: string;
  from: string;
  /** As returned by numberOnTrunk. */
  to: string;
  codecOrder: readonly Codec[];
  /** The audio of the first call. */
  stream: AudioStream;
  /** Played to the target before they are bridged. */
  announcement: Sound | null;
  decided: (end: ConsultEnd) => void;
  /** The target hung up. */
  left: () => void;
  /** It was never sent: SIP will not report its end. */
  forget: () => void;
}

/**
 * The number that the trunk can dial for the target; null for an address of another host, which only the other side's
 * exchange can reach.
 */
export function numberOnTrunk(target: string, trunk: { host: string; port: number } | undefined): string | null {
  if (!/^sips?:/i.test(target)) return target;
  try {
    const { user, host, port } = parseUri(target);
    const isThere = host === trunk?.host.toLowerCase() && (port === null || port === (trunk.port || SIP_PORT));
    return isThere ? user : null;
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}

export function startConsultation(options: ConsultationOptions): Consultation {
  return new SecondCall(options);
}

class SecondCall implements Consultation {
  readonly legId: string;
  isJoined = false;
  #stream: AudioStream | null = null;
  #isOver = false;
  #isOnTheWire = false;
  readonly #toFirst = createRelayedSound();
  readonly #toSecond: RelayedSound = createRelayedSound();
  readonly #options: ConsultationOptions;

  constructor(options: ConsultationOptions) {
    this.#options = options;
    this.legId = options.legId;
    void this.#begin();
  }

  get media(): MediaPort | null {
    const stream = this.#stream;
    if (!stream) return null;
    const { localAddress, localPort } = stream;
    return { localAddress, localPort, negotiated: (remote) => this.#stream?.negotiated(remote) };
  }

  async #begin(): Promise<void> {
    const { logger, engine, userAgent, legId, trunkId, from, to, codecOrder, decided } = this.#options;
    try {
      const stream = await engine.open(legId, { recordingFile: null });
      if (this.#isOver) {
        await stream.close();
        return;
      }
      this.#stream = stream;
      this.#isOnTheWire = true;
      userAgent.invite({ callId: legId, trunkId, from, to, ringTimeoutMs: RINGS_MS, codecOrder, isTransfer: true });
    } catch (error) {
      logger.error("a second call could not be begun", { call_id: legId, ...faultFields(error) });
      this.#close();
      decided("refused");
    }
  }

  answered(): void {
    const second = this.#stream;
    if (!second || this.#isOver || this.isJoined) return;
    const { stream: first, announcement, decided } = this.#options;
    this.isJoined = true;
    second.answered();
    if (announcement?.samples) second.play(playableOf(announcement.samples), () => {});
    second.play(this.#toSecond, () => {});
    second.onFrame((frame) => this.#toFirst.push(frame));
    first.stopPlaying();
    first.play(this.#toFirst, () => {});
    decided("joined");
  }

  ended({ outcome }: CallEnding): void {
    if (this.#isOver) return;
    const { decided, left } = this.#options;
    const { isJoined } = this;
    this.#close();
    if (isJoined) left();
    else decided(outcome === "busy" || outcome === "no_answer" ? outcome : "refused");
  }

  heard(frame: Int16Array): void {
    if (this.isJoined) this.#toSecond.push(frame);
  }

  stop(): void {
    if (this.#isOver) return;
    if (this.#isOnTheWire) this.#options.userAgent.hangUp(this.legId);
    this.#close();
  }

  #close(): void {
    this.#isOver = true;
    if (!this.#isOnTheWire) this.#options.forget();
    this.#toFirst.end();
    this.#toSecond.end();
    void this.#stream?.close();
    this.#stream = null;
  }
}
