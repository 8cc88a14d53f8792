// The page that uses a passkey: its origin and host name. Passkeys belong to a host name, so only the configured
// addresses and this machine are accepted; a page of another site whose name points here (DNS rebinding) gets none.
import type { RelyingParty } from "../accounts/passkey-service.ts";
import { AppError } from "../core/errors.ts";
import { parseIp } from "../net/addresses.ts";
import { isLoopbackHost } from "../net/host-name.ts";

/** `urls` are the configured public addresses, the dashboard's own first. */
export function createPasskeyPage(urls: readonly string[]): (request: Request) => RelyingParty {
  const origins = urls.map((url) => new URL(url).origin);
  const [dashboard = ""] = origins;
  return (request) => {
    // Browsers send it with every POST, and a passkey's answer repeats it under its signature.
    const origin = request.headers.get("origin") ?? "";
    const host = URL.canParse(origin) ? new URL(origin).hostname : "";
    if (host === "" || !(origins.includes(origin) || isLoopbackHost(host)))
      throw new AppError("CONFLICT", `Passkeys work at the dashboard's own address. Open ${dashboard}.`);
    if (parseIp(host.replaceAll(/[[\]]/g, "")) !== null)
      throw new AppError(
        "CONFLICT",
        "Passkeys need a host name: open the dashboard by its name, not by its IP address.",
      );
    return { rpId: host, origin };
  };
}
