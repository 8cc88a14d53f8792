// Record types of alarms.
import { json, meanings, type Meant } from "../db/meaning.ts";
import type { Facts } from "./sight.ts";

export const alarmMeaning = meanings<"alarms">()({ facts: json<Facts>() });
export type Alarm = Meant<typeof alarmMeaning>;
