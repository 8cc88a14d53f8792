// Says before windows are saved that they call the waiting list, and lets the person wait with those calls.
import type { CreateWindowsInput } from "../../../calendar/plan-model.ts";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { Radios } from "../../kit/field.tsx";
import { said } from "../../words.ts";
import { DialAheadNote } from "../dial-ahead.tsx";

const words = said.waiting.awaited;

export interface NewWindow {
  day: CreateWindowsInput["days"][number];
  session: CreateWindowsInput["sessions"][number];
  appointment_type_id: string | null;
}

/** Who would be called about these windows; without windows, about the free places of the branch. */
export function useAwaited(branchId: string, windows?: readonly NewWindow[]) {
  const isNobody = branchId === "" || windows?.length === 0;
  const body = { branch_id: branchId, ...(windows && { windows: [...windows] }) };
  return useLoaded(
    async () => (isNobody ? null : call(api["waiting-list"].awaited.post(body))),
    [JSON.stringify([isNobody, body])],
  ).data;
}

interface AwaitedQuestionProps {
  branchId: string;
  windows: readonly NewWindow[];
  calls: boolean;
  onCalls: (calls: boolean) => void;
}

/** Nothing if nobody waits for such places. */
export function AwaitedQuestion({ branchId, windows, calls, onCalls }: AwaitedQuestionProps) {
  const awaited = useAwaited(branchId, windows);
  return (
    <div class="wide cal-awaited" role="status">
      {awaited !== null && awaited.people > 0 && (
        <>
          <Radios
            legend={words.count(awaited.people)}
            name="calls-waiting-list"
            options={[
              ["call", words.call],
              ["wait", words.wait],
            ]}
            value={calls ? "call" : "wait"}
            onValue={(choice) => onCalls(choice === "call")}
          />
          {calls && <DialAheadNote ahead={awaited.ahead} />}
        </>
      )}
    </div>
  );
}
