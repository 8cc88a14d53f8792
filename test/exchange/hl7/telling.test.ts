import { afterEach, expect, test } from "bun:test";
import type { Message } from "../../../src/exchange/hl7/message/message.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { createHl7Hospital, type Hl7Hospital } from "../../support/hl7-hospital.ts";
import { siu } from "../../support/hl7.ts";
import { startMllpReceiver, type MllpReceiver } from "../../support/mllp-receiver.ts";
import { until } from "../../support/until.ts";

let hospital: Hl7Hospital;
let receiver: MllpReceiver;
afterEach(async () => {
  receiver.stop();
  await hospital.close();
});

async function begin(as: "siu" | "srm", version: "2.3" | "2.5.1" = "2.5.1"): Promise<string> {
  receiver = startMllpReceiver();
  hospital = await createHl7Hospital({ tell: { as, address: `mllp://127.0.0.1:${receiver.port}`, version } });
  await hospital.app.start();
  await hospital.receive(siu({ trigger: "S12", controlId: "C1", id: "A1", sentAt: "20261114120000" }));
  const [row] = await hospital.appointments();
  return row!.id;
}

const patch = (id: string, body: object) => hospital.request("PATCH", `/v1/appointments/${id}`, { body });
const delivered = async (count: number) => {
  await until(async () => {
    await hospital.clock.advance(0);
    return receiver.got.length >= count;
  });
};
const lines = (message: Message) => message.encode().split("\r");

test("a wish to cancel goes out as SIU S15, and the source's own messages do not come back to it", async () => {
  const id = await begin("siu");
  expect((await patch(id, { status: "cancelled" })).status).toBe(200);
  await delivered(1);
  const [message] = receiver.got;
  expect(message?.value(message.first("MSH"), 9, 2)).toBe("S15");
  expect(lines(message!)).toEqual([
    expect.stringMatching(
      /^MSH\|\^~\\&\|RINGWARD\|\|HIS\|MAIN\|20261115060000\+0000\|\|SIU\^S15\^SIU_S12\|[0-9A-Z]{20}\|P\|2\.5\.1\|\|\|\|\|\|UNICODE UTF-8$/,
    ),
    "SCH|A1|||||CANCEL^Cancelled by the patient|||||^^^20261201043000+0000^20261201045000+0000||||||||||||||Cancelled",
    "PID|1||MRN1^^^HOSP||SHARMA^Ravi||||||||+919810012345",
    "",
  ]);
  // The source agrees.
  const agreed = siu({ trigger: "S15", controlId: "C2", id: "A1", sentAt: "20261115130000" });
  expect((await hospital.receive(agreed)).code).toBe("AA");
  const [row] = await hospital.appointments();
  expect(row).toMatchObject({ status: "cancelled", wish_state: "agreed" });
  await hospital.clock.advance(60_000);
  expect(receiver.got).toHaveLength(1);
});

test("a wish to move goes out as SRM S03 with its words, and its withdrawal after it", async () => {
  const id = await begin("srm", "2.3");
  expect((await patch(id, { wish: { wish: "move", text: "Friday | after 4" } })).status).toBe(200);
  expect((await patch(id, { wish: null })).status).toBe(200);
  await delivered(2);
  const [asked, withdrawn] = receiver.got.map(lines);
  expect(asked?.[0]).toMatch(/\|SRM\^S03\|[0-9A-Z]{20}\|P\|2\.3\|/);
  expect(asked?.slice(1, 3)).toEqual([
    "ARQ|A1|||||RESCHEDULE^Another time was asked for by the patient",
    "NTE|1||Friday \\F\\ after 4",
  ]);
  expect(withdrawn?.[1]).toBe("ARQ|A1|||||WITHDRAWN^The patient keeps the appointment");
});

