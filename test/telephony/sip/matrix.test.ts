// The handbook's compatibility matrix, tested: every row with every peer that can show it. RINGWARD_WRITE_MATRIX=1
// (./scripts/write-matrix) writes the table instead of comparing it.
import { describe, expect, test } from "bun:test";
import { closeFarPeersAfterEach } from "../../support/far-peer.ts";
import { putAwayAfterEach } from "./matrix/with-baresip.ts";
import { closePeersAfterEach } from "./matrix/with-script.ts";
import { headsByVersion, renderedTable, tableInHandbook, writeToHandbook } from "./matrix/handbook-table.ts";
import { PEERS, type Peer, type Row } from "./matrix/row.ts";
import { ROWS } from "./matrix/rows.ts";
import { stopAgentsAfterEach } from "./call/agent-under-test.ts";
import { hangUpCallersAfterEach } from "./call/scripted-caller.ts";
import { closeTlsPeersAfterEach } from "./transport/tls-peer.ts";
import { skipsFor } from "../../support/skips.ts";

stopAgentsAfterEach();
closeTlsPeersAfterEach();
closeFarPeersAfterEach();
closePeersAfterEach();
hangUpCallersAfterEach();
putAwayAfterEach();

/** scripts/test brings both programs, and counts this file as failed in CI where it cannot. */
const isHere = (peer: Peer) => peer === "scripted" || Bun.which(peer) !== null;
const isWriting = process.env["RINGWARD_WRITE_MATRIX"] === "1";
const seen = new Set<string>();
const keyOf = (row: Row, peer: Peer) => `${row.group}, ${row.what}, ${peer}`;

describe.each(PEERS.map((peer) => [peer] as const))("with %s", (peer) => {
  for (const row of ROWS) {
    const shown = row.with[peer];
    if (!shown) continue;
    test.skipIf(skipsFor(!isHere(peer), `needs ${peer}`))(
      `${row.group}: ${row.what}`,
      async () => {
        await shown();
        seen.add(keyOf(row, peer));
      },
      180_000,
    );
  }
});

test("the handbook's table claims what was seen, and nothing else", () => {
  if (isWriting) {
    writeToHandbook(renderedTable(ROWS, (row, peer) => seen.has(keyOf(row, peer)), headsByVersion()));
    return;
  }
  const { heads, text } = tableInHandbook();
  const isClaimed = (row: Row, peer: Peer) => seen.has(keyOf(row, peer)) || (!isHere(peer) && peer in row.with);
  expect(text, "run ./scripts/write-matrix, and look at what it changed").toBe(renderedTable(ROWS, isClaimed, heads));
});

test("no two lines of the table say the same", () => {
  const names = ROWS.map(({ group, what }) => `${group}: ${what}`);
  expect(new Set(names).size).toBe(names.length);
});
