// The session cookie: HttpOnly, SameSite=Strict, Secure wherever the dashboard is served over TLS.
import { SECOND_MS } from "../core/clock.ts";
import { SESSION_LIFE_MS } from "../accounts/session-service.ts";

const NAME = "ringward_session";

export function sessionTokenOf(request: Request): string | null {
  const header = request.headers.get("cookie") ?? "";
  for (const pair of header.split(";")) {
    const [name, value] = pair.trim().split("=");
    if (name === NAME && value) return value;
  }
  return null;
}

export function sessionCookie(token: string, isSecure: boolean): string {
  return attributes(token, Math.floor(SESSION_LIFE_MS / SECOND_MS), isSecure);
}

export function endedCookie(isSecure: boolean): string {
  return attributes("", 0, isSecure);
}

function attributes(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  return `${NAME}=${value}; Path=/dashboard; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}
