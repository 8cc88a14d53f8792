// Texts of actions on existing calls.
import { said } from "../../words.ts";

export const callWork = said.callWork;
