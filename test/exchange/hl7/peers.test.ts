// Independent implementations: node-hl7-client and python3-hl7 send, node-hl7-server and python3-hl7 receive, in every
// version.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Client, Message } from "node-hl7-client";
import { Server } from "node-hl7-server";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { VERSIONS } from "../../../src/exchange/hl7/message/version.ts";
import { chanceOf } from "../../support/chance.ts";
import { reservedPort } from "../../support/free-ports.ts";
import { createHl7Hospital, type Hl7Hospital } from "../../support/hl7-hospital.ts";
import { adt, generatorOf, siu } from "../../support/hl7.ts";
import { until } from "../../support/until.ts";

let hospital: Hl7Hospital;
beforeEach(async () => {
  hospital = await createHl7Hospital();
});
afterEach(() => hospital.close());

const DAY = ["12", "13", "14"];
/** Ten bookings, of which three are moved, two cancelled and one is a no-show. */
function day(version: string): string[] {
  const at = (minute: number) => `202611${DAY[0]}10${String(minute).padStart(2, "0")}00`;
  const one = (i: number, trigger: string, minute: number, startsAt = "20261201100000") =>
    siu({ trigger, controlId: `${trigger}-${i}`, id: `A${i}`, sentAt: at(minute), startsAt, version });
  return [
    ...Array.from({ length: 10 }, (_, i) => one(i, "S12", i)),
    ...[0, 1, 2].map((i) => one(i, "S13", 20 + i, "20261202110000")),
    ...[3, 4].map((i) => one(i, "S15", 30 + i)),
    one(5, "S26", 40),
    one(6, "S14", 41, "20261203120000"),
    one(99, "S17", 42),
  ];
}
const STATES = ["confirmed", "confirmed", "confirmed", "cancelled", "cancelled", "no_show", "confirmed", "confirmed"];

async function assertDay(): Promise<void> {
  const rows = await hospital.appointments();
  expect(rows.map(({ external_id }) => external_id)).toEqual([...Array.from({ length: 10 }, (_, i) => `A${i}`), "A99"]);
  expect(rows.slice(0, 8).map(({ status }) => status)).toEqual(STATES as (typeof rows)[number]["status"][]);
  expect(rows.slice(0, 3).map(({ date, start_time }) => `${date} ${start_time}`)).toEqual(
    Array.from({ length: 3 }, () => "2026-12-02 11:00"),
  );
  expect(rows.at(-1)?.status).toBe("cancelled");
}

describe("node-hl7-client sends", () => {
  test.each(VERSIONS)("version %s: a day of appointments, each acknowledged once", async (version) => {
    const codes: string[] = [];
    const client = new Client({ host: "127.0.0.1", version });
    const connection = client.createConnection({ port: hospital.listener.port, version }, (answer) => {
      codes.push(`${answer.getMessage().get("MSA.1").toString()} ${answer.getMessage().get("MSA.2").toString()}`);
    });
    await new Promise<void>((connected) => connection.once("connect", () => connected()));
    const messages = day(version);
    for (const [i, text] of messages.entries()) {
      // One at a time: while it waits for an answer, this client opens another connection for the next message.
      await connection.sendMessage(new Message({ text }));
      await until(() => codes.length === i + 1, { withinMs: 10_000 });
    }
    expect(codes).toEqual(messages.map((text) => `AA ${text.split("|")[9]}`));
    await assertDay();
    await connection.close();
  });
});

const PYTHON = "/usr/bin/python3";
const SENDER = `
import sys, json, hl7, base64
from hl7.client import MLLPClient
with MLLPClient("127.0.0.1", int(sys.argv[1])) as client:
    for text in json.load(sys.stdin):
        answer = hl7.parse(client.send_message(base64.b64decode(text)).strip(b"\\x0b\\x1c\\r").decode("utf-8"))
        error = str(answer.segment("ERR")[2][0]) if any(str(s[0]) == "ERR" and len(s) > 2 for s in answer) else ""
        print(str(answer.segment("MSA")[1]), str(answer.segment("MSA")[2]), error, flush=True)
`;

