// The load: requests calls for now and later, cancels them, books, moves and cancels appointments in windows with too
// little capacity, sends inbound webhooks, and reads. Every answer goes to the client's log.
import { rest } from "../support/pace.ts";
import { until } from "../support/until.ts";
import type { Api, Ask, Reply } from "./api.ts";
import { ABSENT, CANCELLED, type AskedBooking, type AskedCall, type ClientLog } from "./client-log.ts";
import type { Chance } from "./seeded.ts";
import type { Tortured } from "./tortured.ts";

export interface LoadOptions {
  tortured: Tortured;
  api: Api;
  log: ClientLog;
  chance: Chance;
  clients: number;
  agentId: string;
  hookToken: string;
  /** `<window>||<date>`; few, so that they fill up. */
  slots: string[];
  /** As the appliance's clock shows it. */
  now: () => number;
}

export interface Load {
  /** Until so many more requests were answered or met silence. */
  pause(requests: number): Promise<void>;
  /** Lets what was begun come to its end. */
  stop(): Promise<void>;
  /** Nobody asks anything more, until `resume`. */
  hold(): Promise<void>;
  resume(): void;
  /** Asks for one more call, hours ahead: whatever is due is looked at when it is written. */
  nudge(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Between two requests of a client: an appliance is tortured by what happens to it, not by the sheer number. */
const MOST_REST_MS = 60;
const RETRY_MS = 20;

export function startLoad(options: LoadOptions): Load {
  const clients = Array.from(
    { length: options.clients },
    (_, index) => new Client(options, options.chance.branch(`client ${index}`), index),
  );
  let nudges = 0;
  const busy = () => clients.filter(({ isBusy }) => isBusy).length;
  const running = Promise.all(clients.map((client) => client.run()));
  return {
    async pause(requests) {
      const goal = options.log.requests + requests;
      const isReached = () => options.log.requests >= goal || options.tortured.hasCrashed();
      await until(isReached, { everyMs: 1, withinMs: 300_000, what: () => "nobody was answered any more" });
    },
    async stop() {
      for (const client of clients) client.isStopped = true;
      await running;
    },
    async hold() {
      for (const client of clients) client.isHeld = true;
      await until(() => busy() === 0, { withinMs: 120_000, what: () => `${busy()} clients are still busy` });
    },
    resume() {
      for (const client of clients) client.isHeld = false;
    },
    nudge: () => new Client(options, options.chance, options.clients + nudges++).nudge(),
  };
}

class Client {
  isStopped = false;
  isHeld = false;
  isBusy = false;
  #made = 0;
  readonly #calls: AskedCall[] = [];
  readonly #bookings: AskedBooking[] = [];
  readonly #toRepeat: { call: AskedCall; ask: Ask }[] = [];

  constructor(
    private readonly options: LoadOptions,
    private readonly chance: Chance,
    private readonly index: number,
  ) {}

  async run(): Promise<void> {
    const acts = [
      () => this.#create("now"),
      () => this.#create("later"),
      () => this.#create("hook"),
      () => this.#repeat(),
      () => this.#cancelCall(),
      () => this.#book(),
      () => this.#book(),
      () => this.#moveBooking(),
      () => this.#cancelBooking(),
      () => this.#read(),
    ];
    while (!this.isStopped) {
      await this.options.tortured.whenUp();
      if (!this.isHeld) {
        this.isBusy = true;
        await this.chance.pick(acts)();
        this.isBusy = false;
      }
      await rest(this.chance.between(0, MOST_REST_MS));
    }
  }

  nudge(): Promise<void> {
    return this.#create("later");
  }

  async #ask(ask: Ask): Promise<Reply> {
    const { api, log } = this.options;
    const reply = await api(ask);
    if (reply.kind === "nobody") return reply;
    log.requests += 1;
    if (reply.kind === "silence") log.silences += 1;
    else if (reply.status === 503) log.refusals += 1;
    return reply;
  }

  #surprise(ask: Ask, reply: Reply): void {
    if (reply.kind !== "answer" || reply.status === 503) return;
    this.options.log.surprises.push(`${ask.method} ${ask.path} answered ${reply.status}: ${reply.text.slice(0, 200)}`);
  }

  /** Client and count form a unique number; its last digits tell the carrier how the callee behaves. */
  #newNumber(): string {
    const made = String(this.#made++).padStart(5, "0");
    return `+9198${String(this.index).padStart(3, "0")}${made}`;
  }

