// Badge of a simulated call.
import { said } from "../../words.ts";

const words = said.calls.simulatedBadge;

export function SimulatedBadge() {
  return (
    <span class="badge simulated" title={words.note}>
      {words.text}
    </span>
  );
}
