// The upgrade marks recorded menus that lack key 9 in its present meaning and the identity question.
import { expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { migrate } from "../../src/db/sqlite/migrate.ts";

const BEFORE = MIGRATIONS.findIndex(({ name }) => name === "open_announcements");

test("older menus are outdated, other recordings are not, and no agent has open announcements", () => {
  const connection = new Sqlite(":memory:");
  migrate(connection, MIGRATIONS.slice(0, BEFORE));
  connection.exec(`
    INSERT INTO organisations (id, name, plan, time_zone, created_at, updated_at) VALUES ('org_1', 'A', 'base', 'UTC', 0, 0);
    INSERT INTO agents (id, organisation_id, type, name, language, voice, prompt, greeting, retry_attempts, retry_minutes,
      retry_outcomes, created_at, updated_at) VALUES ('agt_1', 'org_1', 'outbound', 'A', 'en', 'v', '', '', 0, 1, '', 0, 0);
    INSERT INTO agent_prompts (agent_id, kind, file_name, seconds, digest, samples, created_at)
      VALUES ('agt_1', 'menu', 'm', 1, 'd', x'00', 0), ('agt_1', 'greeting', 'g', 1, 'd', x'00', 0);
  `);
  migrate(connection, MIGRATIONS);
  const kinds = connection.prepare("SELECT kind, is_outdated FROM agent_prompts ORDER BY kind").all();
  expect(kinds).toEqual([
    { kind: "greeting", is_outdated: 0 },
    { kind: "menu", is_outdated: 1 },
  ]);
  expect(connection.prepare("SELECT open_announcements FROM agents").pluck().all()).toEqual([0]);
});
