// Whether calls really leave this appliance: it may simulate them, or SIP may not be able to run.
import type { TrunksAnswer } from "./trunk.ts";

const words = {
  simulated: "This appliance simulates its calls.",
  howToCall: "Nobody's telephone rings. To call over your trunks, set this in the settings file and restart Ringward:",
  setting: '[telephony]\ncarrier = "sip"',
  starting: "SIP is starting.",
  failed: "SIP does not run: no call goes out or comes in.",
  seeLog: "The log of the appliance says why.",
};

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
