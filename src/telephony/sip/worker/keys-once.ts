// Deduplicates keys: they arrive as RTP events (RFC 4733) or as SIP INFO, and from some gateways as both.

export type KeySource = "rtp" | "info";

/** RTP reports a key when it goes down; a gateway sends INFO when it is released. */
const ECHO_MS = 2_000;

interface Press {
  source: KeySource;
  key: string;
  atMs: number;
}

/** True for a new press, false if the other source already reported it. */
export function createKeysOnce(nowMs: () => number): (source: KeySource, key: string) => boolean {
  let unechoed: Press[] = [];
  return (source, key) => {
    const atMs = nowMs();
    unechoed = unechoed.filter((press) => atMs - press.atMs < ECHO_MS);
    const echoed = unechoed.find((press) => press.key === key && press.source !== source);
    if (echoed) unechoed = unechoed.filter((press) => press !== echoed);
    else unechoed.push({ source, key, atMs });
    return !echoed;
  };
}
