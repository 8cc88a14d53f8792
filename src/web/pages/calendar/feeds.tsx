// Calendar links: a branch's week for a calendar program, under a secret URL that can be revoked.
import { useState } from "preact/hooks";
import { useAction, type Action } from "../../action.ts";
import { api, call } from "../../client.ts";
import { SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, Problem, Shown } from "../../kit/parts.tsx";
import { Secret } from "../../kit/secret.tsx";
import { sayDone } from "../../said.ts";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { useMay } from "../../session.tsx";
import { branchName, branchOptions, useCalendar } from "./calendar-context.ts";
import { feedPeople, planWords, words } from "./words.ts";

type People = keyof typeof feedPeople;
const PEOPLE = Object.keys(feedPeople) as People[];

export function Feeds() {
  const { directory, branch } = useCalendar();
  const mayChange = useMay("owner");
  const [url, setUrl] = useState<string | null>(null);
  const submission = useAction();
  const feeds = useLoaded(() => call(api.calendar.feeds.get()), []);
  const nameAt = (id: string) => branchName(directory.branches.find(({ branch_id }) => branch_id === id) ?? branch);

  const made = (address: string) => {
    setUrl(address);
    feeds.reload();
  };
  const revoke = async (id: string) => {
    if (!(await submission.run(() => call(api.calendar.feeds({ id }).delete())))) return;
    setUrl(null);
    sayDone(planWords.feedRevoked);
    feeds.reload();
  };

  return (
    <Card title={planWords.feeds}>
      <p class="note">{planWords.feedsNote}</p>
      <Problem text={submission.error} />
      <Shown from={feeds} isEmpty={(rows) => rows.length === 0} empty={planWords.noFeeds}>
        {(rows) => (
          <ul class="cal-closures">
            {rows.map(({ feed_id, branch_id, people: told, created_at }) => (
              <li key={feed_id}>
                <div class="cal-closure">
                  <strong>{nameAt(branch_id)}</strong> <span>{feedPeople[told]}</span>
                  <p class="note">{planWords.feedMade(formatShortTime(created_at, branch.time_zone))}</p>
                </div>
                {mayChange && (
                  <Button
                    kind="danger"
                    busy={submission.busy}
                    aria-label={words.actionFor(planWords.revokeFeed, nameAt(branch_id))}
                    onClick={() => void revoke(feed_id)}
                    label={planWords.revokeFeed}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
      {url !== null && <Secret label={planWords.feedUrl} value={url} />}
      {mayChange && <NewFeed submission={submission} onMade={made} />}
    </Card>
  );
}

function NewFeed({ submission, onMade }: { submission: Action; onMade: (address: string) => void }) {
  const { directory, branch } = useCalendar();
  const [branchId, setBranchId] = useState(branch.branch_id);
  const [people, setPeople] = useState<People>("none");
  const create = () =>
    submission.run(async () => onMade((await call(api.calendar.feeds.post({ branch_id: branchId, people }))).url));
  return (
    <Form submission={{ ...submission, error: null }} submit={planWords.makeFeed} onSubmit={create} layout="stack">
      <div class="form">
        <SelectField
          label={words.branch}
          value={branchId}
          onValue={setBranchId}
          options={branchOptions(directory.branches)}
        />
        <SelectField
          label={planWords.feedPeople}
          hint={people === "none" ? "" : planWords.feedWarning}
          value={people}
          onValue={(value) => setPeople(value as People)}
          options={PEOPLE.map((each) => [each, feedPeople[each]] as const)}
        />
      </div>
    </Form>
  );
}
