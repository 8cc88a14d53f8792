// The organisation and its owner. On an empty appliance both are created together.
import { personByEmail } from "../../accounts/person-store.ts";
import { CLI_ACTOR } from "../../core/actor.ts";
import { isE164 } from "../../core/phone.ts";
import { isTimeZone } from "../../core/zones.ts";
import { orNull } from "./file-schema.ts";
import { actionFor, differing, givenOf, type Ground, type Step } from "./ground.ts";
import { secretFrom } from "./secret-files.ts";

const DEFAULT_ZONE = "Asia/Kolkata";
const DEFAULT_OWNER = "Owner";

export async function planOrganisation(ground: Ground): Promise<Step[]> {
  const { services, file } = ground;
  const { organisation: given, owner } = file;
  const id = ground.organisationId;
  const row = id === null ? null : await services.organisations.get(id);
  if (row !== null) ground.plan = row.plan;
  const isFirst = (await services.organisations.list()).length === 0;
  const zone = given.time_zone;
  if (zone !== undefined && !isTimeZone(zone))
    ground.fault("organisation.time_zone", 'must be an IANA name such as "Asia/Kolkata".');
  const wanted = givenOf({
    name: given.name.trim(),
    time_zone: zone,
    callback_number: given.callback_number === undefined ? undefined : callbackNumber(ground, given.callback_number),
    recording_mode: given.recording_mode === undefined ? undefined : orNull(given.recording_mode),
    plan: given.plan,
    unlimited_credits: given.unlimited_credits,
  });
  const fields = row === null ? [] : differing(wanted, row);
  if (isFirst && !owner) ground.fault("owner", "is required on an empty appliance: the first person who can sign in.");
  const steps: Step[] = [
    {
      kind: "organisation",
      name: wanted.name ?? "",
      action: actionFor(row !== null, fields),
      fields,
      run: async () => {
        if (row === null) await create(ground, isFirst);
        await change(ground, row === null ? Object.keys(wanted) : fields, wanted);
      },
    },
  ];
  return owner ? [...steps, await planOwner(ground, isFirst)] : steps;
}

type Wanted = Partial<Pick<Awaited<ReturnType<Ground["services"]["organisations"]["get"]>>, WantedField>>;
type WantedField = "name" | "time_zone" | "callback_number" | "recording_mode" | "plan" | "unlimited_credits";

async function create(ground: Ground, isFirst: boolean): Promise<void> {
  const { services, file } = ground;
  const { name, time_zone: timeZone = DEFAULT_ZONE } = file.organisation;
  if (!isFirst || !file.owner) {
    const created = await services.organisations.create({ name, timeZone }, CLI_ACTOR);
    ground.isOrganisation(created.id);
    return;
  }
  const first = { organisation: name, timeZone, ...ownerOf(ground) };
  const { organisationId } = await services.setup.createFirst(first, CLI_ACTOR);
  ground.isOrganisation(organisationId);
}

async function change(ground: Ground, fields: readonly string[], wanted: Wanted): Promise<void> {
  const { organisations, credits } = ground.services;
  const { name, time_zone: timeZone, callback_number: callbackNumber, recording_mode: recordingMode } = wanted;
  const has = (field: WantedField) => fields.includes(field);
  const given = givenOf({
    name: has("name") ? name : undefined,
    timeZone: has("time_zone") ? timeZone : undefined,
    callbackNumber: has("callback_number") ? callbackNumber : undefined,
    recordingMode: has("recording_mode") ? recordingMode : undefined,
  });
  if (Object.keys(given).length > 0) await organisations.change(ground.org, given, CLI_ACTOR);
  if (has("plan") && wanted.plan !== undefined) await organisations.setPlan(ground.org, wanted.plan, CLI_ACTOR);
  if (has("unlimited_credits") && wanted.unlimited_credits !== undefined)
    await credits.setUnlimited(ground.org, wanted.unlimited_credits, CLI_ACTOR);
}

function callbackNumber(ground: Ground, typed: string | null): string | null {
  const number = (orNull(typed) ?? "").replaceAll(/[\s().-]/g, "");
  if (number !== "" && !isE164(number))
    ground.fault("organisation.callback_number", 'must be in E.164 format, for example +912212345678, or "none".');
  return number === "" ? null : number;
}

/** Created once. A person who exists keeps their name and password. */
async function planOwner(ground: Ground, isFirst: boolean): Promise<Step> {
  const { services, db, file } = ground;
  const email = file.owner?.email.trim().toLowerCase() ?? "";
  const present = await personByEmail(db.reader, email);
  if (present && present.organisation_id !== ground.organisationId)
    ground.fault("owner.email", "this person belongs to another organisation of this appliance.");
  if (!present) {
    const before = ground.faults.length;
    const person = ownerOf(ground);
    try {
      // A password that cannot be read is reported already.
      if (ground.faults.length === before) await services.people.prepare({ ...person, role: "owner" });
    } catch (error) {
      ground.checked("owner", () => {
        throw error;
      });
    }
  }
  return {
    kind: "owner",
    name: present?.name ?? file.owner?.name ?? DEFAULT_OWNER,
    action: actionFor(present !== undefined, []),
    fields: [],
    run: async () => {
      // On an empty appliance the owner is created with the organisation.
      if (!isFirst) await services.people.create(ground.org, { ...ownerOf(ground), role: "owner" }, CLI_ACTOR);
    },
  };
}

function ownerOf(ground: Ground): { email: string; name: string; password: string } {
  const { email = "", name = DEFAULT_OWNER, password, password_file, password_env } = ground.file.owner ?? {};
  const source = { inline: password, file: password_file, variable: password_env };
  if (Object.values(source).every((each) => each === undefined))
    ground.fault("owner", "needs password_file or password_env, because this person does not exist yet.");
  return { email, name, password: secretFrom(ground, "owner", "password", source) ?? "" };
}
