// Banner with the state of the carrier: calls are simulated, or SIP cannot run.
import type { TrunksAnswer } from "./trunk.ts";
import { said } from "../../words.ts";

const words = said.trunks.carrierBanner;

export function CarrierBanner({ mode, status }: Pick<TrunksAnswer, "mode" | "status">) {
  if (mode === "simulator") {
    return (
      <div class="notice">
        <strong>{words.simulated}</strong>
        <p>{words.howToCall}</p>
        <pre>{words.setting}</pre>
      </div>
    );
  }
  if (status === null || (status.worker === "running" && status.message === null)) return null;
  const isStarting = status.worker === "starting" && status.message === null;
  return (
    <div class={`notice ${isStarting ? "" : "bad"}`} role={isStarting ? "status" : "alert"}>
      <strong>{isStarting || status.worker === "running" ? words.starting : words.failed}</strong>
      {!isStarting && <p>{status.message ?? words.seeLog}</p>}
    </div>
  );
}
