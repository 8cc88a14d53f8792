// ringward clock confirm
import { systemClock, toIso } from "../core/clock.ts";
import { confirmBelieved } from "../scheduler/clock-store.ts";
import type { Command } from "./command.ts";
import { withServices } from "./context.ts";
import { print } from "./output.ts";

export const clockConfirm: Command = {
  name: "clock confirm",
  summary: "Confirm that the machine's clock is right after a jump: calls are dialled and old data is erased again.",
  run: (args) =>
    withServices(args, async ({ db }) => {
      const now = systemClock.now();
      await db.write((tx) => confirmBelieved(tx, now, systemClock.uptime?.() ?? null));
      print(`Confirmed: it is ${toIso(now)}. A running server continues within half a minute.`);
      return 0;
    }),
};
