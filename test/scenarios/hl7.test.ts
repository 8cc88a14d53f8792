// HL7 on the compiled binary: messages while the appliance and its peers are killed between a message and its answer.
import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { framed, createFraming } from "../../src/exchange/hl7/mllp.ts";
import { parseMessage } from "../../src/exchange/hl7/message/message.ts";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { startQuick } from "../support/calls.ts";
import { reservedPort } from "../support/free-ports.ts";
import { siu } from "../support/hl7.ts";
import { codeOf, connectMllp, controlOf, hl7PortOpened, reasonOf, type MllpClient } from "../support/mllp-client.ts";
import { until } from "../support/until.ts";
import { createChance } from "../torture/seeded.ts";

leaveNothingBehind();

const BRANCH = randomUUID();
const KILLS = 4;

interface Shown {
  appointment_id: string;
  external_id: string;
  status: string;
  starts_at: string;
  wish: { wish: string; state: string } | null;
}

const hl7Env = (port: number) => ({
  RINGWARD_HL7__HOST: "127.0.0.1",
  RINGWARD_HL7__PORT: String(port),
  RINGWARD_HL7__ALLOW: "127.0.0.1",
});

async function started(env: Record<string, string>, dataDir = tempFolder()): Promise<Running> {
  const server = await startQuick(env, { dataDir });
  await hl7PortOpened(server);
  return server;
}

async function addSource(server: Running, more: object = {}): Promise<void> {
  const settings = {
    application: "HIS",
    facility: "MAIN",
    time_zone: "UTC",
    country: "IN",
    branches: [{ code: "CARD", branch_id: BRANCH }],
    ...more,
  };
  const { status, text } = await ask(server, "POST", "/v1/sources", { body: { name: "HIS", kind: "hl7", settings } });
  if (status !== 201) throw new Error(text);
}

async function shownOf(server: Running): Promise<Shown[]> {
  const { text } = await ask(server, "GET", `/v1/appointments?limit=100&branch_id=${BRANCH}`);
  return (JSON.parse(text) as { data: Shown[] }).data;
}

/** YYYYMMDDHHMMSS in UTC. */
const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 19).replaceAll(/[-T:]/g, "");

test("kills of both sides between a message and its answer: nothing is doubled, lost or revived", async () => {
  const APPOINTMENTS = 40;
  const chance = createChance(371);
  const dataDir = tempFolder();
  const port = reservedPort();
  let server = await started(hl7Env(port), dataDir);
  await addSource(server);
  const base = Date.now() - 3_600_000;
  const start = Math.ceil(Date.now() / 60_000) * 60_000 + 3 * 86_400_000;
  const messages = Array.from({ length: APPOINTMENTS }, (_, i) =>
    ["S12", "S13", i % 4 === 0 ? "S15" : "S14"].map((trigger, version) => ({
      id: `A${i}`,
      version,
      startsAt: start + (i + version) * 600_000,
      text: siu({
        trigger,
        controlId: `M${i}-${version}`,
        id: `A${i}`,
        sentAt: stamp(base + version * 60_000),
        startsAt: stamp(start + (i + version) * 600_000),
      }),
    })),
  ).flat();
  const places = new Map(messages.map((message) => [message, chance.between(0, 1_000_000)]));
  let unsent = messages.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  const codes: string[] = [];

  /** Sends until the connection or the appliance dies; every seventh message without waiting for its answer. */
  async function sendSome(client: MllpClient, mine: typeof messages, left: typeof messages): Promise<void> {
    for (const [i, message] of mine.entries()) {
      if (i % 7 === 6) {
        client.raw(framed(Buffer.from(message.text)));
        client.close();
        left.push(...mine.slice(i));
        return;
      }
      try {
        const answer = await client.ask(message.text);
        codes.push(`${codeOf(answer)} ${reasonOf(answer)}`);
      } catch {
        left.push(...mine.slice(i));
        return;
      }
    }
    client.close();
  }

  for (let round = 0; unsent.length > 0; round++) {
    if (round > 60) throw new Error("The messages do not come to an end.");
    const left: typeof messages = [];
    const before = codes.length;
    const clients = await Promise.all([0, 1, 2].map(() => connectMllp(port)));
    const sending = Promise.all(
      clients.map((client, n) =>
        sendSome(
          client,
          unsent.filter((_, i) => i % 3 === n),
          left,
        ),
      ),
    );
    if (round < KILLS) {
      const enough = before + chance.between(1, 6);
      await Promise.race([sending, until(() => codes.length >= enough, { everyMs: 1 })]);
      await server.kill();
      await sending;
      server = await started(hl7Env(port), dataDir);
    } else await sending;
    unsent = left;
  }
  // All of it once more.
  const again = await connectMllp(port);
  for (const { text } of messages) codes.push(`${codeOf(await again.ask(text))} `);
  again.close();
  expect(codes.filter((code) => code !== "AA ")).toEqual([]);

  const shown = await shownOf(server);
  expect(shown).toHaveLength(APPOINTMENTS);
  for (const { external_id, status, starts_at } of shown) {
    const i = Number(external_id.slice(1));
    const newest = messages.find(({ id, version }) => id === external_id && version === 2);
    expect([external_id, status]).toEqual([external_id, i % 4 === 0 ? "cancelled" : "confirmed"]);
    if (status === "confirmed") expect(Date.parse(starts_at)).toBe(newest!.startsAt);
  }
  expect(await server.stop()).toBe(0);
}, 180_000);

