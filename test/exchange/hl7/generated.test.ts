// Two thousand messages for each version: sound ones, repeated, out of order and at once, and mangled ones.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { instantOf } from "../../../src/core/zones.ts";
import { messagesIn, parseMessage } from "../../../src/exchange/hl7/message/message.ts";
import { VERSIONS } from "../../../src/exchange/hl7/message/version.ts";
import { chanceOf } from "../../support/chance.ts";
import { BRANCH, generatorOf, OTHER_BRANCH, type Generated, type Said } from "../../support/hl7.ts";
import { createHl7Hospital, type Hl7Hospital } from "../../support/hl7-hospital.ts";
import { codeOf, controlOf, reasonOf } from "../../support/mllp-client.ts";

const EACH = 1_000;
const AT_ONCE = 8;
const PEER = { address: "127.0.0.1" };

let hospital: Hl7Hospital;
beforeEach(async () => {
  hospital = await createHl7Hospital();
});
afterEach(() => hospital.close());

const receive = (bytes: Uint8Array) => hospital.services.hl7Receiver.receive(bytes, PEER);
const logged = () => hospital.db.reader.selectFrom("hl7_messages").selectAll().orderBy("id").execute();

/** As a connection does: the last answer to the messages of a frame. */
async function received(frame: Uint8Array) {
  const parts = () => {
    try {
      return messagesIn(frame);
    } catch {
      return [frame];
    }
  };
  let last;
  for (const bytes of parts()) last = await receive(bytes);
  if (!last) throw new Error("A frame without an answer.");
  return last;
}

const minute = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

/** The newest of each appointment. Of two at the same time a cancellation wins, otherwise either may. */
function newestOf(all: readonly Said[]): Map<string, Said[]> {
  const newest = new Map<string, Said[]>();
  for (const says of all) {
    const [known] = newest.get(says.id) ?? [];
    if (!known || says.changedAt > known.changedAt) newest.set(says.id, [says]);
    else if (says.changedAt === known.changedAt) newest.get(says.id)?.push(says);
  }
  for (const [id, tied] of newest) {
    const cancelled = tied.filter(({ status }) => status === "cancelled");
    if (cancelled.length > 0) newest.set(id, cancelled);
  }
  return newest;
}

test.each(VERSIONS)(
  "version %s: sound messages, repeated, out of order and at once, leave the newest of each appointment",
  async (version) => {
    const chance = chanceOf(`hl7 sound ${version}`);
    const generator = generatorOf(chance);
    const sound = Array.from({ length: EACH }, () => generator.sound(version));
    const repeated = sound.filter(() => chance() < 0.1);
    const places = new Map([...sound, ...repeated].map((each) => [each, chance()]));
    const order = [...sound.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)), ...repeated];
    async function send({ bytes, controlId }: Generated) {
      const { answer, outcome } = await received(bytes);
      const read = parseMessage(answer);
      expect([codeOf(read), controlOf(read), reasonOf(read)]).toEqual(["AA", controlId, ""]);
      return outcome;
    }
    const outcomes: string[] = [];
    for (let i = 0; i < order.length; i += AT_ONCE)
      outcomes.push(...(await Promise.all(order.slice(i, i + AT_ONCE).map(send))));

    const newest = newestOf(sound.flatMap(({ says }) => says ?? []));
    const rows = await hospital.appointments();
    expect(rows.map(({ external_id }) => external_id ?? "").toSorted()).toEqual([...newest.keys()].toSorted());
    for (const row of rows) {
      const stored = { status: row.status, startsAt: instantOf(row.date, minute(row.start_time), "Asia/Kolkata") };
      const said = newest.get(row.external_id ?? "") ?? [];
      expect(said.map(({ status, startsAt }) => ({ status, startsAt }))).toContainEqual(stored);
    }
    const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
    expect([count("created"), count("repeated")]).toEqual([newest.size, repeated.length]);
    expect(await logged()).toHaveLength(EACH);
  },
  180_000,
);

test.each(VERSIONS)(
  "version %s: mangled messages are applied or refused with a reason",
  async (version) => {
    const generator = generatorOf(chanceOf(`hl7 mangled ${version}`));
    const codes = new Map<string, number>();
    for (let i = 0; i < EACH; i++) {
      const { code, answer, outcome, reason } = await received(generator.mangled(version).bytes);
      const read = parseMessage(answer);
      expect(codeOf(read)).toBe(code);
      if (code === "AA") expect(outcome).not.toBe("refused");
      else expect([reasonOf(read), reason]).not.toContain("");
      if (code !== "AA") expect(read.first("ERR")).toBeDefined();
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    // Of every kind: otherwise they are not mangled enough, or too much.
    expect([...codes.keys()].toSorted()).toEqual(["AA", "AE", "AR"]);
    for (const { status, branch_id } of await hospital.appointments())
      if (status === "confirmed") expect([BRANCH, OTHER_BRANCH]).toContain(branch_id);
    for (const { code, reason } of await logged()) expect(reason === null).toBe(code === "AA");
  },
  180_000,
);
