// One look at the appliance: which faults are there now.
import type { Audience, FaultName } from "../payloads/alarm.ts";

/** Numbers and names for the message: nothing about a patient or a person. */
export type Facts = Readonly<Record<string, string | number>>;

export interface Trouble {
  fault: FaultName;
  /** The trunk, endpoint or certificate; empty: the appliance. */
  subject: string;
  /** How grave it is; 1 is the lowest. */
  step: number;
  audience: Audience;
  /** Set if the audience is an organisation. */
  organisationId: string | null;
  facts: Facts;
}

/** By fault; null: this could not be found out now. */
export type Sight = ReadonlyMap<FaultName, readonly Trouble[] | null>;

export const keyOf = ({ fault, subject }: Pick<Trouble, "fault" | "subject">): string => `${fault} ${subject}`;
