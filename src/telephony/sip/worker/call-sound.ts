// The audio of one call, from the opening of its ports until the recording is written.
import type { MediaStats } from "../../line-report.ts";
import type { AudioStream } from "../../rtp/audio-stream.ts";
import type { Recorded } from "../../rtp/recorder.ts";
import type { MediaPort } from "../call/user-agent-port.ts";

/**
 * An exchange reconnects the two sides at once when a transfer fails; the other side's audio is back within a second or
 * two.
 */
const BACK_WITHIN_MS = 5_000;
const NOT_RECORDED: Recorded = { recorded: false, seconds: 0 };

export class CallSound {
  #stream: AudioStream | null = null;
  #port: MediaPort | null = null;
  #recording: Promise<Recorded> | null = null;
  #figures: MediaStats | null = null;
  #talkedSeconds = 0;
  /** Received packets when a transfer failed; below any count if none did. */
  #packetsAtRefusal = -1;

  /** Null until its ports are open, and after they are closed. */
  get stream(): AudioStream | null {
    return this.#stream;
  }

  /**
   * For SIP, which keeps a call for 32 s after its end (RFC 3261, timers D and J). Not the stream itself, which would
   * keep its buffers and the agent in memory.
   */
  get port(): MediaPort | null {
    return this.#stream && this.#port;
  }

  get isClosed(): boolean {
    return this.#recording !== null;
  }

  /** Null if nothing was sent or received. Known once it is closed. */
  get figures(): MediaStats | null {
    return this.#figures;
  }

  /** Seconds from the answer until it was closed. */
  get talkedSeconds(): number {
    return this.#talkedSeconds;
  }

  use(stream: AudioStream): void {
    this.#stream = stream;
    const { localAddress, localPort } = stream;
    this.#port = { localAddress, localPort, negotiated: (remote) => this.#stream?.negotiated(remote) };
  }

  /** The transfer failed and the other side stays: its audio should return soon. */
  transferRefused(): void {
    if (!this.#stream || this.isClosed) return;
    this.#packetsAtRefusal = this.#stream.stats().receivedPackets;
    this.#stream.expectAudioWithin(BACK_WITHIN_MS);
  }

  /** Whether audio has arrived since a transfer failed; true if none did. */
  isBack(): boolean {
    return (this.#stream?.stats().receivedPackets ?? 0) > this.#packetsAtRefusal;
  }

  close(): void {
    if (this.isClosed) return;
    const stats = this.#stream?.stats();
    if (stats && stats.sentPackets + stats.receivedPackets > 0) this.#figures = stats;
    this.#talkedSeconds = this.#stream?.talkedSeconds() ?? 0;
    this.#recording = this.#stream ? this.#stream.close() : Promise.resolve(NOT_RECORDED);
    this.#stream = null;
  }

  async recorded(): Promise<Recorded> {
    return (await this.#recording) ?? NOT_RECORDED;
  }
}
