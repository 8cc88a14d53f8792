// Webhook endpoints and deliveries over the API: settings, secret, test event, replay; scopes and walls.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { answered, createFakePost } from "../support/fake-post.ts";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

const PATH = "/v1/webhook-endpoints";
const DELIVERIES = "/v1/webhook-deliveries";
const BODY = { url: "https://his.hospital.example/ringward", event_types: ["call.completed"], description: "HIS" };

const safePost = createFakePost(() => hospital.clock.now());
const answerWith = (status: number) => void (safePost.answer = () => answered(status));

let hospital: Hospital;
beforeAll(async () => {
  const settings = { RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "3" };
  hospital = await createHospital({ safePost, settings });
  await hospital.app.start();
});
afterAll(() => hospital.close());

const ask = (method: string, path: string, body?: unknown, key?: string) =>
  hospital.request(method, path, { ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) });
const dataOf = async <T = Record<string, unknown>>(asked: ReturnType<typeof ask>): Promise<T> => {
  const answer = await asked;
  expect(outcome(answer)).toMatch(/^20[01] ok$/);
  return answer.json.data as unknown as T;
};
interface Made {
  endpoint_id: string;
  secret: string | null;
}
const create = (change: object = {}, key?: string) => dataOf<Made>(ask("POST", PATH, { ...BODY, ...change }, key));
const remove = (id: string) => ask("DELETE", `${PATH}/${id}`);

/** Sends a test event, which the receiver answers with this status. */
async function sentTest(id: string, status: number): Promise<string> {
  answerWith(status);
  const { delivery_id } = await dataOf<{ delivery_id: string }>(ask("POST", `${PATH}/${id}/test`));
  await hospital.clock.advance(1_000);
  await settle();
  return delivery_id;
}
const stateOf = async (deliveryId: string) => (await dataOf(ask("GET", `${DELIVERIES}/${deliveryId}`)))["state"];

test("an endpoint is created, read, changed, rotated and removed; the secret is shown once", async () => {
  const { endpoint_id: id, secret, ...made } = await create();
  expect(secret).toMatch(/^whsec_/);
  expect(made).toMatchObject({ ...BODY, signing: true, enabled: true });
  const shown = await ask("GET", `${PATH}/${id}`);
  expect(shown.json.data).toMatchObject({ endpoint_id: id, url: BODY.url, deliveries: {}, at_once: null });
  expect((await ask("GET", PATH)).json.data).toMatchObject([{ endpoint_id: id }]);
  expect((await ask("GET", PATH)).text + shown.text).not.toContain("whsec_");

  const changed = await dataOf(ask("PATCH", `${PATH}/${id}`, { event_types: ["call.failed"], signing: false }));
  expect(changed).toMatchObject({ url: BODY.url, event_types: ["call.failed"], signing: false });
  expect(changed).not.toHaveProperty("secret");
  const rotated = await dataOf<Made>(ask("POST", `${PATH}/${id}/rotate`));
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(secret);

  expect(await dataOf(remove(id))).toEqual({ deleted: true });
  for (const [method, path, body] of [
    ["GET", ""],
    ["PATCH", "", {}],
    ["DELETE", ""],
    ["POST", "/rotate"],
    ["POST", "/enable", { send_held: true }],
    ["POST", "/disable"],
    ["POST", "/test"],
    ["POST", "/replay", { from: "2026-11-01T00:00:00Z", to: "2026-11-30T00:00:00Z" }],
  ] as const)
    expect(outcome(await ask(method, `${PATH}/${id}${path}`, body))).toBe("404 NOT_FOUND");
  const actions = await hospital.actionsOnRecord();
  for (const act of ["created", "changed", "secret_rotated", "deleted"]) expect(actions).toContain(`endpoint.${act}`);
});

test("a repeated creation makes one endpoint and does not repeat its secret, which is stored sealed only", async () => {
  const once = () => hospital.request("POST", PATH, { body: BODY, headers: { "idempotency-key": "his" } });
  const first = (await once()).json.data as unknown as Made;
  const again = await once();
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.json.data as unknown).toEqual({ ...first, secret: null });
  const kept = await hospital.db.reader.selectFrom("idempotency_keys").selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain(String(first.secret));
  expect((await ask("GET", PATH)).json.data).toHaveLength(1);
  await remove(first.endpoint_id);
});

