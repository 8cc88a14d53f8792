// The client of a read: the queue of heavy reads counts by key or person, and drops a read whose client disconnected.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { currentAsking } from "../../src/core/asking.ts";
import { othersFirst } from "../../src/core/clock.ts";
import { csvResponse } from "../../src/http/csv.ts";
import { createSmallApp } from "../support/small-app.ts";

const pages = async function* (): AsyncGenerator<string, void> {
  for (let page = 0; page < 3; page++) {
    await othersFirst();
    yield `${currentAsking()?.who ?? "nobody"}\n`;
  }
};

let app: Awaited<ReturnType<typeof createSmallApp>>;
beforeAll(async () => {
  app = await createSmallApp((guard) =>
    new Elysia()
      .use(guard)
      .get(
        "/v1/who",
        async () => {
          await othersFirst();
          const asking = currentAsking();
          return { who: asking?.who ?? null, hasLeft: asking?.left?.().aborted ?? null };
        },
        { scope: "any" },
      )
      .get("/v1/list", () => csvResponse("list.csv", pages()), { scope: "any" })
      .get("/open", () => ({ who: currentAsking()?.who ?? null })),
  );
});
afterAll(() => app.db.close());

const keyIds = async () =>
  (await app.db.reader.selectFrom("api_keys").select(["id", "name"]).execute()).map(
    ({ id, name }) => [name, id] as const,
  );

test("a request with a key is attributed to that key until it is answered", async () => {
  const ids = new Map(await keyIds());
  const both = await Promise.all([app.send("GET", "/v1/who"), app.send("GET", "/v1/who", { key: app.readKey })]);
  const told = (await Promise.all(both.map((answer) => answer.json()))) as { who: string; hasLeft: boolean }[];
  expect(told).toEqual([
    { who: ids.get("all") ?? "", hasLeft: false },
    { who: ids.get("read") ?? "", hasLeft: false },
  ]);
});

test("every page of a file is attributed to the same key", async () => {
  const id = new Map(await keyIds()).get("all") ?? "";
  expect(await (await app.send("GET", "/v1/list")).text()).toBe(`${id}\n`.repeat(3));
});

test("an unauthenticated client is not attributed, nor is work outside a request", async () => {
  expect(await (await app.send("GET", "/open", { key: null })).json()).toEqual({ who: null });
  expect(currentAsking()).toBeUndefined();
});

test("a handler sees that its client disconnected", async () => {
  const client = new AbortController();
  client.abort();
  const request = new Request("http://localhost/v1/who", { headers: { "x-api-key": app.key }, signal: client.signal });
  expect(await (await app.handle(request)).json()).toMatchObject({ hasLeft: true });
});
