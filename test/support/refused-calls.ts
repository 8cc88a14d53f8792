// Refused calls: status, error code, field, and that nothing was stored.
import { expect } from "bun:test";
import type { Hospital } from "./hospital.ts";
import type { Answer } from "./test-app.ts";

export function refusalsOf(hospital: () => Hospital) {
  const countCalls = async () => (await hospital().db.reader.selectFrom("calls").select("id").execute()).length;

  /** Refused with this status and code, about this field, and nothing was created. */
  async function refused(sending: Promise<Answer>, status: number, code: string, field?: string): Promise<string> {
    const before = await countCalls();
    const { status: given, json } = await sending;
    expect([given, json.error.code, json.error.details?.[0]?.field]).toEqual([status, code, field]);
    expect(json.error.request_id).toMatch(/^req_/);
    expect(await countCalls()).toBe(before);
    return json.error.message;
  }

  return { countCalls, refused };
}
