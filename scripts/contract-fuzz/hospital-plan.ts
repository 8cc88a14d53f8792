// What a hospital of the fuzz is made from.
import type { Receiver } from "../../test/support/receiver.ts";
import type { Owner } from "./owner.ts";

export interface HospitalPlan {
  url: string;
  receiver: Receiver;
  owner: Owner;
  name: string;
  marker: string;
  /** Null makes one. */
  key: string | null;
  /** Whether calls are shared by public links; without it their links are signed. */
  isSharing: boolean;
  /** Whether the inbound webhook wants signatures. */
  signs: boolean;
}

export interface Making {
  post: (path: string, body: unknown) => Promise<Record<string, string>>;
  agentId: string;
  branchId: string;
  marker: string;
}
