// Four processes on one database: code that relies on isolation gives exact results. The handbook (architecture.md,
// "Isolation") lists the races.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { isOnPostgres } from "../../support/engines.ts";
import { accountRaces } from "./account-races.ts";
import { calendarRaces } from "./calendar-races.ts";
import { callRaces } from "./call-races.ts";
import { campaignRaces } from "./campaign-races.ts";
import { dailyRaces } from "./daily-races.ts";
import { erasureRaces } from "./erasure-races.ts";
import { closeGround, openGround, team } from "./ground.ts";
import { limitRaces } from "./limit-races.ts";
import { waitingRaces } from "./waiting-races.ts";

beforeAll(openGround);
afterAll(closeGround);

// What the others show of SQLite's writers, who wait for each other, dailyRaces and limitRaces would show once more.
if (isOnPostgres) dailyRaces();
calendarRaces();
waitingRaces();
campaignRaces();
callRaces();
accountRaces();
erasureRaces();
// Last: its rules for reminders are all to be planned.
if (isOnPostgres) limitRaces();

// Where they had never met, all of this would show nothing.
if (isOnPostgres) test("commands did meet, and were made again", () => expect(team.repeats()).toBeGreaterThan(0));
