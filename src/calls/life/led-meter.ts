// Metrics of language models on calls: turns by result, including fillers, takeovers and stopped answers.
import type { Metrics } from "../../core/metrics.ts";
import type { LedCounts } from "../../voice/port.ts";

const COUNTED: Readonly<Record<keyof LedCounts, string>> = {
  turns: "asked",
  fillers: "filler",
  takeovers: "takeover",
  handbacks: "handback",
  stopped: "stopped",
  refusedTools: "refused_tool",
};

export function createLedMeter(metrics: Metrics): (led: LedCounts) => void {
  const counted = metrics.counter(
    "ringward_model_turns_total",
    "Turns of language models on calls: asked, covered by a filler, taken over, handed back, stopped by a check, with a refused tool.",
  );
  return (led) => {
    for (const [count, what] of Object.entries(COUNTED) as [keyof LedCounts, string][]) {
      if (led[count] > 0) counted.add({ what }, led[count]);
    }
  };
}
