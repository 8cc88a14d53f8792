// Finds the server that an update restarts, and how to restart it.
import type { Config } from "../config/schema.ts";
import { SECOND_MS, systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { byCommands, bySystemd, isUnitActive, unitOfProcess, type ServerControl } from "../update/server-control.ts";
import { UsageError, type Arguments } from "./command.ts";
import { runningServerPid } from "./running-server.ts";

const DEFAULT_UNIT = "ringward.service";
/** Longer than TimeoutStopSec of config/ringward.service. */
const LONGEST_STOP_MS = 90 * SECOND_MS;
const PAUSE_MS = SECOND_MS / 10;

/** Null if no server runs and no start command was given. */
export async function serverControlOf(args: Arguments, config: Config): Promise<ServerControl | null> {
  const [stop, start] = [args.text("stop"), args.text("start")];
  if ((stop === undefined) !== (start === undefined)) throw new UsageError("--stop and --start go together.");
  const pid = runningServerPid(config);
  if (stop !== undefined && start !== undefined) return waiting(config, byCommands(stop, start));
  const unit = args.text("service") ?? (pid === null ? null : unitOfProcess(pid));
  if (unit !== null) return waiting(config, bySystemd(unit));
  if (pid !== null)
    throw new AppError(
      "CONFLICT",
      `A server is running (process ${pid}), but not in a systemd unit. Stop it first, or give the commands to restart it with --stop and --start.`,
    );
  if (await isUnitActive(DEFAULT_UNIT))
    throw new AppError(
      "CONFLICT",
      `${DEFAULT_UNIT} is active, but no server is known in ${config.data.dir}. Give --config and --data as in the unit.`,
    );
  return null;
}

/** A stop is complete once the process has exited. */
function waiting(config: Config, control: ServerControl): ServerControl {
  return {
    ...control,
    async stop() {
      const pid = runningServerPid(config);
      await control.stop();
      const startedMs = systemClock.elapsedMs();
      while (pid !== null && runningServerPid(config) === pid) {
        if (systemClock.elapsedMs() - startedMs > LONGEST_STOP_MS)
          throw new AppError("CONFLICT", `The server (process ${pid}) does not stop.`);
        await new Promise<void>((resolve) => void systemClock.after(PAUSE_MS, resolve));
      }
    },
  };
}
