// Staff of the demo, who ask the dashboard's own routes without a browser.
import type { Running } from "./binary.ts";

const HEADERS = { "content-type": "application/json", "x-ringward-dashboard": "1" };

export async function enterDemo({ url }: Running) {
  const login = await fetch(`${url}/dashboard/api/demo-login`, { method: "POST", headers: HEADERS });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async (method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${url}/dashboard/api/${path}`, {
      method,
      headers: { ...HEADERS, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
}
