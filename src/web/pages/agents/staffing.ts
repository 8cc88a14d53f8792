// Loads agents, numbers and trunks together, for lists that show their relations.
import { api, call } from "../../client.ts";
import type { TrunksAnswer } from "../trunks/trunk.ts";
import type { Agent } from "./agent-form.ts";

export interface PhoneNumber {
  phone_number_id: string;
  number: string;
  agent_id: string | null;
  concurrent_calls: number;
  trunk_id: string | null;
}

export interface Staffing {
  agents: readonly Agent[];
  numbers: readonly PhoneNumber[];
  telephony: TrunksAnswer;
}

export async function loadStaffing(): Promise<Staffing> {
  const [agents, numbers, telephony] = await Promise.all([
    call(api.agents.get()),
    call(api.numbers.get()),
    call(api.trunks.get()),
  ]);
  return { agents, numbers, telephony };
}
