// Warnings about trunks, only in SIP mode.
import type { Loaded } from "../../data.ts";
import { conditionOf, trunkConditions, type TrunksAnswer } from "../trunks/trunk.ts";
import { said } from "../../words.ts";

const words = said.overview.trunkWarnings;

export function TrunkWarnings({ from: { data } }: { from: Loaded<TrunksAnswer> }) {
  const texts = data === null ? [] : warningsOf(data);
  if (texts.length === 0) return null;
  return (
    <div class="notice warn overview-trunks" role="status">
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <a href="/dashboard/settings/trunks">{words.look}</a>
    </div>
  );
}

function warningsOf({ mode, status, trunks }: TrunksAnswer): string[] {
  if (mode !== "sip") return [];
  if (status?.worker === "failed") return [status.message ?? words.sipDoesNotRun];
  if (trunks.length === 0) return [words.noTrunk];
  // A disabled trunk is off on purpose.
  return trunks.flatMap((trunk) => {
    const condition = conditionOf(trunk, mode);
    if (condition !== "down" && condition !== "resting") return [];
    return [[words.isDown(trunk.name, trunkConditions[condition]), trunk.state?.last_error].filter(Boolean).join(" ")];
  });
}
