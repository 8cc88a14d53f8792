// ringward clock confirm
import { systemClock, toIso } from "../core/clock.ts";
import { saveBelieved } from "../scheduler/clock-store.ts";
import type { Command } from "./command.ts";
import { withServices } from "./context.ts";
import { print } from "./output.ts";

export const clockConfirm: Command = {
  name: "clock confirm",
  summary: "Say that this machine's clock is right now, after a jump: what is erased by age then need not wait a day.",
  run: (args) =>
    withServices(args, async ({ db }) => {
      const now = systemClock.now();
      await db.write((tx) => saveBelieved(tx, now));
      print(`Confirmed: it is ${toIso(now)}. A running server hears of it within half a minute.`);
      return 0;
    }),
};
