import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { workwatch } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import { framed } from "../../../src/exchange/hl7/mllp.ts";
import { BRANCH, SERVICE, adt, siu } from "../../support/hl7.ts";
import { createHl7World, type Hl7World } from "../../support/hl7-world.ts";
import { codeOf, connectMllp, controlOf, reasonOf } from "../../support/mllp-client.ts";
import { createPrivateCa } from "../../support/private-ca.ts";
import { until } from "../../support/until.ts";

let world: Hl7World;
beforeEach(async () => {
  world = await createHl7World();
});
afterEach(() => world.close());

const booking = { trigger: "S12", controlId: "C1", id: "A1", sentAt: "20261118120000" };
const rowOf = (id: string) => world.mirror.rows.get(`${world.sourceId} ${id}`);

describe("a message", () => {
  test("is applied, and acknowledged after that", async () => {
    const client = await connectMllp(world.port);
    const answer = await client.ask(siu(booking));
    expect([codeOf(answer), controlOf(answer)]).toEqual(["AA", "C1"]);
    expect(rowOf("A1")).toMatchObject({
      status: "confirmed",
      startsAt: Date.parse("2026-12-01T04:30:00Z"),
      endsAt: Date.parse("2026-12-01T04:50:00Z"),
      branchId: BRANCH,
      appointmentTypeId: SERVICE,
      practitioner: { id: "D42", name: "Dr Anil Mehta" },
      contactName: "Ravi SHARMA",
      contactNumber: "+919810012345",
      identifiers: [{ system: "mrn", value: "MRN1" }],
      changedAt: Date.parse("2026-11-18T06:30:00Z"),
    });
    client.close();
  });

  test("in many packets, and many in one packet, are answered in order", async () => {
    const client = await connectMllp(world.port);
    const messages = Array.from({ length: 20 }, (_, i) =>
      framed(Buffer.from(siu({ ...booking, controlId: `C${i}`, id: `A${i % 4}`, sentAt: `202611181200${10 + i}` }))),
    );
    const stream = Buffer.concat(messages);
    for (let at = 0; at < stream.length; at += 701) client.raw(stream.subarray(at, at + 701));
    await until(() => client.answers.length === 20);
    expect(client.answers.map(controlOf)).toEqual(messages.map((_, i) => `C${i}`));
    expect(world.mirror.rows.size).toBe(4);
    client.close();
  });

  test("the same twice is answered with the stored answer, and applied once", async () => {
    const [first, second] = [await connectMllp(world.port), await connectMllp(world.port)];
    const answers = await Promise.all([first.ask(siu(booking)), second.ask(siu(booking))]);
    answers.push(await first.ask(siu(booking)));
    expect(new Set(answers.map((answer) => answer.encode())).size).toBe(1);
    expect(world.mirror.puts).toBe(1);
    expect(await world.logged()).toMatchObject([{ times_received: 3, outcome: "created", code: "AA" }]);
    const reused = await first.ask(siu({ ...booking, trigger: "S15", sentAt: "20261118130000" }));
    expect(codeOf(reused)).toBe("AA");
    expect(rowOf("A1")?.status).toBe("cancelled");
    for (const each of [first, second]) each.close();
  });

  test("an older one changes nothing, and a late booking does not bring back a cancelled one", async () => {
    const client = await connectMllp(world.port);
    await client.ask(siu({ ...booking, trigger: "S15", controlId: "C2", sentAt: "20261118130000" }));
    const late = await client.ask(siu(booking));
    expect(codeOf(late)).toBe("AA");
    expect(rowOf("A1")?.status).toBe("cancelled");
    expect((await world.logged()).map(({ outcome }) => outcome)).toEqual(["created", "stale"]);
    client.close();
  });

  test("a refused one is answered with its reason, and tried again when it is repeated", async () => {
    const client = await connectMllp(world.port);
    const unknown = siu({ ...booking, location: "NEPH" });
    const answer = await client.ask(unknown);
    expect([codeOf(answer), reasonOf(answer)]).toEqual(["AE", 'No branch has the location code "NEPH".']);
    expect(answer.value(answer.first("ERR"), 2)).toBe("AIL");
    world.sources[0]!.settings.branches?.push({ code: "neph", branch_id: BRANCH });
    expect(codeOf(await client.ask(unknown))).toBe("AA");
    const [row] = await world.logged();
    expect(row).toMatchObject({
      outcome: "created",
      code: "AA",
      reason: null,
      sealed_message: null,
      times_received: 2,
    });
    client.close();
  });

  test("A08 changes the patient, and A40 moves identifiers", async () => {
    const client = await connectMllp(world.port);
    await client.ask(siu(booking));
    const pid = "PID|1||MRN1^^^HOSP||SHARMA^Ravindra||||||||9820098200";
    expect(codeOf(await client.ask(adt("A08", "C2", "20261115121000", [pid])))).toBe("AA");
    expect(rowOf("A1")).toMatchObject({ contactName: "Ravindra SHARMA", contactNumber: "+919820098200" });
    const merge = ["PID|1||MRN9^^^HOSP||SHARMA^Ravindra", "MRG|MRN1^^^HOSP"];
    expect(codeOf(await client.ask(adt("A40", "C3", "20261115122000", merge)))).toBe("AA");
    expect(rowOf("A1")).toMatchObject({
      identifiers: [{ system: "mrn", value: "MRN9" }],
      contactNumber: "+919820098200",
    });
    expect((await world.logged()).map(({ outcome }) => outcome)).toEqual(["created", "updated", "merged"]);
    client.close();
  });

  test.each([
    ["a blank before PID", (text: string) => text.replace("\rPID", "\r PID")],
    ["PID right after the header", (text: string) => text.replace(/\rSCH[^\r]*\rPID/, "\r PID")],
    ["PID after a short segment", (text: string) => text.replace(/\rSCH[^\r]*\rPID/, "\rSCH|A1\r PID")],
    ["no line ends", (text: string) => text.replaceAll("\r", "\x1e")],
    ["no line end before PID", (text: string) => text.replace(/\rSCH[^\r]*\rPID/, "PID")],
  ])("the log of a mangled one has no patient's data either: %s", async (_what, mangle) => {
    await world.receiver.receive(Buffer.from(mangle(siu(booking))), { address: "127.0.0.1" });
    const [row] = await world.logged();
    const text = JSON.stringify({ ...row, contact_number: null });
    for (const secret of ["SHARMA", "Ravi", "9810012345", "MRN1", "19700101"]) expect(text).not.toContain(secret);
  });

  test("the log has no patient's data", async () => {
    const client = await connectMllp(world.port);
    await client.ask(siu({ ...booking, location: "NEPH" }));
    await client.ask(siu({ ...booking, controlId: "C2" }));
    const text = JSON.stringify((await world.logged()).map((row) => ({ ...row, contact_number: null })));
    for (const secret of ["SHARMA", "Ravi", "9810012345", "MRN1", "19700101"]) expect(text).not.toContain(secret);
    expect(world.logLines.join("")).not.toMatch(/SHARMA|98100/);
    client.close();
  });
});

