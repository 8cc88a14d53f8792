// Lifecycle of the worker: start on request, a heartbeat every second, and stop. Handles messages, independent of the
// thread boundary.
import { SECOND_MS, type Clock } from "../../../core/clock.ts";
import { faultFields } from "../../../core/fault-fields.ts";
import type { Ids } from "../../../core/ids.ts";
import { LOG_LEVELS, type LogFields, type Logger, type LogLevel } from "../../../core/logger.ts";
import type { FromWorker, ToWorker, WorkerSettings } from "../carrier/protocol.ts";
import type { CreateCallAgent } from "../../port.ts";
import { openSwitchboard, type Order, type Switchboard } from "./switchboard.ts";

export interface PhoneOptions {
  clock: Clock;
  ids: Ids;
  createCallAgent: CreateCallAgent;
  send: (message: FromWorker) => void;
}

export interface Phone {
  /** No call is active. */
  readonly isIdle: boolean;
  receive(message: ToWorker): void;
}

const BEAT_MS = SECOND_MS;

const NOT_BEGUN = {
  code: "infrastructure_error",
  message: "The telephony part of the appliance could not begin the call.",
} as const;

export function createPhone({ clock, ids, createCallAgent, send }: PhoneOptions): Phone {
  /** Messages that arrive while the sockets are being opened wait. */
  let opening: Promise<Switchboard | null> | null = null;
  let switchboard: Switchboard | null = null;
  let isStopped = false;

  async function open({ settings, trunks }: Extract<ToWorker, { type: "start" }>): Promise<Switchboard | null> {
    const logger = createMessageLogger(settings.logLevel, send);
    try {
      switchboard = await openSwitchboard({ clock, logger, ids, settings, trunks, createCallAgent, send });
    } catch (error) {
      send({ type: "cannotStart", message: advice(settings, error) });
      return null;
    }
    send({ type: "ready", port: switchboard.port });
    beat(switchboard);
    return switchboard;
  }

  function beat(living: Switchboard): void {
    if (isStopped) return;
    send(living.beat());
    clock.after(BEAT_MS, () => beat(living));
  }

  /** An order that fails ends its own call, if it has one, and no other. */
  function obey(living: Switchboard, order: Order): void {
    try {
      living.obey(order);
    } catch (error) {
      const message = "An order to the line failed.";
      send({ type: "log", level: "error", message, fields: { order: order.type, ...faultFields(error) } });
      if (order.type === "dial" || order.type === "accept") {
        send({ type: "ended", callId: order.order.callId, end: { kind: "failed", ...NOT_BEGUN } });
      }
    }
  }

  async function stop(drainMs: number): Promise<void> {
    const opened = await opening;
    await opened?.stop(drainMs);
    isStopped = true;
    send({ type: "stopped" });
  }

  return {
    get isIdle() {
      return switchboard?.isIdle ?? true;
    },
    receive(message) {
      if (message.type === "start") opening ??= open(message);
      else if (message.type === "stop") void stop(message.drainMs);
      else if (switchboard) obey(switchboard, message);
      else void opening?.then((opened) => opened && obey(opened, message));
    },
  };
}

function advice({ address, port }: WorkerSettings, error: unknown): string {
  const reason = error instanceof Error ? error.message : "unknown";
  return `SIP cannot listen on ${address} port ${port} (${reason}). Stop what uses it, or change telephony.sip.`;
}

function createMessageLogger(lowest: LogLevel, send: PhoneOptions["send"]): Logger {
  const threshold = LOG_LEVELS.indexOf(lowest);
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(level) >= threshold) send({ type: "log", level, message, fields });
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
