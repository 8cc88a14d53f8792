// One row of the compatibility matrix: a capability and the peers that show it.
import { expect } from "bun:test";
import type { AgentUnderTest } from "../call/agent-under-test.ts";

/** In the order of the table's columns. */
export const PEERS = ["scripted", "sipp", "baresip"] as const;
export type Peer = (typeof PEERS)[number];

/** Resolves once it was seen to work, and throws where it does not. */
export type Shown = () => Promise<void>;

export interface Row {
  group: string;
  /** As the table has it. */
  what: string;
  with: Partial<Record<Peer, Shown>>;
}

/** Rows of one group, each by its words. */
export function group(name: string, rows: Record<string, Row["with"]>): Row[] {
  return Object.entries(rows).map(([what, peers]) => ({ group: name, what, with: peers }));
}

/** Not one message of the call went by another way. */
export function expectAllOver(transport: string, { ladder }: AgentUnderTest): void {
  expect(new Set(ladder.map(({ peer }) => peer.split(" ")[0]))).toEqual(new Set([transport]));
}
