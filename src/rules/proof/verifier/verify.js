// Verifies proofs of calls made by Ringward. It needs SHA-256 and Ed25519, which browsers and Node.js have (WebCrypto).
//
//   proofs  the text of a file: one proof per line
//   keys    public keys of the appliance, each 64 hexadecimal digits; null accepts any key
//   head    the text of a published head, or null
//
// Resolves to { count, calls, keys }, and throws an Error that names the first fault.
async function verifyProofs(proofs, keys, head) {
  if (keys !== null && keys.length === 0) fail("the keys have no public key");
  if (head !== null && head.trim() === "") fail("the head is empty");
  const published = head === null ? null : await readSigned(head.trimEnd(), "head", "ringward-proof-head-1", keys);
  if (published) checkHead(published.value);
  const lines = proofs.replace(/\n$/, "").split("\n");
  const result = { count: 0, calls: [], keys: [] };
  const lastOf = new Map(); // The last record of each organisation.
  let last = null;
  let isHeadSeen = false;
  for (const line of lines) {
    const { value: record, hash } = await readSigned(line, "record", "ringward-proof-1", keys);
    const { chain, organisation } = record;
    checkPlace(chain);
    checkPlace(organisation);
    if (typeof organisation.id !== "string") fail("a record names no organisation");

    // The appliance's chain. Records of other organisations may be missing, unless its head says otherwise.
    if (last) {
      if (chain.sequence <= last.chain) fail(`record ${chain.sequence} is out of order or twice`);
      if (chain.sequence === last.chain + 1 && chain.previous !== last.hash)
        fail(`record ${chain.sequence} does not continue the one before`);
      if (chain.sequence !== last.chain + 1 && published && published.value.organisation === null)
        fail(`records before ${chain.sequence} are missing`);
    }
    // The organisation's own chain.
    const own = lastOf.get(organisation.id);
    if (own && organisation.sequence !== own.sequence + 1) fail(`records before ${chain.sequence} are missing`);
    if (own && organisation.previous !== own.hash) fail(`record ${chain.sequence} does not continue the one before`);

    if (published) {
      const { organisation: of, sequence, last: lastHash } = published.value;
      const isNamed =
        of === null ? chain.sequence === sequence : of === organisation.id && organisation.sequence === sequence;
      if (isNamed && hash !== lastHash) fail(`record ${chain.sequence} is not the one that the head names`);
      if (isNamed) isHeadSeen = true;
    }
    last = { chain: chain.sequence, hash };
    lastOf.set(organisation.id, { sequence: organisation.sequence, hash });
    result.count += 1;
    result.calls.push(record.call);
    if (!result.keys.includes(record.key)) result.keys.push(record.key);
  }
  if (published && !isHeadSeen) fail("the record that the head names is missing: records were cut off at the end");
  return result;
}

// A line is {"hash":…,"record":…,"signature":…} (or "head"), in canonical JSON.
async function readSigned(line, name, format, keys) {
  let envelope;
  try {
    envelope = JSON.parse(line);
  } catch {
    fail("a line is not JSON");
  }
  if (canonical(envelope) !== line) fail("a line is not canonical JSON");
  if (Object.keys(envelope).join() !== `hash,${name},signature`) fail(`a line is not a signed ${name}`);
  const value = envelope[name];
  if (value === null || typeof value !== "object" || value.format !== format) fail(`the format is not ${format}`);
  const bytes = new TextEncoder().encode(canonical(value));
  const hash = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  if (envelope.hash !== hash) fail("the content does not match its hash");
  const publicKey = await crypto.subtle.importKey("raw", fromHex(value.key, 32), { name: "Ed25519" }, false, [
    "verify",
  ]);
  if (!(await crypto.subtle.verify("Ed25519", publicKey, fromHex(envelope.signature, 64), bytes)))
    fail("the signature is not valid");
  if (keys !== null && !keys.includes(value.key)) fail(`${value.key} is not a key of the appliance`);
  return { value, hash };
}

// Canonical JSON: keys sorted, no spaces; integers, plain strings, true, false, null, arrays and objects only.
function canonical(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  if (typeof value === "string" && /^[A-Za-z0-9 ?._:/+-]*$/.test(value)) return `"${value}"`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") fail("a value has no canonical form");
  const members = Object.keys(value)
    .sort()
    .map((key) => {
      if (!/^[a-z_]+$/.test(key)) fail("a key has no canonical form");
      return `"${key}":${canonical(value[key])}`;
    });
  return `{${members.join(",")}}`;
}

// Numbers count from 1. Only the first record has no predecessor: 64 zeros.
function checkPlace(place) {
  const { sequence, previous } = place ?? {};
  const isFirst = previous === "0".repeat(64);
  if (!isCount(sequence) || typeof previous !== "string" || isFirst !== (sequence === 1))
    fail("a record has no valid place in its chain");
}

function checkHead({ organisation, sequence, last }) {
  const isOfAny = organisation === null || typeof organisation === "string";
  if (!isOfAny || !isCount(sequence) || typeof last !== "string") fail("the head names no record");
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 1;
}

function fromHex(text, length) {
  if (typeof text !== "string" || !/^[0-9a-f]*$/.test(text) || text.length !== 2 * length)
    fail("a key or signature is malformed");
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fail(reason) {
  throw new Error(`Not valid: ${reason}.`);
}
