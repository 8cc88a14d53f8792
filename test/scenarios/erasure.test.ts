// Erasure is complete: after the 200 no byte of the person is left in the data folder, not even after a crash and a
// restart.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ask, expectError } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { onlySqlite } from "../support/engines.ts";
import { filesHolding } from "../support/byte-scan.ts";
import {
  command,
  finished,
  numberEnding,
  organisationId,
  place,
  readCall,
  startQuick,
  talkative,
} from "../support/calls.ts";
import { chanceOf } from "../support/chance.ts";

leaveNothingBehind();
const chance = chanceOf("erasure");

/** A person whose every word is unique in the data folder. */
function person(index: number) {
  const tag = `Q${index}x${chance().toString(36).slice(2, 8)}`;
  const number = talkative();
  return {
    body: {
      user_number: number,
      user_name: `Zelmira ${tag} Quanfurth`,
      user_email: `zelmira.${tag}@patient.invalid`,
      user_identifiers: [{ system: "mrn", value: `Kennung-${tag}` }],
      additional_info: {
        doctor: `Dr. ${tag} Ümläut-ज़ेलमीरा`,
        visit: `visit of ${tag}`,
        nested: { notes: [`hidden ${tag} 𝒳`] },
      },
    },
    words: [
      `Zelmira ${tag} Quanfurth`,
      `zelmira.${tag}@patient.invalid`,
      `Kennung-${tag}`,
      // As the search has it.
      `kennung${tag.toLowerCase()}`,
      number,
      number.slice(1),
      `Dr. ${tag} Ümläut-ज़ेलमीरा`,
      "ज़ेलमीरा",
      `visit of ${tag}`,
      `hidden ${tag} 𝒳`,
      tag,
    ],
  };
}

/** Recordings contain sound only, and searching a hundred of them takes long; the test counts them instead. */
const isNoRecording = (file: string) => !file.endsWith(".wav");

const recordings = (server: Running) => readdirSync(join(server.dataDir, "recordings"));