async function sendByPython(messages: readonly (string | Buffer)[]): Promise<string[]> {
  const run = Bun.spawn([PYTHON, "-c", SENDER, String(hospital.listener.port)], {
    stdin: Buffer.from(JSON.stringify(messages.map((each) => Buffer.from(each).toString("base64")))),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  expect([await run.exited, stderr]).toEqual([0, ""]);
  return stdout.trim().split("\n");
}

describe("python3-hl7 sends", () => {
  test.each(VERSIONS)("version %s: a day of appointments, each acknowledged once", async (version) => {
    const messages = day(version);
    const lines = await sendByPython(messages);
    expect(lines.map((line) => line.trim())).toEqual(messages.map((text) => `AA ${text.split("|")[9]}`));
    await assertDay();
  });

  test.each(VERSIONS)(
    "version %s: generated messages with other delimiters and line ends",
    async (version) => {
      const generator = generatorOf(chanceOf(`hl7 python ${version}`));
      const sent = Array.from({ length: 300 }, () => generator.sound(version));
      const lines = await sendByPython(sent.map(({ bytes }) => bytes));
      expect(lines.map((line) => line.trim())).toEqual(sent.map(({ controlId }) => `AA ${controlId}`));
      const known = (await hospital.appointments()).map(({ external_id }) => external_id ?? "");
      const ids = new Set(sent.flatMap(({ says }) => says?.id ?? []));
      expect([known.length, new Set(known)]).toEqual([ids.size, ids]);
    },
    60_000,
  );

  test("a merge moves everything and erases nothing, and a refusal names its place", async () => {
    const booked = siu({ trigger: "S12", controlId: "C1", id: "A1", sentAt: "20261112100000", mrn: "OLD" });
    const other = siu({ trigger: "S12", controlId: "C2", id: "A2", sentAt: "20261112100100", mrn: "NEW" });
    const merge = adt("A40", "C3", "20261112110000", ["PID|1||NEW^^^HOSP||SHARMA^Ravi", "MRG|OLD^^^HOSP"]);
    const unplaced = siu({ trigger: "S12", controlId: "C4", id: "A4", sentAt: "20261112120000", location: "MOON" });
    const lines = await sendByPython([booked, other, merge, unplaced]);
    expect(lines.map((line) => line.trim())).toEqual(["AA C1", "AA C2", "AA C3", "AE C4 AIL^1^3"]);
    const rows = await hospital.appointments();
    expect(rows.map(({ external_id }) => external_id)).toEqual(["A1", "A2"]);
    for (const row of rows) {
      expect(row).toMatchObject({ status: "confirmed", contact_number: "+919810012345" });
      expect(row.contact_identifiers).toContain("NEW");
    }
  });
});

/** Lets the hospital tell its source what happens to the first appointment. */
async function tellTo(port: number, version: (typeof VERSIONS)[number]): Promise<void> {
  const { services, organisationId, sourceId } = hospital;
  const { settings } = await services.sources.get(organisationId, sourceId);
  const tell = { as: "siu", address: `mllp://127.0.0.1:${port}`, version };
  await services.sources.change(organisationId, sourceId, { settings: { ...settings, tell } }, CLI_ACTOR);
  await hospital.app.start();
  await hospital.receive(siu({ trigger: "S12", controlId: "C1", id: "A1", sentAt: "20261112100000" }));
  const [row] = await hospital.appointments();
  for (const body of [{ wish: { wish: "move", text: "on Friday" } }, { status: "cancelled" }])
    expect((await hospital.request("PATCH", `/v1/appointments/${row!.id}`, { body })).status).toBe(200);
}

const deliveryStates = async () => {
  const { json } = await hospital.request("GET", "/v1/webhook-deliveries");
  return (json.data as unknown as { state: string }[]).map(({ state }) => state);
};
const allDelivered = () =>
  until(
    async () => {
      await hospital.clock.advance(0);
      return (await deliveryStates()).every((state) => state === "delivered");
    },
    { withinMs: 20_000 },
  );

describe("node-hl7-server receives", () => {
  test.each(VERSIONS)("version %s: what the patient said, in order", async (version) => {
    const port = reservedPort();
    // By control id: this server hands a message to its handler again when the next one arrives on the connection.
    const got = new Map<string, string>();
    const server = new Server({ bindAddress: "127.0.0.1" });
    const inbound = server.createInbound({ port }, (request, response) => {
      const message = request.getMessage();
      const said = ["MSH.9.2", "MSH.12", "SCH.1", "SCH.6.1"].map((path) => message.get(path).toString());
      got.set(message.get("MSH.10").toString(), said.join(" "));
      void response.sendResponse("AA");
    });
    await tellTo(port, version);
    await allDelivered();
    expect([...got.values()]).toEqual([`S14 ${version} A1 RESCHEDULE`, `S15 ${version} A1 CANCEL`]);
    await inbound.close();
  });
});

const RECEIVER = `
import asyncio, sys, hl7
from hl7.mllp import start_hl7_server
async def serve(reader, writer):
    while not writer.is_closing():
        message = await reader.readmessage()
        print(message.segment("MSH")[9], message.segment("MSH")[12], message.segment("SCH")[1], flush=True)
        writer.writemessage(message.create_ack())
        await writer.drain()
async def main():
    server = await start_hl7_server(serve, host="127.0.0.1", port=0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
`;

describe("python3-hl7 receives", () => {
  test.each(["2.3", "2.5.1"] as const)("version %s: what the patient said, in order", async (version) => {
    const run = Bun.spawn([PYTHON, "-c", RECEIVER], { stdout: "pipe", stderr: "ignore" });
    let output = "";
    const reading = (async () => {
      for await (const chunk of run.stdout) output += Buffer.from(chunk).toString();
    })();
    await until(() => output.includes("\n"));
    await tellTo(Number(output.split("\n")[0]), version);
    await allDelivered();
    const types = output.trim().split("\n").slice(1);
    expect(types.map((line) => line.replaceAll(/\^SIU_S12/g, ""))).toEqual([
      `SIU^S14 ${version} A1`,
      `SIU^S15 ${version} A1`,
    ]);
    run.kill();
    await reading;
  });
});
