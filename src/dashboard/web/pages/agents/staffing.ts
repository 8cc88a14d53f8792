// Agents and numbers together: both lists of the page show who has which number.
import { api, call } from "../../client.ts";
import type { Agent } from "./agent-form.ts";

export interface PhoneNumber {
  phone_number_id: string;
  number: string;
  agent_id: string | null;
  concurrent_calls: number;
}

export interface Staffing {
  agents: readonly Agent[];
  numbers: readonly PhoneNumber[];
}

export async function loadStaffing(): Promise<Staffing> {
  const [agents, numbers] = await Promise.all([call(api.agents.get()), call(api.numbers.get())]);
  return { agents, numbers };
}
