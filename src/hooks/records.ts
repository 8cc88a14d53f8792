// Inbound hooks: one per organisation.
import { flag, meanings, type Meant } from "../db/meaning.ts";

export const hookMeaning = meanings<"inbound_hooks">()({ signature_required: flag });
export type InboundHook = Meant<typeof hookMeaning>;
