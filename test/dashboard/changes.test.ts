// The change stream: nothing missed, isolated between organisations, and closed when the session or the appliance ends.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

let hospital: Hospital;
let viewer: Visitor;
let isClosed: boolean;
beforeEach(async () => {
  isClosed = false;
  hospital = await createHospital();
  viewer = await signedIn(hospital.app, hospital.organisationId, "viewer");
});
afterEach(async () => {
  if (!isClosed) await hospital.close();
});

interface Heard {
  id: string;
  event?: string;
  data?: string;
}

/** Opens the stream as a browser does; `heard` returns the events since its last call. */
async function listen(cookie: string, lastEventId?: string) {
  const headers = { cookie, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
  const response = await hospital.app.handle(new Request("http://localhost/dashboard/api/changes", { headers }));
  const reader = response.body!.getReader();
  let text = "";
  let isOver = false;
  const reading = (async () => {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return void (isOver = true);
      text += decoder.decode(value, { stream: true });
    }
  })();
  await settle();
  return {
    response,
    isOver: async () => (await settle(), isOver),
    text: () => text,
    async heard(): Promise<Heard[]> {
      await hospital.clock.advance(600);
      await settle();
      const messages = text.split("\n\n").slice(0, -1);
      text = "";
      return messages
        .map(
          (message) => Object.fromEntries(message.split("\n").map((line) => line.split(/: (.*)/).slice(0, 2))) as Heard,
        )
        .filter(({ event }) => event !== undefined);
    },
    leave: async () => (await reader.cancel(), await reading),
  };
}

const idsOf = (heard: readonly Heard[]) => heard.map(({ data }) => (JSON.parse(data!) as { id: string }).id);

test("reports a call when it changes, once per change, and nothing earlier", async () => {
  await hospital.schedule();
  await hospital.clock.advance(3_000);
  const stream = await listen(viewer.cookie);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
  expect(await stream.heard()).toEqual([]);
  const callId = await hospital.schedule();
  expect(idsOf(await stream.heard())).toEqual([callId]);
  expect(await stream.heard()).toEqual([]);
  await hospital.request("POST", `/v1/calls/${callId}/cancel`);
  expect(idsOf(await stream.heard())).toEqual([callId]);
  await stream.leave();
});

test("reports a created or changed window, and an overridden date; a booking is reported as an appointment only", async () => {
  const stream = await listen(viewer.cookie);
  const body = { branch_id: crypto.randomUUID(), day: "monday", session: "Morning", ai_slots: 1, max_slots: 2 };
  const { json } = await hospital.request("POST", "/v1/appointment-slots", { body });
  const { calendar_id } = json.data as unknown as { calendar_id: string };
  const told = [["window", calendar_id]];
  const kindsAndIds = async () => {
    const heard = await stream.heard();
    return heard.map(({ event }, i) => [event ?? "", idsOf(heard)[i]]);
  };
  expect(await kindsAndIds()).toEqual(told);
  await hospital.request("PATCH", `/v1/appointment-slots/${calendar_id}`, { body: { max_slots: 3 } });
  expect(await kindsAndIds()).toEqual(told);
  const slotId = `${calendar_id}||2026-11-16`;
  await hospital.request("PATCH", `/v1/appointment-slots/schedule-tracking/${slotId}`, { body: { max_slots: 4 } });
  expect(await kindsAndIds()).toEqual(told);
  await hospital.request("POST", "/v1/appointments", { body: { slot_id: slotId } });
  expect((await kindsAndIds()).map(([kind]) => kind)).toEqual(["appointment"]);
  await stream.leave();
});

test("reports a change committed after the poll of its time", async () => {
  const stream = await listen(viewer.cookie);
  const first = await hospital.schedule();
  expect(idsOf(await stream.heard())).toEqual([first]);
  const second = await hospital.schedule();
  await hospital.db.write((tx) =>
    tx
      .updateTable("calls")
      .set({ updated_at: hospital.clock.now() - 700 })
      .where("id", "=", second)
      .execute(),
  );
  expect(idsOf(await stream.heard())).toEqual([second]);
  await stream.leave();
});

test("resumes after the last seen event", async () => {
  const first = await hospital.schedule();
  await hospital.clock.advance(3_000);
  const stream = await listen(viewer.cookie);
  await hospital.schedule();
  const [seen] = await stream.heard();
  await stream.leave();
  await hospital.clock.advance(5_000);
  const missed = await hospital.schedule();
  await hospital.clock.advance(5_000);
  const again = await listen(viewer.cookie, seen!.id);
  const heard = idsOf(await again.heard());
  expect(heard).toContain(missed);
  expect(heard).not.toContain(first);
  await again.leave();
});

