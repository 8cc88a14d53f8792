// The dashboard's cookies: the session, the device that has signed in before, and an unfinished sign-in. All are
// HttpOnly and SameSite=Strict, and Secure if the dashboard is served over TLS.
import { SECOND_MS } from "../core/clock.ts";
import { FLOW_LIFE_MS } from "../accounts/directories/oidc-directory.ts";
import { TICKET_LIFE_MS } from "../accounts/sign-in-ticket.ts";
import { DEVICE_LIFE_MS, SESSION_LIFE_MS, type Opened } from "../accounts/session-service.ts";

const SESSION = { name: "ringward_session", path: "/dashboard", lifeMs: SESSION_LIFE_MS };
/** Grants no access. It exempts a known device from delays caused by wrong passwords from elsewhere. */
const DEVICE = { name: "ringward_device", path: "/dashboard/api", lifeMs: DEVICE_LIFE_MS };

/** An unfinished sign-in. It is used once, and no route of the dashboard takes it for a session. */
const TICKET = { name: "ringward_sign_in", path: "/dashboard/api", lifeMs: TICKET_LIFE_MS };

/** A visit to the hospital's provider. The page that the provider sends people back to takes it to the server. */
const FLOW = { name: "ringward_oidc", path: "/dashboard/api/sign-in/oidc", lifeMs: FLOW_LIFE_MS };

export function flowOf(request: Request): string | null {
  return valueOf(request, FLOW.name);
}

export function flowCookie(flow: string, isSecure: boolean): string {
  return cookie(FLOW, flow, FLOW.lifeMs, isSecure);
}

export function endedFlowCookie(isSecure: boolean): string {
  return cookie(FLOW, "", 0, isSecure);
}

export function ticketOf(request: Request): string | null {
  return valueOf(request, TICKET.name);
}

export function ticketCookie(ticket: string, isSecure: boolean): string {
  return cookie(TICKET, ticket, TICKET.lifeMs, isSecure);
}

export function sessionTokenOf(request: Request): string | null {
  return valueOf(request, SESSION.name);
}

export function deviceTokenOf(request: Request): string | null {
  const token = valueOf(request, DEVICE.name);
  // Our tokens are 32 bytes in base64url; anything else is ignored.
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
}

export function sessionCookie(token: string, isSecure: boolean): string {
  return cookie(SESSION, token, SESSION.lifeMs, isSecure);
}

/** Cookies set at sign-in. */
export function openedCookies({ token, deviceToken }: Opened, isSecure: boolean): string[] {
  return [sessionCookie(token, isSecure), cookie(DEVICE, deviceToken, DEVICE.lifeMs, isSecure)];
}

/** The same after a second step, whose cookie ends. */
export function finishedCookies(opened: Opened, isSecure: boolean): string[] {
  return [...openedCookies(opened, isSecure), cookie(TICKET, "", 0, isSecure)];
}

/** Sign-out keeps the device cookie. */
export function endedCookie(isSecure: boolean): string {
  return cookie(SESSION, "", 0, isSecure);
}

function cookie(
  { name, path }: { name: string; path: string },
  value: string,
  lifeMs: number,
  isSecure: boolean,
): string {
  const maxAgeSeconds = Math.floor(lifeMs / SECOND_MS);
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}

function valueOf(request: Request, wanted: string): string | null {
  const header = request.headers.get("cookie") ?? "";
  for (const pair of header.split(";")) {
    const [name, value] = pair.trim().split("=");
    if (name === wanted && value) return value;
  }
  return null;
}
