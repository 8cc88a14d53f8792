// The sound of one call: its audio ports from when they are open until what was recorded is written.
import type { MediaStats } from "../../line-report.ts";
import type { AudioStream } from "../../rtp/audio-stream.ts";
import type { Recorded } from "../../rtp/recorder.ts";
import type { MediaPort } from "../call/user-agent-port.ts";

/**
 * An exchange joins the two again at once when a transfer fails; the other side's sound is back within a second or two.
 */
const BACK_WITHIN_MS = 5_000;
const NOT_RECORDED: Recorded = { recorded: false, seconds: 0 };

export class CallSound {
  #stream: AudioStream | null = null;
  #port: MediaPort | null = null;
  #recording: Promise<Recorded> | null = null;
  #figures: MediaStats | null = null;
  /** What had come when a transfer failed; below every count where none did. */
  #packetsAtRefusal = -1;

  /** Null until its ports are open, and once they are closed. */
  get stream(): AudioStream | null {
    return this.#stream;
  }

  /**
   * For SIP, which remembers a call for half a minute after its end (RFC 3261, timers D and J): not the stream itself,
   * or its buffers and whoever talked would be held for as long.
   */
  get port(): MediaPort | null {
    return this.#stream && this.#port;
  }

  get isClosed(): boolean {
    return this.#recording !== null;
  }

  /** Null where nothing was sent and nothing came. Known once it is closed. */
  get figures(): MediaStats | null {
    return this.#figures;
  }

  use(stream: AudioStream): void {
    this.#stream = stream;
    const { localAddress, localPort } = stream;
    this.#port = { localAddress, localPort, negotiated: (remote) => this.#stream?.negotiated(remote) };
  }

  /** The other side, which a transfer was to take away, stays: it should be heard again soon. */
  transferRefused(): void {
    if (!this.#stream || this.isClosed) return;
    this.#packetsAtRefusal = this.#stream.stats().receivedPackets;
    this.#stream.expectAudioWithin(BACK_WITHIN_MS);
  }

  /** Whether anything came since a transfer failed; true where none did. */
  isBack(): boolean {
    return (this.#stream?.stats().receivedPackets ?? 0) > this.#packetsAtRefusal;
  }

  close(): void {
    if (this.isClosed) return;
    const stats = this.#stream?.stats();
    if (stats && stats.sentPackets + stats.receivedPackets > 0) this.#figures = stats;
    this.#recording = this.#stream ? this.#stream.close() : Promise.resolve(NOT_RECORDED);
    this.#stream = null;
  }

  async recorded(): Promise<Recorded> {
    return (await this.#recording) ?? NOT_RECORDED;
  }
}
