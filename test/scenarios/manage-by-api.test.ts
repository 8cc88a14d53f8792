// Keys, webhook endpoints, the do-not-disturb list and the audit log, managed on the executable over the API alone.
import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { ask, expectError } from "../support/api-client.ts";
import { leaveNothingBehind } from "../support/binary.ts";
import { finished, place, startQuick, talkative } from "../support/calls.ts";
import { closeReceivers, startReceiver, type Received } from "../support/receiver.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
closeReceivers();

test("a program gives itself a key, receives events, stops calls to a number and reads what it did", async () => {
  const his = startReceiver();
  const server = await startQuick(his.env);
  try {
    const scopes = ["calls:create", "calls:read", "dnd:write", "endpoints:read", "endpoints:write", "keys:write"];
    const made = await ask(server, "POST", "/v1/api-keys", { body: { name: "HIS", scopes } });
    expect([made.status, made.data["scopes"]]).toEqual([201, scopes]);
    const key = String(made.data["key"]);
    const as = (method: string, path: string, body?: unknown) =>
      ask(server, method, path, { key, ...(body === undefined ? {} : { body }) });
    expectError(await as("POST", "/v1/api-keys", { name: "more", scopes: ["audit:list"] }), 403, "INSUFFICIENT_SCOPE");

    const endpoint = await as("POST", "/v1/webhook-endpoints", {
      url: his.url,
      event_types: ["call.completed", "call.disallowed"],
    });
    expect(endpoint.status).toBe(201);
    const path = `/v1/webhook-endpoints/${String(endpoint.data["endpoint_id"])}`;
    const verified = ({ body, headers }: Received) =>
      new Webhook(String(endpoint.data["secret"])).verify(body.toString("utf8"), headers);
    const arrived = (count: number) =>
      until(() => his.received.length >= count, { what: () => `${his.received.length} of ${count} events arrived` });
    const { delivery_id } = (await as("POST", `${path}/test`)).data;
    await arrived(1);
    expect(his.received.map(({ json }) => json.data["test"])).toEqual([true]);
    expect(verified(his.received[0] as Received)).toBeTruthy();
    const delivery = `/v1/webhook-deliveries/${String(delivery_id)}`;
    await until(async () => (await as("GET", delivery)).data["state"] === "delivered", { what: () => "not delivered" });
    await as("POST", `${delivery}/replay`);
    await arrived(2);
    expect(his.received[1]?.json.event_id).toBe(String(his.received[0]?.json.event_id));

    const number = talkative();
    expect((await as("POST", "/v1/do-not-disturb", { numbers: [number] })).data).toEqual({ added: 1, already: 0 });
    expect((await finished(server, await place(server, { user_number: number }))).status).toBe("disallowed");
    await arrived(3);
    expect(his.received[2]?.json.event_type).toBe("call.disallowed");
    expect((await as("POST", "/v1/do-not-disturb/remove", { number })).data).toEqual({ deleted: true });
    expect((await finished(server, await place(server, { user_number: number }))).status).toBe("completed");
    await arrived(4);
    expect((await as("DELETE", path)).data).toEqual({ deleted: true });

    const keyId = String(made.data["key_id"]);
    const log = await ask(server, "GET", `/v1/audit?actor_id=${keyId}&limit=100`);
    const actions = (log.data as unknown as { action: string }[]).map(({ action }) => action);
    for (const action of ["endpoint.created", "endpoint.tested", "delivery.replayed", "endpoint.deleted"])
      expect(actions).toContain(action);
    expect(log.text).not.toContain(number);
    expect((await as("DELETE", `/v1/api-keys/${keyId}`)).data).toEqual({ revoked: true });
    expectError(await as("GET", "/v1/me"), 401, "UNAUTHORIZED");
    expect(server.output()).not.toContain(key);
    expect(server.output()).not.toContain(number);
  } finally {
    await server.stop();
  }
}, 180_000);
