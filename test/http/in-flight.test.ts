// Large requests are admitted within a budget: per client, per organisation, and in total.
import { expect, test } from "bun:test";
import { createInFlight } from "../../src/http/in-flight.ts";
import { infoOf, rememberRequest } from "../../src/http/request-info.ts";

const MEBIBYTE = 1024 * 1024;

function world() {
  const inFlight = createInFlight({ sender: 10 * MEBIBYTE, organisation: 15 * MEBIBYTE, total: 20 * MEBIBYTE });
  const admit = (id: string, organisationId: string, mebibytes: number): (() => void) => {
    const request = new Request("http://localhost/");
    rememberRequest(request, { id: "req_1", source: () => "unknown" });
    inFlight.admit(request, { id, organisationId }, mebibytes * MEBIBYTE);
    return () => infoOf(request).release?.();
  };
  return admit;
}

const refusal = (message: string) =>
  expect.objectContaining({ code: "RATE_LIMITED", retryAfterSeconds: 1, message: expect.stringContaining(message) });
const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
    return null;
  } catch (error) {
    return error;
  }
};

test("each limit applies independently, and its error names it", () => {
  const admit = world();
  admit("key_1", "org_1", 10);
  expect(thrownBy(() => admit("key_1", "org_1", 1))).toEqual(refusal("This sender may have 10 MiB"));
  admit("key_2", "org_1", 5);
  expect(thrownBy(() => admit("key_3", "org_1", 1))).toEqual(refusal("This organisation may have 15 MiB"));
  admit("key_4", "org_2", 5);
  expect(thrownBy(() => admit("key_5", "org_3", 1))).toEqual(refusal("The appliance may have 20 MiB"));
});

test("an answered request releases its bytes, and a rejected one took none", () => {
  const admit = world();
  const release = admit("key_1", "org_1", 10);
  for (let i = 0; i < 5; i++) expect(thrownBy(() => admit("key_1", "org_1", 10))).not.toBeNull();
  release();
  admit("key_1", "org_1", 10)();
  admit("key_2", "org_2", 10);
  admit("key_3", "org_3", 10);
});
