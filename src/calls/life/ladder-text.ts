// SIP ladder as plain text, for an e-mail to the trunk's provider.
import { toIso } from "../../core/clock.ts";
import type { LineMessage } from "../../telephony/line-report.ts";

const RULE = "-".repeat(72);

export function ladderText(callId: string, trunk: string | null, trace: readonly LineMessage[]): string {
  const startedAtMs = trace[0]?.atMs ?? 0;
  const head = [
    `SIP messages of call ${callId}${trunk === null ? "" : ` over the trunk ${trunk}`}`,
    "Times are UTC, and milliseconds since the first message. Secrets are removed.",
  ];
  const messages = trace.map(({ atMs, direction, peer, text }) => {
    const way = direction === "sent" ? "-->" : "<--";
    return [
      RULE,
      `${toIso(atMs)}  +${Math.round(atMs - startedAtMs)} ms  Ringward ${way} ${peer}`,
      RULE,
      text.replaceAll("\r\n", "\n").trimEnd(),
      "",
    ].join("\n");
  });
  return `${[...head, "", ...messages].join("\n")}\n`;
}
