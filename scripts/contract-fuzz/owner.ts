// An owner's dashboard session, for creating keys, agents and webhooks.
export interface Owner {
  /** As the browser sends it. */
  cookie: string;
  ask<T>(method: string, path: string, body?: unknown): Promise<T>;
}

const OWN_PAGE = { "x-ringward-dashboard": "1", "content-type": "application/json" };

export async function signIn(url: string, email: string, password: string): Promise<Owner> {
  const answer = await fetch(`${url}/dashboard/api/login`, {
    method: "POST",
    headers: OWN_PAGE,
    body: JSON.stringify({ email, password }),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .join("; ");
  if (answer.status !== 200) throw new Error(`Signing in was answered with ${answer.status}: ${await answer.text()}`);
  return {
    cookie,
    ask: (method, path, body) => askJson(`${url}/dashboard/api/${path}`, method, { ...OWN_PAGE, cookie }, body),
  };
}

/** Throws unless the response is 2xx. */
export async function askJson<T>(
  address: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${new URL(address).pathname} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
