// Row of a phone number: its agent, trunk and lines, edited in place.
import { spaced } from "../../phone-number.ts";
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { ConfirmButton } from "../../kit/dialog.tsx";
import { Button, Problem } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { sayDone } from "../../said.ts";
import { useMay } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { conditionOf, trunkConditions, type TrunksAnswer } from "../trunks/trunk.ts";
import type { PhoneNumber } from "./staffing.ts";

const words = said.agents.numberRow;

export type Options = readonly (readonly [id: string, name: string])[];

export const agentOptions = (agents: readonly { agent_id: string; name: string }[]): Options => [
  ["", words.nobody],
  ...agents.map(({ agent_id, name }) => [agent_id, name] as const),
];

export const trunkOptions = ({ trunks }: TrunksAnswer): Options => [
  ["", words.noTrunk],
  ...trunks.map(({ trunk_id, name }) => [trunk_id, name] as const),
];

/** Trunks are hidden while the hospital only simulates calls. */
export const hasTrunks = ({ mode, trunks }: TrunksAnswer) => mode === "sip" || trunks.length > 0;

export interface NumberRowProps {
  number: PhoneNumber;
  agents: Options;
  telephony: TrunksAnswer;
  onChanged: () => void;
}

export function NumberRow({ number, agents, telephony, onChanged }: NumberRowProps) {
  const mayAssign = useMay("staff");
  const isOwner = useMay("owner");
  const changing = useAction();
  const at = api.numbers({ number: number.number });
  const nameOf = (options: Options, id: string) => options.find(([known]) => known === id)?.[1] ?? id;
  const change = (act: () => Promise<string>) =>
    void changing.run(async () => {
      sayDone(await act());
      onChanged();
    });

  const assign = async (id: string) => {
    await call(at.agent.put({ agent_id: id === "" ? null : id }));
    return id === "" ? words.taken(spaced(number.number)) : words.assigned(spaced(number.number), nameOf(agents, id));
  };
  const trunks = trunkOptions(telephony);
  const putOnTrunk = async (id: string) => {
    await call(at.trunk.put({ trunk_id: id === "" ? null : id }));
    return id === "" ? words.offTrunk(spaced(number.number)) : words.onTrunk(spaced(number.number), nameOf(trunks, id));
  };
  const widen = async (lines: string) => {
    await call(at.lines.put({ concurrent_calls: Number(lines) }));
    return words.linesSaved(number.number, lines);
  };

  return (
    <li class={`number-row ${hasTrunks(telephony) ? "with-trunk" : ""}`}>
      <span class="row-title">
        <Phone number={number.number} />
      </span>
      {mayAssign ? (
        <Choice
          label={words.agentOf(number.number)}
          options={agents}
          value={number.agent_id ?? ""}
          busy={changing.busy}
          onValue={(id) => change(() => assign(id))}
        />
      ) : (
        <span>{nameOf(agents, number.agent_id ?? "")}</span>
      )}
      {hasTrunks(telephony) &&
        (isOwner ? (
          <Choice
            label={words.trunkOf(number.number)}
            options={trunks}
            value={number.trunk_id ?? ""}
            busy={changing.busy}
            onValue={(id) => change(() => putOnTrunk(id))}
          />
        ) : (
          <span>{words.trunk(nameOf(trunks, number.trunk_id ?? ""))}</span>
        ))}
      {isOwner ? (
        <Lines number={number} busy={changing.busy} onSave={(lines) => change(() => widen(lines))} />
      ) : (
        <span class="note">{words.lineCount(number.concurrent_calls)}</span>
      )}
      {isOwner && (
        <ConfirmButton
          look="quiet"
          about={words.removeNumber(number.number)}
          title={words.removeTitle(spaced(number.number))}
          text={words.removeText}
          action={words.remove}
          onConfirm={() => call(at.delete())}
          done={words.removed(spaced(number.number))}
          onDone={onChanged}
        />
      )}
      <TrunkWarning trunkId={number.trunk_id} telephony={telephony} />
      <Problem text={changing.error} />
    </li>
  );
}

interface ChoiceProps {
  label: string;
  options: Options;
  value: string;
  busy: boolean;
  onValue: (value: string) => void;
}

function Choice({ label, options, value, busy, onValue }: ChoiceProps) {
  return (
    <select aria-label={label} disabled={busy} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
      {options.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface LinesProps {
  number: PhoneNumber;
  busy: boolean;
  onSave: (lines: string) => void;
}

function Lines({ number: { number, concurrent_calls }, busy, onSave }: LinesProps) {
  const [lines, setLines] = useState(String(concurrent_calls));
  return (
    <form
      class="lines"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(lines);
      }}
    >
      <input
        type="number"
        min={1}
        max={10_000}
        required
        aria-label={words.linesOf(number)}
        value={lines}
        onInput={(event) => setLines(event.currentTarget.value)}
      />
      <span class="note">{words.lines}</span>
      <Button
        type="submit"
        busy={busy}
        disabled={lines === String(concurrent_calls)}
        aria-label={`${words.saveLines}: ${number}`}
        label={common.save}
      />
    </form>
  );
}

/** Only in SIP mode: calls are never simulated silently, so a number without a trunk cannot call. */
function TrunkWarning({ trunkId, telephony }: { trunkId: string | null; telephony: TrunksAnswer }) {
  if (telephony.mode !== "sip") return null;
  const trunk = telephony.trunks.find(({ trunk_id }) => trunk_id === trunkId);
  const condition = trunk && conditionOf(trunk, telephony.mode);
  if (condition === "up" || condition === "unheard") return null;
  return (
    <p class="notice warn">
      {trunk && condition ? words.trunkNotUp(trunk.name, trunkConditions[condition]) : words.cannotCall}{" "}
      {(trunk !== undefined || telephony.trunks.length === 0) && (
        <a href="/dashboard/settings/trunks">{trunk ? words.lookAtTrunks : words.addTrunk}</a>
      )}
    </p>
  );
}
