// The dashboard's two cookies: the session, and the device on which somebody has signed in before. Both HttpOnly,
// SameSite=Strict, and Secure wherever the dashboard is served over TLS.
import { SECOND_MS } from "../core/clock.ts";
import { DEVICE_LIFE_MS, SESSION_LIFE_MS, type Opened } from "../accounts/session-service.ts";

const SESSION = { name: "ringward_session", path: "/dashboard", lifeMs: SESSION_LIFE_MS };
/** Opens nothing by itself: it spares people the waits that others' wrong passwords cause. */
const DEVICE = { name: "ringward_device", path: "/dashboard/api", lifeMs: DEVICE_LIFE_MS };

export function sessionTokenOf(request: Request): string | null {
  return valueOf(request, SESSION.name);
}

export function deviceTokenOf(request: Request): string | null {
  const token = valueOf(request, DEVICE.name);
  // 32 bytes in base64url, as we made it; anything else is not ours.
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
}

export function sessionCookie(token: string, isSecure: boolean): string {
  return cookie(SESSION, token, SESSION.lifeMs, isSecure);
}

/** After signing in. */
export function openedCookies({ token, deviceToken }: Opened, isSecure: boolean): string[] {
  return [sessionCookie(token, isSecure), cookie(DEVICE, deviceToken, DEVICE.lifeMs, isSecure)];
}

/** The device stays known: signing out is not moving out. */
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