test("two thousand messages at once over all connections are each answered once, in order", async () => {
  const [MESSAGES, CONNECTIONS] = [2_000, 32];
  const port = reservedPort();
  const server = await started({ ...hl7Env(port), RINGWARD_HL7__MESSAGES_PER_SECOND: "10000" });
  await addSource(server);
  const start = Math.ceil(Date.now() / 60_000) * 60_000 + 3 * 86_400_000;
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectMllp(port)));
  for (let i = 0; i < MESSAGES; i++) {
    const booking = { trigger: "S12", controlId: `M${i}`, id: `A${i}`, sentAt: stamp(Date.now() - 60_000) };
    clients[i % CONNECTIONS]?.raw(framed(Buffer.from(siu({ ...booking, startsAt: stamp(start + i * 60_000) }))));
  }
  const expected = clients.map((_, n) =>
    Array.from({ length: Math.ceil((MESSAGES - n) / CONNECTIONS) }, (_each, i) => `AA M${i * CONNECTIONS + n}`),
  );
  const answered = () => clients.map(({ answers }) => answers.map((each) => `${codeOf(each)} ${controlOf(each)}`));
  await until(() => answered().flat().length >= MESSAGES, { withinMs: 150_000, everyMs: 100 });
  expect(answered()).toEqual(expected);
  for (const client of clients) client.close();
  expect(await server.stop()).toBe(0);
}, 180_000);

test("what patients say reaches the scheduler once, although both are killed before the answer", async () => {
  const APPOINTMENTS = 12;
  const dataDir = tempFolder();
  const [port, hisPort] = [reservedPort(), reservedPort()];
  const got = new Map<string, string>();
  let received = 0;
  let isDeaf = false;
  const framings = new WeakMap<object, ReturnType<typeof createFraming>>();
  const his = Bun.listen({
    hostname: "127.0.0.1",
    port: hisPort,
    socket: {
      open: (socket) => void framings.set(socket, createFraming(100_000)),
      data(socket, bytes) {
        for (const each of framings.get(socket)?.take(bytes) ?? []) {
          if (each.kind !== "message") continue;
          const message = parseMessage(each.bytes);
          const control = message.at("MSH-10");
          received += 1;
          got.set(control, message.at("SCH-1"));
          // Every third dies between the message and its answer.
          if (isDeaf || received % 3 === 0) socket.terminate();
          else socket.write(framed(Buffer.from(`MSH|^~\\&|HIS|MAIN|||||ACK|1|P|2.5\rMSA|AA|${control}\r`)));
        }
      },
    },
  });
  let server = await started(hl7Env(port), dataDir);
  await addSource(server, { tell: { as: "siu", address: `mllp://127.0.0.1:${hisPort}` } });
  const client = await connectMllp(port);
  const start = Math.ceil(Date.now() / 60_000) * 60_000 + 3 * 86_400_000;
  for (let i = 0; i < APPOINTMENTS; i++) {
    const booking = { trigger: "S12", controlId: `M${i}`, id: `A${i}`, sentAt: stamp(Date.now() - 60_000) };
    expect(codeOf(await client.ask(siu({ ...booking, startsAt: stamp(start + i * 600_000) })))).toBe("AA");
  }
  client.close();
  isDeaf = true;
  for (const { appointment_id } of await shownOf(server))
    expect(
      (await ask(server, "PATCH", `/v1/appointments/${appointment_id}`, { body: { status: "cancelled" } })).status,
    ).toBe(200);
  await until(() => received > 0);
  await server.kill();
  isDeaf = false;
  server = await started(hl7Env(port), dataDir);
  // Retries are half a minute apart, so what failed is sent again by hand.
  const deliveries = async () => {
    const { text } = await ask(server, "GET", "/v1/webhook-deliveries?limit=100");
    return (JSON.parse(text) as { data: { delivery_id: string; state: string; attempts: number }[] }).data;
  };
  await until(async () => {
    const all = await deliveries();
    for (const { delivery_id, state, attempts } of all)
      if (state !== "delivered" && attempts > 0)
        await ask(server, "POST", `/v1/webhook-deliveries/${delivery_id}/replay`);
    return all.length === APPOINTMENTS && all.every(({ state }) => state === "delivered");
  });
  expect([...got.values()].toSorted()).toEqual(Array.from({ length: APPOINTMENTS }, (_, i) => `A${i}`).toSorted());
  expect((await shownOf(server)).every(({ wish, status }) => wish?.state === "open" && status === "confirmed")).toBe(
    true,
  );
  expect(await server.stop()).toBe(0);
  his.stop(true);
}, 180_000);
