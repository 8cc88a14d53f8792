// Ports for programs that must be told theirs: reserved, never guessed. Each test process holds a block of ports
// against every other on the machine by listening on the block's first one for as long as it lives; the kernel lets go
// of it even where the process is killed. All lie below Linux's range for clients, which any connection may take at any
// moment.
import { existsSync, readFileSync } from "node:fs";

export interface PortRow {
  from: number;
  to: number;
}

const FIRST_PORT = 10_000;
const END_PORT = 32_000;
const BLOCK_SIZE = 500;

/** One after the other, so that a port comes round again long after its last user; then the first one again. */
const MOST_BLOCKS = 3;

/** Kept, so that nothing closes them. */
const locks: { stop(closeActive?: boolean): void }[] = [];
const blocks: PortRow[] = [];
let current = -1;
let next = 0;

/** Consecutive ports that are free for UDP and TCP on every address. */
function take(count: number): PortRow {
  if (count > BLOCK_SIZE - 2) return claim(count);
  const inUse = portsInUse();
  for (let blocksLeft = 2 * MOST_BLOCKS; blocksLeft > 0; blocksLeft--) {
    const block = blocks[current];
    while (block && next + count - 1 <= block.to) {
      const row = { from: next, to: next + count - 1 };
      // Audio comes in pairs of which the first is even.
      next += count + (count % 2);
      if (!portsOf(row).some((port) => inUse.has(port))) return row;
    }
    current = current + 1 < blocks.length ? current + 1 : anotherBlock();
    next = blocks[current]?.from ?? 0;
  }
  throw new Error(`No ${count} ports in a row are free in ${JSON.stringify(blocks)}.`);
}

/** The place of a new one; of the first where this process has its share. */
function anotherBlock(): number {
  if (blocks.length === MOST_BLOCKS) return 0;
  blocks.push(claim(BLOCK_SIZE - 2));
  return blocks.length - 1;
}

function portsOf({ from, to }: PortRow): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Whole blocks, as many as it takes; the first two ports are left to the lock. */
function claim(count: number): PortRow {
  const size = Math.ceil((count + 2) / BLOCK_SIZE) * BLOCK_SIZE;
  for (let from = FIRST_PORT; from + size <= END_PORT; from += BLOCK_SIZE) {
    const taken = [];
    for (let first = from; first < from + size; first += BLOCK_SIZE) {
      const lock = lockOn(first);
      if (lock) taken.push(lock);
    }
    if (taken.length === size / BLOCK_SIZE) {
      locks.push(...taken);
      return { from: from + 2, to: from + size - 1 };
    }
    for (const lock of taken) lock.stop(true);
  }
  throw new Error(`Every block of ports from ${FIRST_PORT} to ${END_PORT} is held: too many tests run at once.`);
}

function lockOn(port: number) {
  try {
    const lock = Bun.listen({ hostname: "127.0.0.1", port, exclusive: true, socket: { data() {} } });
    lock.unref();
    return lock;
  } catch {
    return null;
  }
}

/** Asked of the kernel, which has no moment between the question and the answer: a block may hold an older stranger. */
function portsInUse(): Set<number> {
  const CLOSING = "06";
  const tables = ["udp", "udp6", "tcp", "tcp6"].map((name) => `/proc/net/${name}`).filter((file) => existsSync(file));
  const lines = tables.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) \S+ ([0-9A-F]{2})/gm),
  ]);
  return new Set(lines.filter(([, , state]) => state !== CLOSING).map(([, port]) => Number.parseInt(port ?? "", 16)));
}

/** For one server. */
export function reservedPort(): number {
  return take(1).from;
}

/** The one above it is free as well: there baresip speaks TLS. */
export function freeSipPort(): number {
  return take(2).from;
}

/** A row of ports for audio. */
export function audioPorts(count: number): PortRow {
  return take(count);
}