  async #create(kind: "now" | "later" | "hook"): Promise<void> {
    const { agentId, hookToken, log, now } = this.options;
    const isKeyed = this.chance.isBelow(0.6);
    const call: AskedCall = { number: this.#newNumber(), isKeyed, ids: [], isOpen: false, cancel: "none" };
    log.calls.push(call);
    const data = {
      agent_id: agentId,
      user_number: call.number,
      ...(kind === "later" && {
        scheduled_time: new Date(now() + this.chance.between(1, 5) * HOUR_MS).toISOString(),
      }),
    };
    const key = isKeyed ? `key ${call.number}` : null;
    const ask: Ask =
      kind === "hook"
        ? { method: "POST", path: `/v1/hooks/${hookToken}`, body: { action: "call.create", data }, key }
        : { method: "POST", path: "/v1/calls", body: data, key };
    // Whoever gave it a key asks until there is an answer.
    for (;;) {
      const reply = await this.#ask(ask);
      if (reply.kind === "answer" && reply.status === 201) {
        call.ids.push(String(reply.data["call_id"]));
        if (isKeyed && this.chance.isBelow(0.5)) this.#toRepeat.push({ call, ask });
        break;
      }
      if (reply.kind === "silence") call.isOpen = true;
      const isBusyWithIt = reply.kind === "answer" && reply.code === "IDEMPOTENCY_IN_PROGRESS";
      // The clock was set forward meanwhile.
      const isTooLate = kind === "later" && reply.kind === "answer" && reply.code === "VALIDATION_ERROR";
      if (!isBusyWithIt && !isTooLate) this.#surprise(ask, reply);
      const isLeft = isTooLate || (reply.kind === "answer" && !isBusyWithIt && this.chance.isBelow(0.3));
      if ((!isKeyed && reply.kind !== "nobody") || isLeft || this.isStopped) break;
      await rest(RETRY_MS);
      await this.options.tortured.whenUp();
    }
    if (kind === "later" && call.ids.length > 0) this.#calls.push(call);
  }

  /** As queues between two systems do: what was answered long ago is asked for once more, and must be the same call. */
  async #repeat(): Promise<void> {
    const asked = this.#toRepeat.shift();
    if (!asked) return;
    const reply = await this.#ask(asked.ask);
    if (reply.kind === "answer" && reply.status === 201) asked.call.ids.push(String(reply.data["call_id"]));
    else this.#surprise(asked.ask, reply);
  }

  async #cancelCall(): Promise<void> {
    const call = this.#calls.shift();
    if (!call) return;
    const ask: Ask = { method: "POST", path: `/v1/calls/${call.ids[0]}/cancel` };
    const reply = await this.#ask(ask);
    if (reply.kind === "silence") call.cancel = "open";
    else if (reply.kind === "answer" && reply.status === 200) call.cancel = "done";
    // Its time came first.
    else if (reply.kind === "answer" && reply.code !== "CALL_NOT_CANCELLABLE") this.#surprise(ask, reply);
  }

  async #book(): Promise<void> {
    const { slots, log } = this.options;
    const slot = this.chance.pick(slots);
    const booking: AskedBooking = { name: `Patient ${this.index}-${this.#made++}`, id: null, may: [ABSENT] };
    log.bookings.push(booking);
    const isKeyed = this.chance.isBelow(0.6);
    const ask: Ask = {
      method: "POST",
      path: "/v1/appointments",
      body: { slot_id: slot, contact_name: booking.name },
      key: isKeyed ? `key ${booking.name}` : null,
    };
    // As for calls: a client with an idempotency key retries until it has an answer.
    for (;;) {
      const reply = await this.#ask(ask);
      if (reply.kind === "answer" && reply.status === 201) {
        booking.id = String(reply.data["appointment_id"]);
        booking.may = [slot];
        this.#bookings.push(booking);
        return;
      }
      if (reply.kind === "silence") booking.may = [ABSENT, slot];
      if (reply.kind === "answer" && reply.code === "SLOT_FULL") {
        // Had an earlier attempt been done, its answer would have come again.
        booking.may = [ABSENT];
        return;
      }
      const isBusyWithIt = reply.kind === "answer" && reply.code === "IDEMPOTENCY_IN_PROGRESS";
      if (!isBusyWithIt) this.#surprise(ask, reply);
      const isLeft = reply.kind === "answer" && !isBusyWithIt && this.chance.isBelow(0.3);
      if ((!isKeyed && reply.kind !== "nobody") || isLeft || this.isStopped) return;
      await rest(RETRY_MS);
      await this.options.tortured.whenUp();
    }
  }

  async #moveBooking(): Promise<void> {
    const slot = this.chance.pick(this.options.slots);
    await this.#changeBooking({ slot_id: slot }, slot);
  }

  async #cancelBooking(): Promise<void> {
    await this.#changeBooking({ status: "cancelled" }, CANCELLED);
  }

  async #changeBooking(body: Record<string, string>, becomes: string): Promise<void> {
    const booking = this.#bookings.shift();
    if (!booking) return;
    const ask: Ask = { method: "PATCH", path: `/v1/appointments/${booking.id}`, body };
    const reply = await this.#ask(ask);
    // Nobody knows which it is, so it is left alone from here on.
    if (reply.kind === "silence") return void booking.may.push(becomes);
    if (reply.kind === "answer" && reply.status === 200) booking.may = [becomes];
    else if (reply.kind === "answer" && reply.code !== "SLOT_FULL") this.#surprise(ask, reply);
    if (booking.may[0] !== CANCELLED) this.#bookings.push(booking);
  }

  async #read(): Promise<void> {
    const call = this.#calls.length > 0 ? this.chance.pick(this.#calls) : null;
    const path = call ? `/v1/calls/${call.ids[0]}` : "/v1/calls?limit=20";
    const ask: Ask = { method: "GET", path };
    const reply = await this.#ask(ask);
    if (reply.kind !== "answer") return;
    this.options.log.reads += 1;
    const isRight = reply.status === 200 && (!call || reply.data["contact_number"] === call.number);
    if (!isRight) this.#surprise(ask, reply);
  }
}
