// Words of what is done with calls that are there.
import { said } from "../../words.ts";

export const callWork = said.callWork;
