// Agents, phone numbers and trunks made over the API of the executable: a call goes out, and all stays after a crash.
import { expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { commandJson, finished, place, readCall, startQuick } from "../support/calls.ts";

leaveNothingBehind();

const NUMBER = "+15555550142";
const PASSWORD = "tr0ub4dor-and-3";

async function made(server: Running, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { "idempotency-key": `make ${path}` };
  const [one, other] = await Promise.all([1, 2].map(() => ask(server, "POST", path, { body, headers })));
  // The second may be told that the first is under way; asked again, it gets the first one's answer.
  const again = await ask(server, "POST", path, { body, headers });
  expect([one?.status, other?.status]).toContain(201);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  return again.data;
}

test("an agent with a number on a trunk calls, is changed and restored, and is there after a crash", async () => {
  let server = await startQuick();
  try {
    const trunk = await made(server, "/v1/trunks", {
      name: "Provider",
      host: "sip.provider.example",
      username: "hospital",
      secret: PASSWORD,
    });
    const agent = await made(server, "/v1/agents", {
      name: "Meera",
      greeting: "Hello {{user_name}}.",
      calling_hours: null,
    });
    const { agent_id, trunk_id } = { ...agent, ...trunk } as { agent_id: string; trunk_id: string };
    const number = await made(server, "/v1/phone-numbers", { number: NUMBER, agent_id, trunk_id });

    const callId = await place(server, { agent_id });
    await finished(server, callId);
    expect(await readCall(server, callId)).toMatchObject({ status: "completed", agent_id });

    const changed = await ask(server, "PATCH", `/v1/agents/${agent_id}`, { body: { greeting: "Good day." } });
    expect(changed.data).toMatchObject({ greeting: "Good day." });
    const restored = await ask(server, "POST", `/v1/agents/${agent_id}/versions/1/restore`);
    expect(restored.data).toMatchObject({ greeting: "Hello {{user_name}}." });
    const { data: status } = await ask(server, "GET", `/v1/trunks/${trunk_id}/status`);
    expect(status).toMatchObject({ mode: "simulator", state: "unknown" });
    expect((await ask(server, "DELETE", `/v1/trunks/${trunk_id}`)).status).toBe(409);

    const { dataDir, demo } = server;
    expect(server.output()).not.toContain(PASSWORD);
    await server.kill();
    server = { ...(await startQuick({}, { dataDir, demo: false })), demo };
    const after = await Promise.all(
      [
        `/v1/agents/${agent_id}`,
        `/v1/phone-numbers/${String(number["phone_number_id"])}`,
        `/v1/trunks/${trunk_id}`,
      ].map(async (path) => await ask(server, "GET", path)),
    );
    expect(after.map(({ data }) => data)).toEqual([restored.data, number, { ...trunk, numbers: [NUMBER] }]);
    expect(after.map(({ text }) => text).join("")).not.toContain(PASSWORD);
    const listed = await commandJson<{ agent_id: string; greeting: string }[]>(server, "agents", "list");
    expect(listed.find((each) => each.agent_id === agent_id)?.greeting).toBe("Hello {{user_name}}.");
  } finally {
    await server.stop();
  }
}, 180_000);