describe("refusals", () => {
  test.each([
    ["an unknown sender", siu({ ...booking, application: "OTHER" }), "AR", "No source has this sending"],
    ["another version", siu({ ...booking, version: "2.7" }), "AR", "The version must be"],
    ["another event", siu({ ...booking, trigger: "S18" }), "AR", "The event of SIU must be"],
    ["another message", siu(booking).replace("SIU^S12", "ORU^R01"), "AR", "The message must be SIU or ADT"],
    ["no control id", siu({ ...booking, controlId: "" }), "AE", "A message must have a control id."],
    ["no appointment id", siu(booking).replace(/SCH\|[^|]*\|[^|]*/, "SCH||"), "AE", "The appointment has no id."],
    ["no time", siu({ ...booking, startsAt: "" }), "AE", "The appointment has no time"],
    ["an odd time", siu({ ...booking, startsAt: "2026-13-45" }), "AE", "The time must be"],
    ["text after the header", siu(booking).replace("\rSCH", "\rtext\rSCH"), "AE", "The line after the MSH segment is"],
    [
      "an update with a clock ahead",
      adt("A08", "C1", "20991231", ["PID|1||MRN1^^^HOSP||SHARMA^Ravindra"]),
      "AE",
      "The time is over a day ahead",
    ],
    [
      "a merge with a clock ahead",
      adt("A40", "C1", "20991231", ["PID|1||MRN9^^^HOSP", "MRG|MRN1^^^HOSP"]),
      "AE",
      "The time is over a day ahead",
    ],
    [
      "many merges",
      adt("A40", "C1", "20261115", ["PID|1||MRN9^^^HOSP", ...Array.from({ length: 21 }, () => "MRG|MRN1^^^HOSP")]),
      "AE",
      "A message may have at most 20 MRG segments.",
    ],
    ["no header", "PID|1\r", "AR", "A message must begin with an MSH segment."],
  ])("%s", async (_name, message, code, reason) => {
    const client = await connectMllp(world.port);
    const answer = await client.ask(message);
    expect([codeOf(answer), reasonOf(answer).slice(0, reason.length)]).toEqual([code, reason]);
    expect(world.mirror.rows.size).toBe(0);
    client.close();
  });

  test("two sources with one sender: neither is chosen", async () => {
    world.sources.push({ ...world.sources[0]!, id: "src_2", organisationId: "org_other" });
    const client = await connectMllp(world.port);
    expect(reasonOf(await client.ask(siu(booking)))).toContain("More than one source");
    world.sources[1]!.settings = { ...world.sources[1]!.settings, peers: ["10.0.0.0/8"] };
    expect(codeOf(await client.ask(siu(booking)))).toBe("AA");
    expect(rowOf("A1")?.sourceId).toBe(world.sourceId);
    client.close();
  });
});

