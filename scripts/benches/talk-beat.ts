// Punctuality of a packet stream: each packet against the stream's 20 ms clock, aligned to its most punctual packet.

export const ON_TIME_MS = 5;

interface Stream {
  firstTimestamp: number;
  /** Arrival time minus RTP time, in milliseconds: smaller is more punctual. */
  offsetsMs: number[];
}

export interface Punctuality {
  packets: number;
  onTime: number;
  lateP99Ms: number;
}

export function createBeats() {
  const streams = new Map<number, Stream>();
  return {
    clear: () => streams.clear(),
    note(packet: Buffer, nowMs: number): void {
      const timestamp = packet.readUInt32BE(4);
      const ssrc = packet.readUInt32BE(8);
      const stream = streams.get(ssrc);
      if (stream) stream.offsetsMs.push(nowMs - ((timestamp - stream.firstTimestamp) | 0) / 8);
      else streams.set(ssrc, { firstTimestamp: timestamp, offsetsMs: [nowMs] });
    },
    report(): Punctuality {
      const late: number[] = [];
      for (const { offsetsMs } of streams.values()) {
        const best = offsetsMs.reduce((least, offset) => Math.min(least, offset), Infinity);
        for (const offset of offsetsMs) late.push(offset - best);
      }
      late.sort((a, b) => a - b);
      return {
        packets: late.length,
        onTime: late.filter((ms) => ms <= ON_TIME_MS).length,
        lateP99Ms: late[Math.floor(late.length * 0.99)] ?? 0,
      };
    },
  };
}

/** Calls `run` every `stepMs`, with all deadlines counted from one base. */
export function everyStep(stepMs: number, run: (step: number, nowMs: number) => void): void {
  const base = performance.now();
  let step = 0;
  const tick = (): void => {
    for (; base + step * stepMs <= performance.now(); step++) run(step, performance.now());
    setTimeout(tick, Math.max(0, Math.ceil(base + step * stepMs - performance.now())));
  };
  tick();
}
