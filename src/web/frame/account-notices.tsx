// Notices about accounts above every page: the emergency account was used, or the person signed in on a new device.
import { api, call } from "../client.ts";
import { useChanges, useLoaded, useWhileSeen } from "../data.ts";
import { formatShortTime } from "../format.ts";
import { useSession } from "../session.tsx";
import { said } from "../words.ts";

const words = said.signIn.notices;
const LOOK_EVERY_MS = 60_000;

export function AccountNotices() {
  const { organisation, person } = useSession();
  const notices = useLoaded(() => call(api.account.notices.get()), []);
  useChanges("account", notices.reload);
  useWhileSeen(notices.reload, LOOK_EVERY_MS);
  const { break_glass: use = null, new_sessions: count = 0, silent_directory: silent = null } = notices.data ?? {};
  return (
    <div class="sign-place" role="alert">
      {use !== null && (
        <p class="sign emergency">
          <strong>{words.used}</strong>{" "}
          <span>{words.usedAt(formatShortTime(use.used_at, organisation.time_zone))}</span>{" "}
          {person.role === "owner" && !person.is_emergency && (
            <a href="/dashboard/settings/organisation">{words.acknowledge}</a>
          )}
        </p>
      )}
      {silent !== null && (
        <p class="sign emergency">
          <strong>{words.silent(silent.name)}</strong>{" "}
          <span>{words.silentUntil(formatShortTime(silent.ends_at, organisation.time_zone))}</span>
        </p>
      )}
      {count > 0 && (
        <p class="sign emergency">
          <strong>{words.newSession}</strong> <a href="/dashboard/settings/account">{words.look}</a>
        </p>
      )}
    </div>
  );
}
