// Agents from before versions existed: each starts with its present state, and can be restored to it.
import { expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { checkedAgent, type AgentInput } from "../../../src/agents/checked-agent.ts";
import { agentFields } from "../../../src/agents/views.ts";
import { agentMeaning, type Agent } from "../../../src/agents/records.ts";
import { migrate } from "../../../src/db/sqlite/migrate.ts";
import { MIGRATIONS } from "../../../src/db/migrations.ts";
import { agentRow } from "../../support/call-rows.ts";

const VERSIONS = 20;

test("an older agent's first version is its present state", () => {
  const connection = new Sqlite(":memory:");
  migrate(connection, MIGRATIONS.slice(0, VERSIONS - 1));
  connection.exec(
    "INSERT INTO organisations (id, name, plan, time_zone, created_at, updated_at) VALUES ('org_1', 'A', 'base', 'UTC', 0, 0)",
  );
  const older = [
    agentRow({ id: "agt_plain" }),
    agentRow({
      id: "agt_whole",
      name: 'Asha "the voice"',
      prompt: "Confirm {{visit}}.\n\tBe kind: 'yes'?",
      greeting: "नमस्ते {{user_name}}.",
      retry_attempts: 2,
      retry_outcomes: ["busy", "no_answer"],
      calling_hours: { start: "09:00", end: "18:00", days: [1, 2] },
      transfer_to: "201",
      updated_at: 5,
    }),
  ];
  for (const agent of older) {
    const { analysis_fields: _fields, archived_at: _archived, ...known } = agentMeaning.write(agent);
    const { model_speech: _speech, approved_answers: _answers, latest_minutes: _latest, ...before } = known;
    const { open_announcements: _open, purpose: _purpose, asks_consent_for: _asks, ...rest } = before;
    const { dlt_entity_id: _entity, dlt_template_id: _template, recording_mode: _recording, ...row } = rest;
    const names = Object.keys(row);
    const places = names.map((name) => `@${name}`);
    connection.prepare(`INSERT INTO agents (${names.join(", ")}) VALUES (${places.join(", ")})`).run(row);
  }
  migrate(connection, MIGRATIONS.slice(0, VERSIONS));
  for (const row of older) {
    const kept = connection.prepare("SELECT * FROM agent_versions WHERE agent_id = ?").get(row.id) as Record<
      string,
      string
    >;
    expect(kept).toMatchObject({ version: 1, at: row.updated_at, actor_kind: "system", changed: "[]" });
    const fields = JSON.parse(kept["fields"]!) as AgentInput;
    // Later fields are not in it, and keep their value on restore.
    const { model_speech: _speech, approved_answers: _answers, latest_minutes: _latest, ...before } = agentFields(row);
    const { open_announcements: _open, purpose: _purpose, asks_consent_for: _asks, ...rest } = before;
    const { dlt_entity_id: _entity, dlt_template_id: _template, recording_mode: _recording, ...known } = rest;
    expect(fields).toEqual(known as AgentInput);
    const restored = checkedAgent({ ...agentFields(row), ...fields });
    expect(agentFields({ ...row, ...restored } satisfies Agent)).toEqual(agentFields(row));
  }
  connection.close();
});
