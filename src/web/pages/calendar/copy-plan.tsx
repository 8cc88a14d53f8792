// Copies the weekly plan of another branch, after a preview with existing windows.
import { useState } from "preact/hooks";
import type { PlannedWindow } from "../../../calendar/plan-service.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { CheckBox, SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Badge, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { AwaitedQuestion } from "./awaited.tsx";
import { branchName, branchOptions, serviceName, useCalendar } from "./calendar-context.ts";
import { formatHours } from "./week-dates.ts";
import { dayNames, planWords, words } from "./words.ts";

/** Closed windows call nobody. */
const openOnes = (chosen: readonly PlannedWindow[]) =>
  chosen
    .filter(({ window }) => window.status === "OPEN")
    .map(({ window: { day, session }, appointment_type }) => ({ day, session, appointment_type_id: appointment_type }));

export function CopyPlan() {
  const { directory, branch, finish } = useCalendar();
  const others = directory.branches.filter(({ branch_id }) => branch_id !== branch.branch_id);
  const [target, setTarget] = useState(others[0]?.branch_id ?? "");
  /** Windows that the user selected or deselected. By default, a window is copied if it does not exist yet. */
  const [changed, setChanged] = useState<Record<string, boolean>>({});
  const [callsWaiting, setCallsWaiting] = useState(true);
  const submission = useAction();
  const plan = useLoaded(
    () => call(api.calendar.plan.get({ query: { from_branch: branch.branch_id, to_branch: target } })),
    [branch.branch_id, target],
  );
  const chosen = (plan.data?.windows ?? []).filter(({ window, exists }) => changed[window.slot_id] ?? !exists);
  const copy = async () => {
    const body = {
      from_branch: branch.branch_id,
      to_branch: target,
      window_ids: chosen.map(({ window }) => window.slot_id),
      calls_waiting_list: callsWaiting,
    };
    if (await submission.run(() => call(api.calendar.plan.post(body)))) finish(planWords.windowsMade(chosen.length));
  };
  return (
    <Form
      submission={submission}
      submit={planWords.copyWindows(chosen.length)}
      isDisabled={chosen.length === 0}
      onSubmit={copy}
    >
      <p class="wide">{planWords.copyFrom(branchName(branch))}</p>
      <div class="wide">
        <SelectField
          label={planWords.copyTo}
          value={target}
          onValue={(id) => {
            setChanged({});
            setTarget(id);
          }}
          options={branchOptions(others)}
        />
      </div>
      <div class="wide">
        <Shown from={plan} isEmpty={({ windows }) => windows.length === 0} empty={planWords.nothingToCopy}>
          {({ windows, existing }) => (
            <>
              <p class="note">{planWords.alreadyThere(existing.length)}</p>
              <ul class="cal-closed-people" aria-label={planWords.plan}>
                {windows.map(({ window, appointment_type, exists }) => (
                  <li key={window.slot_id}>
                    <CheckBox
                      label={[
                        dayNames[window.day] ?? window.day,
                        formatHours(window),
                        appointment_type === null
                          ? words.anyService
                          : serviceName(directory.services, appointment_type),
                        ...(window.batch === null ? [] : [words.batch(window.batch)]),
                      ].join(" · ")}
                      checked={changed[window.slot_id] ?? !exists}
                      onChecked={(isIn) => setChanged({ ...changed, [window.slot_id]: isIn })}
                    />
                    {exists && <Badge state="held" text={planWords.exists} />}
                  </li>
                ))}
              </ul>
            </>
          )}
        </Shown>
      </div>
      <AwaitedQuestion branchId={target} windows={openOnes(chosen)} calls={callsWaiting} onCalls={setCallsWaiting} />
    </Form>
  );
}
