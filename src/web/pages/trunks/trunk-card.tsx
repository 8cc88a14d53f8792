// Card of one trunk: its current state and its numbers.
import { api, call } from "../../client.ts";
import { ConfirmButton } from "../../kit/dialog.tsx";
import { Badge, Button, Facts, type Fact } from "../../kit/parts.tsx";
import { formatNumber, formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { CaptureButton, TrunkCapture } from "./trunk-capture.tsx";
import { addressOf, conditionOf, transportNames, trunkConditions, type Trunk, type TrunksAnswer } from "./trunk.ts";

const words = said.trunks.trunkCard;

export interface TrunkCardProps {
  trunk: Trunk;
  answer: TrunksAnswer;
  onEdit: () => void;
  onChanged: () => void;
}

export function TrunkCard({ trunk, answer: { mode, status }, onEdit, onChanged }: TrunkCardProps) {
  const { organisation } = useSession();
  const isOwner = useMay("owner");
  const condition = conditionOf(trunk, mode);
  const isLooked = condition !== "off" && condition !== "idle";
  const state = isLooked ? trunk.state : null;
  // Errors of SIP as a whole appear once above the list.
  const problem = state?.last_error === status?.message ? null : state?.last_error;
  const word =
    condition === "resting"
      ? words.restingUntil(formatShortTime(state?.resting_until ?? null, organisation.time_zone))
      : trunkConditions[condition];
  return (
    <section class="card trunk" aria-label={trunk.name}>
      <header>
        <h2>
          {trunk.name} <Badge state={condition} text={word} />
        </h2>
        {isOwner && trunk.source === "dashboard" && (
          <div class="actions">
            <Button onClick={onEdit} aria-label={words.edit(trunk.name)} label={common.edit} />
            <ConfirmButton
              about={words.removeName(trunk.name)}
              title={words.removeTitle(trunk.name)}
              text={words.removeText}
              action={words.remove}
              onConfirm={() => call(api.trunks({ id: trunk.trunk_id }).delete())}
              done={words.removed(trunk.name)}
              onDone={onChanged}
            />
          </div>
        )}
      </header>
      <p class="trunk-address">
        <code>{addressOf(trunk)}</code> <span>{transportNames[trunk.transport] ?? trunk.transport}</span>
        {state?.address && state.address !== addressOf(trunk) && <span class="note">{words.found(state.address)}</span>}
      </p>
      {problem && (
        <p class={`notice ${condition === "down" ? "bad" : "warn"}`} role="status">
          {problem}
        </p>
      )}
      {condition === "resting" && !problem && (
        <p class="notice warn" role="status">
          {words.restingWhy}
        </p>
      )}
      <TrunkCapture trunk={trunk} onChanged={onChanged} />
      <div class="trunk-facts">
        {state && <Facts rows={liveRows(trunk, state)} />}
        <Facts rows={setRows(trunk)} />
      </div>
      {trunk.source === "settings" && <p class="note">{words.fromSettings(trunk.name)}</p>}
      {isOwner && isLooked && trunk.capture_until === null && (
        <div class="actions">
          <CaptureButton trunk={trunk} onChanged={onChanged} />
        </div>
      )}
    </section>
  );
}

function liveRows(trunk: Trunk, state: NonNullable<Trunk["state"]>): (Fact | false)[] {
  const { active_calls, is_registered, round_trip_ms } = state;
  const lines = trunk.concurrent_calls;
  return [
    [
      words.callsNow,
      <>
        {words.ofLines(formatNumber(active_calls), formatNumber(lines))}
        <meter class="use" min={0} max={lines} value={active_calls} aria-label={words.callsNow} />
      </>,
    ],
    is_registered !== null && [words.registered, is_registered ? words.isRegistered : words.notRegistered],
    [words.roundTrip, trunk.options_seconds === 0 ? words.neverAsked : roundTripOf(round_trip_ms)],
  ];
}

function roundTripOf(ms: number | null): string {
  return ms === null ? "–" : words.inMs(formatNumber(ms));
}

function encryptionOf({ transport, srtp }: Trunk): string {
  const { clear, preferred, required } = words.encryptions;
  if (transport !== "tls" || srtp === "off") return clear;
  return srtp === "required" ? required : preferred;
}

/** An example number in each format, after the prefix. */
const dialExamples: Record<string, string> = { digits: "919812345678", national: "09812345678" };

function setRows(trunk: Trunk): (Fact | false)[] {
  const { numbers, allowed_prefixes, caller_id, symmetric_rtp, number_format, dial_prefix, extensions, codecs } = trunk;
  return [
    [
      words.numbers,
      numbers.length > 0 ? (
        numbers.join(", ")
      ) : (
        <>
          {words.noNumbers} <a href="/dashboard/agents">{words.giveNumber}</a>
        </>
      ),
    ],
    [
      words.allowed,
      allowed_prefixes.length > 0 ? (
        allowed_prefixes.map((prefix) => `${prefix} …`).join(", ")
      ) : (
        <Badge state="held" text={words.everyNumber} />
      ),
    ],
    [words.shows, caller_id ?? words.ownNumber],
    ...(number_format === "e164" ? [] : [[words.dials, `${dial_prefix}${dialExamples[number_format] ?? ""}`] as const]),
    extensions.length !== 0 && [words.extensions, extensions.join(", ")],
    codecs.length !== 0 && [words.codecs, codecs.join(", ")],
    [words.encryption, encryptionOf(trunk)],
    symmetric_rtp && [words.audio, words.followed],
  ];
}