describe("deleting a completed call", () => {
  const ways = [
    ["DELETE", (server: Running, id: string) => ask(server, "DELETE", `/v1/calls/${id}`)],
    [
      "the hook's call.delete",
      (server: Running, id: string) =>
        ask(server, "POST", new URL(server.demo["hook_url"]!).pathname, {
          key: null,
          body: { action: "call.delete", data: { call_id: id } },
          headers: { "idempotency-key": "delete-once" },
        }),
    ],
  ] as const;
  test.each(ways)("%s leaves no byte of it, at once, after kill -9 and after a restart", async (_way, erase) => {
    const server = await startQuick();
    const { body, words } = person(0);
    const created = await ask(server, "POST", "/v1/calls", {
      body: { agent_id: server.demo["agent_id"], ...body },
      headers: { "idempotency-key": `${body.user_name.length}-once` },
    });
    const id = String(created.data["call_id"]);
    const createdAgain = (on: Running) =>
      ask(on, "POST", "/v1/calls", {
        body: { agent_id: server.demo["agent_id"], ...body },
        headers: { "idempotency-key": `${body.user_name.length}-once` },
      });
    const call = await finished(server, id);
    expect(call.status).toBe("completed");
    const spoken = call.call_transcript!.map(({ text }) => text).filter((text) => text.split(" ").length > 3);
    const summary = call.call_analytics!.summary;
    await ask(server, "GET", `/v1/calls?contact_number=${encodeURIComponent(body.user_number)}`);
    const everything = [...words, ...spoken, summary];
    // The scan finds existing data; otherwise finding nothing below would prove nothing.
    expect(Object.keys(filesHolding(server.dataDir, everything)).toSorted()).toEqual(
      [...new Set(everything)].toSorted(),
    );
    // The recording of a simulated call is generated on first playback.
    const media = new URL(call.call_recording!);
    expect((await ask(server, "GET", media.pathname + media.search, { key: null })).status).toBe(200);
    expect(recordings(server).length).toBe(1);

    const deleted = await erase(server, id);
    expect(filesHolding(server.dataDir, everything)).toEqual({});
    expect([deleted.status, deleted.data]).toEqual([200, { call_id: id, deleted: true }]);
    expect(recordings(server)).toEqual([]);
    expectError(await ask(server, "GET", `/v1/calls/${id}`), 404, "NOT_FOUND");
    expectError(await ask(server, "DELETE", `/v1/calls/${id}`), 404, "NOT_FOUND");
    expectError(await ask(server, "GET", media.pathname + media.search, { key: null }), 404, "NOT_FOUND");

    // A repeated creation request does not call the person again.
    expectError(await createdAgain(server), 404, "NOT_FOUND");
    expect(filesHolding(server.dataDir, everything)).toEqual({});

    await server.kill();
    expect(filesHolding(server.dataDir, everything)).toEqual({});
    const again = await startQuick({}, { dataDir: server.dataDir });
    expect(filesHolding(server.dataDir, everything)).toEqual({});
    expectError(await ask(again, "GET", `/v1/calls/${id}`), 404, "NOT_FOUND");
    expectError(await createdAgain(again), 404, "NOT_FOUND");
    expectError(await ask(again, "GET", media.pathname + media.search, { key: null }), 404, "NOT_FOUND");
    expect(again.output() + server.output()).not.toContain(words.at(-1)!);
    expect(await again.stop()).toBe(0);
    expect(filesHolding(server.dataDir, everything)).toEqual({});
  });

  onlySqlite("the log is a file of SQLite")(
    "a killed server straight after the 200 leaves nothing in the write-ahead log",
    async () => {
      const server = await startQuick();
      const { body, words } = person(0);
      const id = await place(server, body);
      await finished(server, id);
      expect((await ask(server, "DELETE", `/v1/calls/${id}`)).status).toBe(200);
      server.process.kill("SIGKILL");
      await server.process.exited;
      expect(filesHolding(server.dataDir, words)).toEqual({});
    },
  );
});

describe("among many calls", () => {
  onlySqlite("pages are split in SQLite's file")(
    "the erased ones leave no byte, however pages were split and rows moved meanwhile; the others are whole",
    async () => {
      const server = await startQuick({ RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1000", RINGWARD_LOG__LEVEL: "warn" });
      await command(server, "orgs", "plan", await organisationId(server), "enterprise");
      const lines = ["--agent", server.demo["agent_id"]!, "--lines", "500"];
      await command(server, "numbers", "add", "--number", numberEnding("0999"), ...lines);
      const people = Array.from({ length: 120 }, (_, index) => person(index));
      const ids = await Promise.all(people.map(({ body }) => place(server, body)));
      await Promise.all(ids.map((id) => finished(server, id, 30_000)));

      // Some calls are erased while others are created: rows move between pages around the erased ones.
      const isErased = (index: number) => index % 3 !== 0;
      const later = Promise.all(Array.from({ length: 60 }, (_, index) => place(server, person(1_000 + index).body)));
      const answers = await Promise.all(
        ids.filter((_, index) => isErased(index)).map((id) => ask(server, "DELETE", `/v1/calls/${id}`)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const shared = new Set(["ज़ेलमीरा"]);
      const wordsOf = (keep: (index: number) => boolean) =>
        people.flatMap(({ words }, index) => (keep(index) ? words.filter((word) => !shared.has(word)) : []));
      expect(filesHolding(server.dataDir, wordsOf(isErased), isNoRecording)).toEqual({});
      await later;

      for (const [index, id] of ids.entries()) {
        if (isErased(index)) continue;
        const call = await readCall(server, id);
        expect(call.contact_name).toBe(people[index]!.body.user_name);
      }
      await server.kill();
      expect(filesHolding(server.dataDir, wordsOf(isErased), isNoRecording)).toEqual({});
    },
    180_000,
  );
});