test("the plan limits their number", async () => {
  const made = [await create(), await create(), await create()];
  expect(outcome(await ask("POST", PATH, BODY))).toBe("403 PLAN_LIMIT_REACHED");
  for (const { endpoint_id } of made) await remove(endpoint_id);
});

test("a test event is delivered, and its delivery shows what was sent and answered", async () => {
  const { endpoint_id: id } = await create();
  const deliveryId = await sentTest(id, 204);
  expect(safePost.sent.at(-1)?.json.data).toMatchObject({ test: true });
  expect(await dataOf(ask("GET", `${DELIVERIES}/${deliveryId}`))).toMatchObject({
    delivery_id: deliveryId,
    endpoint_id: id,
    state: "delivered",
    request: { event_type: "call.completed", data: { test: true } },
    attempts: [{ status: 204, outcome: "delivered" }],
  });
  expect(await hospital.actionsOnRecord()).toContain("delivery.read");
  expect((await ask("GET", `${PATH}/${id}`)).json.data).toMatchObject({ deliveries: { delivered: 1 } });

  const [sent] = safePost.sent.splice(0);
  expect(await dataOf(ask("POST", `${DELIVERIES}/${deliveryId}/replay`))).toEqual({ replayed: true });
  await hospital.clock.advance(1_000);
  await settle();
  expect(safePost.sent.map(({ json }) => json)).toMatchObject([{ event_id: sent?.json.event_id }]);
  await remove(id);
  expect(outcome(await ask("GET", `${DELIVERIES}/${deliveryId}`))).toBe("404 NOT_FOUND");
  expect(outcome(await ask("POST", `${DELIVERIES}/${deliveryId}/replay`))).toBe("404 NOT_FOUND");
});

test("failed deliveries are listed by state and page, and a range of them is sent again", async () => {
  const { endpoint_id: id } = await create();
  const from = new Date(hospital.clock.now()).toISOString();
  const failed = [await sentTest(id, 500), await sentTest(id, 500)];
  await dataOf(ask("POST", `${PATH}/${id}/disable`));
  expect(await dataOf(ask("POST", `${PATH}/${id}/enable`, { send_held: false }))).toEqual({ held: 2 });
  for (const delivery of failed) expect(await stateOf(delivery)).toBe("exhausted");
  const list = async (query: string) => {
    const { json } = await ask("GET", `${DELIVERIES}?endpoint_id=${id}&${query}`);
    return json as unknown as { data: { delivery_id: string }[]; next_cursor: string | null };
  };
  const first = await list("state=exhausted&limit=1");
  expect(first.data).toMatchObject([{ delivery_id: failed[1], event_type: "call.completed", call_id: null }]);
  const second = await list(`state=exhausted&limit=1&cursor=${first.next_cursor}`);
  expect(second).toMatchObject({ data: [{ delivery_id: failed[0] }], next_cursor: null });
  expect((await list("state=held")).data).toEqual([]);
  const other = await ask("GET", `${DELIVERIES}?state=held&cursor=${first.next_cursor}`);
  expect(outcome(other)).toBe("400 VALIDATION_ERROR");

  answerWith(204);
  const to = new Date(hospital.clock.now()).toISOString();
  const replay = (range: object) => ask("POST", `${PATH}/${id}/replay`, range);
  expect(outcome(await replay({ from: to, to: from }))).toBe("400 VALIDATION_ERROR");
  expect(outcome(await replay({ from: "soon", to }))).toBe("400 VALIDATION_ERROR");
  expect(await dataOf(replay({ from, to }))).toEqual({ count: 2 });
  await hospital.clock.advance(10_000);
  await settle();
  for (const delivery of failed) expect(await stateOf(delivery)).toBe("delivered");
  await remove(id);
});

