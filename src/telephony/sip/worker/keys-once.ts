// Keys come as RTP events (RFC 4733) or as SIP INFO, and from some gateways as both: each press counts once.

export type KeySource = "rtp" | "info";

/** RTP tells a key as it goes down; a gateway sends its INFO when it comes up again. */
const ECHO_MS = 2_000;

interface Press {
  source: KeySource;
  key: string;
  atMs: number;
}

/** True where the press is a new one, false where it was told the other way already. */
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