test("a refusal and a lost connection are tried again with the same control id, in order", async () => {
  const id = await begin("siu");
  receiver.answer = "AE";
  await patch(id, { status: "cancelled" });
  await patch(id, { wish: null });
  await delivered(1);
  receiver.answer = null;
  await until(async () => {
    await hospital.clock.advance(30_000);
    return receiver.got.length >= 2;
  });
  receiver.answer = "AA";
  await until(async () => {
    await hospital.clock.advance(60_000);
    return new Set(receiver.got.map((message) => message.at("MSH-10"))).size === 2;
  });
  const ids = receiver.got.map((message) => message.at("MSH-10"));
  // A kept connection that ends without an answer is replaced once within an attempt.
  expect(ids.length).toBeGreaterThanOrEqual(4);
  expect(ids.slice(0, -1).every((each) => each === ids[0])).toBe(true);
  const { json } = await hospital.request("GET", "/v1/webhook-deliveries");
  const states = (json.data as unknown as { state: string; attempts: number }[]).map(({ state, attempts }) => [
    state,
    attempts,
  ]);
  expect(states).toEqual([
    ["delivered", 1],
    ["delivered", 3],
  ]);
});

test("an endpoint of a source is changed by its settings alone, and webhooks do not receive what it is told", async () => {
  const id = await begin("siu");
  const { organisationId, services, sourceId } = hospital;
  const [endpoint] = await services.endpoints.list(organisationId);
  expect(endpoint).toMatchObject({ kind: "hl7", source_id: sourceId, enabled: true });
  const path = `/v1/webhook-endpoints/${endpoint!.endpoint_id}`;
  expect((await hospital.request("PATCH", path, { body: { url: "https://evil.example/" } })).status).toBe(409);
  expect((await hospital.request("DELETE", path)).status).toBe(409);
  expect((await hospital.request("POST", `${path}/test`)).status).toBe(409);
  const { settings } = await services.sources.get(organisationId, sourceId);
  await services.sources.change(
    organisationId,
    sourceId,
    { settings: { ...settings, tell: { as: "none" } } },
    CLI_ACTOR,
  );
  expect((await services.endpoints.list(organisationId))[0]?.enabled).toBe(false);
  const enable = services.endpoints.enable(organisationId, endpoint!.endpoint_id, true, CLI_ACTOR);
  await expect(enable).rejects.toMatchObject({ code: "CONFLICT" });
  await patch(id, { status: "cancelled" });
  await hospital.clock.advance(60_000);
  expect(receiver.got).toEqual([]);
  await services.sources.change(organisationId, sourceId, { settings }, CLI_ACTOR);
  expect((await services.endpoints.list(organisationId))[0]?.enabled).toBe(true);
  await patch(id, { wish: null });
  await delivered(1);
  expect(receiver.got[0]?.at("SCH-6")).toBe("WITHDRAWN");
});

test("what is said while the endpoint is disabled waits, and a change of the source does not enable it", async () => {
  const id = await begin("siu");
  const { organisationId, services, sourceId } = hospital;
  const [{ endpoint_id } = { endpoint_id: "" }] = await services.endpoints.list(organisationId);
  await services.endpoints.disable(organisationId, endpoint_id, CLI_ACTOR);
  await services.sources.change(organisationId, sourceId, { name: "Other name" }, CLI_ACTOR);
  await patch(id, { status: "cancelled" });
  await hospital.clock.advance(60_000);
  expect(receiver.got).toEqual([]);
  await services.endpoints.enable(organisationId, endpoint_id, true, CLI_ACTOR);
  await delivered(1);
  expect(receiver.got[0]?.at("SCH-6")).toBe("CANCEL");
});

test("an address that the settings do not allow is refused", async () => {
  await begin("siu");
  const { organisationId, services, sourceId } = hospital;
  const { settings } = await services.sources.get(organisationId, sourceId);
  for (const address of ["mllp://10.0.0.1:2575", "mllp://127.0.0.1", "http://127.0.0.1:80", "mllp://a b:1"])
    await expect(
      services.sources.change(
        organisationId,
        sourceId,
        { settings: { ...settings, tell: { as: "siu", address } } },
        CLI_ACTOR,
      ),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});