test("an endpoint that is off gets no test; enabling it sends or gives up what was held", async () => {
  const { endpoint_id: id } = await create();
  const delivery = await sentTest(id, 204);
  const act = (name: string, body?: unknown) => ask("POST", `${PATH}/${id}/${name}`, body);
  expect(await dataOf(act("disable"))).toMatchObject({ enabled: false, disabled_reason: expect.any(String) });
  expect(outcome(await act("test"))).toBe("409 CONFLICT");
  expect(outcome(await act("enable", {}))).toBe("400 VALIDATION_ERROR");
  await dataOf(ask("POST", `${DELIVERIES}/${delivery}/replay`));
  expect(await stateOf(delivery)).toBe("held");
  expect(await dataOf(act("enable", { send_held: true }))).toEqual({ held: 1 });
  await hospital.clock.advance(1_000);
  await settle();
  expect(await stateOf(delivery)).toBe("delivered");
  await remove(id);
});

test("other organisations neither see nor change it", async () => {
  const { endpoint_id: id } = await create();
  const delivery = await sentTest(id, 204);
  const { key } = await hospital.neighbour();
  expect((await ask("GET", PATH, undefined, key)).json.data as unknown).toEqual([]);
  expect((await ask("GET", DELIVERIES, undefined, key)).json.data as unknown).toEqual([]);
  expect((await ask("GET", `${DELIVERIES}?endpoint_id=${id}`, undefined, key)).json.data as unknown).toEqual([]);
  for (const [method, path, body] of [
    ["GET", `${PATH}/${id}`],
    ["PATCH", `${PATH}/${id}`, { signing: false }],
    ["DELETE", `${PATH}/${id}`],
    ["POST", `${PATH}/${id}/rotate`],
    ["POST", `${PATH}/${id}/disable`],
    ["POST", `${PATH}/${id}/test`],
    ["GET", `${DELIVERIES}/${delivery}`],
    ["POST", `${DELIVERIES}/${delivery}/replay`],
  ] as const)
    expect(outcome(await ask(method, path, body, key))).toBe("404 NOT_FOUND");
  expect((await ask("GET", `${PATH}/${id}`)).json.data).toMatchObject({ enabled: true, signing: true });
  await remove(id);
});

test("reading and writing have a scope each", async () => {
  const [reads, writes] = [await hospital.newKey(["endpoints:read"]), await hospital.newKey(["endpoints:write"])];
  const { endpoint_id: id } = await create({}, writes);
  expect(outcome(await ask("GET", `${PATH}/${id}`, undefined, reads))).toBe("200 ok");
  expect(outcome(await ask("GET", DELIVERIES, undefined, reads))).toBe("200 ok");
  for (const path of [PATH, `${PATH}/${id}`, DELIVERIES, `${DELIVERIES}/dlv_x`])
    expect(outcome(await ask("GET", path, undefined, writes))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await ask("POST", PATH, BODY, reads))).toBe("403 INSUFFICIENT_SCOPE");
  for (const act of ["rotate", "enable", "disable", "test", "replay"])
    expect(outcome(await ask("POST", `${PATH}/${id}/${act}`, {}, reads))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await ask("DELETE", `${PATH}/${id}`, undefined, reads))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await ask("DELETE", `${PATH}/${id}`, undefined, writes))).toBe("200 ok");
});

test.each([
  ["url", { event_types: ["call.completed"] }],
  ["event_types", { url: BODY.url }],
  ["event_types", { url: BODY.url, event_types: [] }],
  ["event_types", { url: BODY.url, event_types: ["call.rang"] }],
  ["description", { ...BODY, description: "x".repeat(201) }],
  ["signing", { ...BODY, signing: "yes" }],
])("a wrong %s is rejected: %j", async (field, body) => {
  const answer = await ask("POST", PATH, body);
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`"${field}`)]);
});

test("an address inside the hospital's network is rejected as in the dashboard", async () => {
  const real = await createHospital();
  for (const url of ["http://his.hospital.example/", "https://10.1.2.3/", "https://127.0.0.1/", "ftp://x.example/"]) {
    const answer = await real.request("POST", PATH, { body: { ...BODY, url } });
    expect([outcome(answer), answer.json.error.details?.[0]?.field]).toEqual(["400 VALIDATION_ERROR", "url"]);
  }
  await real.close();
});
