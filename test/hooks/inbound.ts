// Test fixture: an inbound hook and the ways to send to it.
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { hmacSha256 } from "../../src/core/hmac.ts";
import { createHospital, CONTACT_NUMBER, type Hospital, type HospitalOptions } from "../support/hospital.ts";
import type { Answer } from "../support/test-app.ts";

export interface Inbound {
  hospital: Hospital;
  token: string;
  secret: string;
  /** A string is sent unchanged. */
  send(body: unknown, headers?: Record<string, string>, token?: string): Promise<Answer>;
  create(data?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  act(action: string, callId: string): Promise<Answer>;
}

export async function createInbound(options: HospitalOptions = {}): Promise<Inbound> {
  const hospital = await createHospital(options);
  const { token, signingSecret } = await hospital.app.services.hooks.regenerate(hospital.organisationId, CLI_ACTOR);
  const inbound: Inbound = {
    hospital,
    token,
    secret: signingSecret,
    send: (body, headers = {}, asToken = token) =>
      hospital.request("POST", `/v1/hooks/${asToken}`, {
        body,
        headers: { "content-type": "application/json", ...headers },
        key: null,
      }),
    create: (data = {}, headers = {}) =>
      inbound.send(
        { action: "call.create", data: { agent_id: hospital.agentId, contact_number: CONTACT_NUMBER, ...data } },
        headers,
      ),
    act: (action, callId) => inbound.send({ action, data: { call_id: callId } }),
  };
  return inbound;
}

/** Headers as a sender creates them: lowercase hex over timestamp, a dot and the bytes of the body. */
export function signed(secret: string, atMs: number, rawBody: string): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  return {
    "x-inbound-timestamp": timestamp,
    "x-inbound-signature": hmacSha256(secret, `${timestamp}.`, rawBody).toString("hex"),
  };
}
