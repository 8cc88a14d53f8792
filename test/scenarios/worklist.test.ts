// The worklist of the compiled binary survives a crash, and a person is erased completely: over HTTP, as a browser
// does.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { finished, numberEnding, place, startQuick } from "../support/calls.ts";

setDefaultTimeout(120_000);
leaveNothingBehind();

interface Line {
  id: string;
  kind: string;
  call: { call_id: string; contact_name: string | null } | null;
}

async function ask<T>(server: Running, cookie: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${server.url}/dashboard/api/${path}`, {
    method,
    headers: {
      "x-ringward-dashboard": "1",
      cookie,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function enter(server: Running): Promise<string> {
  const response = await fetch(`${server.url}/dashboard/api/demo-login`, {
    method: "POST",
    headers: { "x-ringward-dashboard": "1" },
  });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

let server: Running;
let cookie: string;
beforeAll(async () => {
  server = await startQuick();
  cookie = await enter(server);
}, 180_000);
afterAll(() => server.kill());

const lines = async () => (await ask<{ data: Line[] }>(server, cookie, "GET", "worklist")).data;

describe("the worklist", () => {
  test("has a failed call as soon as it ends, and still after kill -9; a retry that fails is the same entry", async () => {
    const id = await place(server, { user_name: "Busy Person", user_number: numberEnding("0001") });
    await finished(server, id);
    expect((await lines()).map(({ kind, call }) => [kind, call?.call_id])).toEqual([["call_failed", id]]);
    await server.kill();
    server = await startQuick({}, { dataDir: server.dataDir });
    cookie = await enter(server);
    const [line] = await lines();
    expect(line?.call?.call_id).toBe(id);
    const { call_id: next } = await ask<{ call_id: string }>(server, cookie, "POST", `calls/${id}/again`, {});
    await finished(server, next);
    expect((await lines()).map(({ call }) => call?.call_id)).toEqual([next]);
    await ask(server, cookie, "POST", `worklist/${(await lines())[0]!.id}/done`);
    expect(await lines()).toEqual([]);
  });
});

describe("a person", () => {
  test("is found, and erased completely: no byte of name, number or note is left, and none was logged", async () => {
    const number = numberEnding("0001");
    const name = `Quanfurth ${crypto.randomUUID().slice(0, 8)}`;
    for (const _ of [1, 2]) await finished(server, await place(server, { user_name: name, user_number: number }));
    const text = `0${number.slice(2, 5)} ${number.slice(5, 8)}-${number.slice(8)}`;
    const [found] = await ask<{ contact_id: string; name: string }[]>(server, cookie, "POST", "contacts/search", {
      text,
    });
    expect(found?.name).toBe(name);
    const contact = `contacts/${found!.contact_id}`;
    const note = `Noted of ${name}`;
    await ask(server, cookie, "POST", `${contact}/notes`, { text: note });
    const words = [name, number, note];
    expect(Object.keys(filesHolding(server.dataDir, words)).toSorted()).toEqual(words.toSorted());
    expect(await ask<{ calls: number }>(server, cookie, "POST", `${contact}/erase`)).toEqual({ calls: 2 });
    expect(filesHolding(server.dataDir, words)).toEqual({});
    expect((await lines()).filter(({ call }) => call?.contact_name === name)).toEqual([]);
    for (const word of [name, number.slice(1), note]) expect(server.output()).not.toContain(word);
  });
});
