// Texts of reminders.
import { said } from "../../../words.ts";

export const words = said.reminders;
