// Texts for model servers that several pages share.
import { said } from "../../words.ts";

export const ROLE_WORDS = said.modelServers.roles;
