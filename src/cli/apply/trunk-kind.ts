// SIP trunks and phone numbers. A stored secret is compared with the given one, and neither is printed.
import { numberByText } from "../../agents/store.ts";
import { CLI_ACTOR } from "../../core/actor.ts";
import { assertDiallable } from "../../core/phone.ts";
import { checkedTrunk, NEW_TRUNK, type TrunkChange } from "../../trunks/checked-trunk.ts";
import { createTrunkRefusal } from "../../trunks/trunk-addresses.ts";
import type { TrunkView } from "../../trunks/trunk-view.ts";
import { orNull, type Row } from "./file-schema.ts";
import { actionFor, differing, givenOf, picked, type Ground, type Step } from "./ground.ts";
import { secretFrom, textOf } from "./secret-files.ts";

export async function planTrunks(ground: Ground): Promise<Step[]> {
  const { trunks } = ground.services;
  const all = await ground.stored((id) => trunks.list(id));
  for (const { name, trunk_id } of all) ground.knows("trunks", name, trunk_id);
  const given = ground.file.trunks;
  if (!given) return [];
  ground.assertDistinct(
    "trunks",
    given.map(({ name }) => name.trim()),
  );
  const names = new Set(given.map(({ name }) => name.trim()));
  const steps: Step[] = [];
  for (const [i, row] of given.entries()) {
    const stored = all.find(({ name }) => name === row.name.trim());
    steps.push(await stepOf(ground, `trunks[${i}]`, row, stored));
  }
  const others = all.filter(({ name, source }) => !names.has(name) && source === "dashboard");
  ground.later(
    ground.rest("trunks", others, ({ name, trunk_id }) => ({
      name,
      run: () => trunks.remove(ground.org, trunk_id, CLI_ACTOR),
    })),
  );
  return steps;
}

async function stepOf(ground: Ground, path: string, row: Row<"trunks">, stored: TrunkView | undefined): Promise<Step> {
  const { trunks } = ground.services;
  const name = row.name.trim();
  if (stored?.source === "settings")
    ground.fault(path, "this trunk is managed in the configuration: change it there, or use another name.");
  const { secret, ...wanted } = changeOf(ground, path, row);
  const present = stored ?? { ...NEW_TRUNK, name, host: "" };
  const hasSecret = secret === undefined ? (stored?.has_secret ?? false) : Boolean(secret);
  const refusal = createTrunkRefusal(ground.config.telephony.sip.allow_local);
  const checked = ground.checked(path, () =>
    checkedTrunk({ ...present, ...wanted }, { secret: secret ?? null, hasSecret }, refusal),
  );
  const fields = checked === null ? [] : differing(picked(checked, Object.keys(wanted)), present);
  if (secret !== undefined && stored && (await secretOf(ground, stored.trunk_id)) !== secret) fields.push("secret");
  ground.knows("trunks", name, stored?.trunk_id ?? null);
  return {
    kind: "trunks",
    name,
    action: actionFor(stored !== undefined, fields),
    fields: stored ? fields : [],
    run: async () => {
      const input: TrunkChange = secret === undefined ? wanted : { ...wanted, secret };
      const made = stored
        ? await trunks.update(ground.org, stored.trunk_id, picked(input, fields), CLI_ACTOR)
        : await trunks.create(ground.org, { ...input, name, host: row.host }, CLI_ACTOR);
      ground.knows("trunks", name, made.trunk_id);
    },
  };
}

async function secretOf(ground: Ground, trunkId: string): Promise<string | null> {
  const [settings] = await ground.services.trunks.settings(({ id }) => id === trunkId);
  return settings?.secret ?? null;
}

const NULLABLE = ["username", "from_domain", "from_user", "caller_id"] as const;

function changeOf(ground: Ground, path: string, row: Row<"trunks">): TrunkChange {
  const { secret, secret_file, secret_env, ca_file, ...plain } = row;
  const inline = secret === undefined ? undefined : (orNull(secret) ?? "none");
  const found = secretFrom(ground, path, "secret", { inline, file: secret_file, variable: secret_env });
  const authority = ca_file === undefined ? undefined : orNull(ca_file);
  return givenOf({
    ...plain,
    ...Object.fromEntries(NULLABLE.map((key) => [key, row[key] === undefined ? undefined : orNull(row[key])])),
    name: row.name.trim(),
    ca_pem: authority ? ground.checked(`${path}.ca_file`, () => textOf(ground, authority)) : authority,
    secret: found === "none" ? null : found,
  });
}

export async function planNumbers(ground: Ground): Promise<Step[]> {
  const { agents } = ground.services;
  const given = ground.file.phone_numbers;
  if (!given) return [];
  const all = await ground.stored((id) => agents.listNumbers(id));
  ground.assertDistinct(
    "phone_numbers",
    given.map(({ number }) => number),
  );
  const steps: Step[] = [];
  for (const [i, row] of given.entries()) steps.push(await numberStep(ground, `phone_numbers[${i}]`, row, all));
  const others = all.filter(({ number }) => !given.some((row) => row.number === number));
  ground.later(
    ground.rest("phone_numbers", others, ({ number }) => ({
      name: number,
      run: () => agents.removeNumber(ground.org, number, CLI_ACTOR),
    })),
  );
  return steps;
}

type NumberView = Awaited<ReturnType<Ground["services"]["agents"]["listNumbers"]>>[number];

async function numberStep(
  ground: Ground,
  path: string,
  row: Row<"phone_numbers">,
  all: readonly NumberView[],
): Promise<Step> {
  const { agents } = ground.services;
  const { number, agent, trunk, lines } = row;
  ground.checked(`${path}.number`, () => assertDiallable(number, "number"));
  ground.refer("agents", agent, `${path}.agent`);
  ground.refer("trunks", trunk, `${path}.trunk`);
  const stored = all.find((each) => each.number === number);
  if (!stored && (await numberByText(ground.db.reader, number)))
    ground.fault(`${path}.number`, "another organisation of this appliance has registered this number.");
  const isOther = (kind: "agents" | "trunks", name: string | null | undefined, present: string | null | undefined) =>
    name !== undefined && (orNull(name) === null ? present !== null : ground.idOf(kind, name) !== present);
  const fields = [
    ...(isOther("agents", agent, stored?.agent_id) ? ["agent"] : []),
    ...(isOther("trunks", trunk, stored?.trunk_id) ? ["trunk"] : []),
    ...(lines !== undefined && lines !== stored?.concurrent_calls ? ["lines"] : []),
  ];
  return {
    kind: "phone_numbers",
    name: number,
    action: actionFor(stored !== undefined, fields),
    fields: stored ? fields : [],
    run: async () => {
      const { org } = ground;
      const [agentId, trunkId] = [ground.idOf("agents", agent), ground.idOf("trunks", trunk)];
      if (!stored) {
        const input = { number, agentId, trunkId, ...(lines !== undefined && { concurrentCalls: lines }) };
        await agents.addNumber(org, input, CLI_ACTOR);
        return;
      }
      if (fields.includes("trunk")) await agents.setTrunk(org, number, trunkId, CLI_ACTOR);
      if (fields.includes("lines") && lines !== undefined) await agents.setLines(org, number, lines, CLI_ACTOR);
      if (fields.includes("agent")) await agents.assignNumber(org, number, agentId, CLI_ACTOR);
    },
  };
}