describe("limits", () => {
  test("a message that is too long is refused, and the next one is read", async () => {
    const client = await connectMllp(world.port);
    const answer = await client.ask(`${siu(booking)}NTE|1||${"x".repeat(70_000)}\r`);
    expect([codeOf(answer), controlOf(answer), reasonOf(answer)]).toEqual([
      "AR",
      "C1",
      "The message has more than 65536 bytes.",
    ]);
    expect(codeOf(await client.ask(siu(booking)))).toBe("AA");
    client.close();
  });

  test("an endless message ends the connection", async () => {
    const client = await connectMllp(
      world.listen({ limits: { mostBytes: 100, perSecond: 10, idleMs: 60_000, frameMs: 60_000, quietMs: 60_000 } })
        .port,
    );
    client.raw(Buffer.from(`\x0b${"x".repeat(7_000)}`));
    await until(() => client.isClosed);
  });

  test("idle connections and messages that do not end are closed", async () => {
    const limits = { mostBytes: 1_000, perSecond: 10, idleMs: 60_000, frameMs: 50, quietMs: 60_000 };
    const slow = await connectMllp(world.listen({ limits }).port);
    slow.raw(Buffer.from("\x0bMSH"));
    await until(() => slow.isClosed);
    const idle = await connectMllp(world.listen({ limits: { ...limits, idleMs: 50 } }).port);
    await until(() => idle.isClosed);
  });

  test("more connections than allowed, and addresses that are not listed, are closed", async () => {
    const { port } = world.listen({ mostConnections: 1 });
    const first = await connectMllp(port);
    expect(codeOf(await first.ask(siu(booking)))).toBe("AA");
    const second = await connectMllp(port);
    await until(() => second.isClosed);
    const stranger = await connectMllp(world.listen({ isAllowed: () => false }).port);
    await until(() => stranger.isClosed);
    expect(first.isClosed).toBe(false);
    first.close();
  });

  test("a connection that has been quiet gives its place to a new one", async () => {
    const limits = { mostBytes: 64_000, perSecond: 10, idleMs: 60_000, frameMs: 60_000, quietMs: 0 };
    const { port } = world.listen({ mostConnections: 2, limits });
    const [first, second] = [await connectMllp(port), await connectMllp(port)];
    expect(codeOf(await second.ask(siu(booking)))).toBe("AA");
    const third = await connectMllp(port);
    await until(() => first.isClosed);
    expect(codeOf(await third.ask(siu({ ...booking, controlId: "C2" })))).toBe("AA");
    expect(second.isClosed).toBe(false);
    for (const each of [second, third]) each.close();
  });

  test("a packet of many empty frames is answered one by one, and other connections meanwhile", async () => {
    const limits = { mostBytes: 64_000, perSecond: 2_000, idleMs: 60_000, frameMs: 200, quietMs: 60_000 };
    const { port } = world.listen({ limits });
    const [hostile, honest] = [await connectMllp(port), await connectMllp(port)];
    const spentMs = workwatch();
    hostile.raw(Buffer.from("\x0b \x1c".repeat(100_000)));
    expect(codeOf(await honest.ask(siu(booking)))).toBe("AA");
    expect(hostile.answers.length).toBeLessThan(5_000);
    expect(spentMs()).toBeLessThan(2_000);
    hostile.close();
    honest.close();
  });

  test("a fault of the appliance is not acknowledged, so that the sender repeats the message", async () => {
    world.mirror.fault = new AppError("UNAVAILABLE", "The disk is full.");
    const client = await connectMllp(world.port);
    client.raw(framed(Buffer.from(siu(booking))));
    await until(() => client.isClosed);
    expect(client.answers).toEqual([]);
    world.mirror.fault = null;
    const again = await connectMllp(world.port);
    expect(codeOf(await again.ask(siu(booking)))).toBe("AA");
    again.close();
  });
});

