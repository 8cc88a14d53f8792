// Settings of a test hospital.
import type { Receiver } from "../../test/support/receiver.ts";
import type { Owner } from "./owner.ts";

export interface HospitalPlan {
  url: string;
  receiver: Receiver;
  owner: Owner;
  name: string;
  marker: string;
  /** Null creates a key. */
  key: string | null;
  /** Whether calls are shared by public links; otherwise their links are signed. */
  isSharing: boolean;
  /** Whether the inbound webhook requires signatures. */
  signs: boolean;
  hl7Port: number;
}

export interface Making {
  post: (path: string, body: unknown) => Promise<Record<string, string>>;
  /** Ids of the people who are found by this text. */
  contactIds: (text: string) => Promise<string[]>;
  agentId: string;
  branchId: string;
  marker: string;
  /** Address of the receiver. */
  askedUrl: string;
  areaCode: string;
  /** With the same key. */
  send: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  /** The appliance's port for HL7. */
  hl7Port: number;
}