test.each(["not a position", "1700000000000", "0".repeat(32)])(
  "tells a browser with a position that is not of this log (%s) that it may have missed everything",
  async (position) => {
    await hospital.schedule();
    const stream = await listen(viewer.cookie, position);
    expect((await stream.heard()).map(({ event, data }) => [event, data])).toEqual([
      ["call", '{"id":""}'],
      ["appointment", '{"id":""}'],
      ["campaign", '{"id":""}'],
      ["window", '{"id":""}'],
      ["worklist", '{"id":""}'],
      ["waiting", '{"id":""}'],
      ["account", '{"id":""}'],
    ]);
    const callId = await hospital.schedule();
    expect(idsOf(await stream.heard())).toEqual([callId]);
    await stream.leave();
  },
);

test("continues when the clock was ahead and is set back", async () => {
  hospital.clock.jump(3_600_000);
  const stream = await listen(viewer.cookie);
  const ahead = await hospital.schedule();
  expect(idsOf(await stream.heard())).toEqual([ahead]);
  hospital.clock.jump(-3_600_000);
  const after = await hospital.schedule();
  expect(idsOf(await stream.heard())).toEqual([after]);
  await stream.leave();
});

test("reports nothing of another organisation", async () => {
  const { agentId, key } = await hospital.neighbour();
  const stream = await listen(viewer.cookie);
  await stream.heard();
  expect((await hospital.post({ agent_id: agentId }, { key })).status).toBe(201);
  expect(await stream.heard()).toEqual([]);
  const own = await hospital.schedule();
  expect(idsOf(await stream.heard())).toEqual([own]);
  await stream.leave();
});

test("beats every 1.5 seconds without changes, so that a page notices a silent stream within 3 seconds", async () => {
  const stream = await listen(viewer.cookie);
  const beats = () => stream.text().split("event: beat\ndata: 1\n\n").length - 1;
  await hospital.clock.advance(1_000);
  expect(beats()).toBe(0);
  await hospital.clock.advance(5_000);
  expect(beats()).toBe(4);
  await stream.leave();
});

describe("ends", () => {
  test("with the session that opened it", async () => {
    const stream = await listen(viewer.cookie);
    expect(await stream.isOver()).toBeFalse();
    await viewer.ask("POST", "/dashboard/api/logout");
    await hospital.clock.advance(600);
    expect(await stream.isOver()).toBeTrue();
  });

  test("when the person is disabled", async () => {
    const stream = await listen(viewer.cookie);
    await hospital.app.services.people.disable(hospital.organisationId, viewer.email, { kind: "cli", id: null });
    await hospital.schedule();
    await hospital.clock.advance(600);
    expect(await stream.isOver()).toBeTrue();
    expect(stream.text()).not.toContain("event: call");
  });

  test("when the appliance stops", async () => {
    const streams = [await listen(viewer.cookie), await listen(viewer.cookie)];
    await hospital.close();
    isClosed = true;
    for (const stream of streams) expect(await stream.isOver()).toBeTrue();
  });
});

test("does not extend a session: an open page is not activity", async () => {
  const stream = await listen(viewer.cookie);
  const expiryOf = async () =>
    (await hospital.db.reader.selectFrom("sessions").select("expires_at").executeTakeFirstOrThrow()).expires_at;
  const before = await expiryOf();
  await hospital.clock.advance(30 * 60_000);
  expect(await expiryOf()).toBe(before);
  await stream.leave();
});

test("the seventh stream of a session closes its first, which reconnects a minute later", async () => {
  const streams = [];
  for (let i = 0; i < 7; i++) streams.push(await listen(viewer.cookie));
  const over = await Promise.all(streams.map(({ isOver }) => isOver()));
  expect(over).toEqual([true, false, false, false, false, false, false]);
  expect(streams[0]!.text()).toEndWith("retry: 60000\n\n");
  const other = await listen((await signedIn(hospital.app, hospital.organisationId, "staff")).cookie);
  expect(await other.isOver()).toBeFalse();
  for (const stream of [...streams.slice(1), other]) await stream.leave();
});

test("positions reveal nothing about the activity of others", async () => {
  const { agentId, key } = await hospital.neighbour();
  const stream = await listen(viewer.cookie);
  const ids: string[] = [];
  for (const strangers of [1, 0]) {
    for (let i = 0; i < strangers; i++) await hospital.post({ agent_id: agentId }, { key });
    await hospital.schedule();
    ids.push(...(await stream.heard()).map(({ id }) => id));
  }
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(ids[0]!.slice(0, 16)).not.toBe(ids[1]!.slice(0, 16));
  await stream.leave();
});
