// Occupancy of a window on a date: two bars with numbers, for all slots and for the AI's share.
import type { DatedSlot } from "../../../calendar/model.ts";
import { words } from "./words.ts";

export function Fill({ slot }: { slot: DatedSlot }) {
  return (
    <span class="cal-fill">
      <Bar label={words.all} taken={slot.filled_slots ?? 0} slots={slot.max_slots} tone="all" />
      <Bar label={words.ai} taken={slot.ai_filled_slots} slots={slot.ai_slots} tone="ai" />
    </span>
  );
}

function Bar({ label, taken, slots, tone }: { label: string; taken: number; slots: number; tone: "all" | "ai" }) {
  const share = slots === 0 ? (taken > 0 ? 1 : 0) : Math.min(1, taken / slots);
  return (
    <span class="cal-bar">
      <span class="cal-bar-label">{label}</span>
      <span class="cal-track" aria-hidden="true">
        <span class={`cal-taken ${tone} ${share >= 1 ? "full" : ""}`} style={{ width: `${share * 100}%` }} />
      </span>
      <span class="cal-count">
        {taken}/{slots}
      </span>
    </span>
  );
}
