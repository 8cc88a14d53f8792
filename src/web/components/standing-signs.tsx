// Signs above every page that stay as long as what they tell of: calls are simulated, the appliance does not answer.
import { useEffect, useState } from "preact/hooks";
import { isReached, watchReach } from "../reach.ts";
import { useSession } from "../session.tsx";
import { said } from "../words.ts";

const words = said.shared.signs;

export function SimulatedSign() {
  const { simulated } = useSession();
  if (!simulated) return null;
  return (
    <aside class="sign simulated" aria-label={words.simulatedLabel}>
      <strong>{words.simulated}</strong> <span>{words.simulatedNote}</span>{" "}
      <a href="/dashboard/settings/trunks">{words.howToCall}</a>
    </aside>
  );
}

export function OfflineSign() {
  const [isThere, setIsThere] = useState(isReached);
  useEffect(() => watchReach(setIsThere), []);
  return (
    <div class="sign-place" role="alert">
      {!isThere && (
        <p class="sign offline">
          <strong>{words.offline}</strong> <span>{words.offlineNote}</span>
        </p>
      )}
    </div>
  );
}