test("a revoked certificate is refused, and its open connection ends when the list is renewed", async () => {
  const ca = createPrivateCa();
  const tls = ca.issue(["127.0.0.1"]);
  const [kept, lost] = [ca.issue(["kept.example"]), ca.issue(["lost.example"])];
  const listener = world.listen({ tls, clients: { caPem: ca.caPem, crlPem: ca.revoke() } });
  const connect = ({ certPem: cert, keyPem: key }: typeof kept) =>
    connectMllp(listener.port, { ca: ca.caPem, cert, key });
  const before = await connect(lost);
  expect(codeOf(await before.ask(siu(booking)))).toBe("AA");
  expect(() => listener.renew(tls, { caPem: ca.caPem, crlPem: "no list" })).toThrow();
  expect(codeOf(await before.ask(siu({ ...booking, controlId: "C2" })))).toBe("AA");
  listener.renew(tls, { caPem: ca.caPem, crlPem: ca.revoke(lost) });
  await until(() => before.isClosed);
  const again = await connect(lost);
  await until(() => again.isClosed);
  const client = await connect(kept);
  expect(codeOf(await client.ask(siu({ ...booking, controlId: "C3" })))).toBe("AA");
  client.close();
});

test("a handshake that does not end is closed, and counts as a connection until then", async () => {
  const tls = createPrivateCa().issue(["127.0.0.1"]);
  const limits = { mostBytes: 1_000, perSecond: 10, idleMs: 60_000, frameMs: 200, quietMs: 60_000 };
  const listener = world.listen({ tls, mostConnections: 1, limits });
  const silent = await connectMllp(listener.port);
  const next = await connectMllp(listener.port);
  await until(() => next.isClosed);
  expect(silent.isClosed).toBe(false);
  await until(() => silent.isClosed);
  expect(world.logLines.join("")).toContain("The handshake did not end in time.");
});

test("TLS asks for a certificate of the configured authority", async () => {
  const [ca, other] = [createPrivateCa(), createPrivateCa("Another authority")];
  const server = ca.issue(["127.0.0.1"]);
  const { port } = world.listen({ tls: server, clients: { caPem: ca.caPem, crlPem: null } });
  const own = ca.issue(["sender.example"]);
  const client = await connectMllp(port, { ca: ca.caPem, cert: own.certPem, key: own.keyPem });
  expect(codeOf(await client.ask(siu(booking)))).toBe("AA");
  client.close();
  const foreign = other.issue(["sender.example"]);
  for (const tls of [{ ca: ca.caPem }, { ca: ca.caPem, cert: foreign.certPem, key: foreign.keyPem }]) {
    const refused = await connectMllp(port, tls);
    await until(() => refused.isClosed);
  }
  expect(world.mirror.puts).toBe(1);
});
