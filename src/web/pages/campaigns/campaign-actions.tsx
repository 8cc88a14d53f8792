// Actions on a campaign: pause, resume, stop, retry failed calls, download results. Irreversible ones need
// confirmation.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { Button, LinkButton } from "../../kit/parts.tsx";
import { sayProblem } from "../../said.ts";
import { formatNumber } from "../../format.ts";
import { said } from "../../words.ts";
import { DialAheadNote, useAskFirst, useDialAhead } from "../dial-ahead.tsx";
import type { Campaign } from "./campaign.ts";

const words = said.campaigns.page;
type Act = "pause" | "resume" | "stop" | "retry";

interface ActionsProps {
  campaign: Campaign;
  isStaff: boolean;
  onChanged: () => void;
}

export function CampaignActions({ campaign, isStaff, onChanged }: ActionsProps) {
  const [asking, setAsking] = useState<"stop" | "retry" | null>(null);
  const first = useAskFirst(words.resume);
  const { busy, run } = useAction();
  const route = api.campaigns({ campaign_id: campaign.campaign_id });
  const act = async (which: Act, done: string) => {
    const tried = async () => {
      try {
        await call(route[which].post());
      } catch (error) {
        // A toast, because there is no room between the buttons.
        sayProblem(error);
        throw error;
      }
    };
    await run(tried, done);
    onChanged();
  };
  const askedToResume = () => first.ask({ campaign_id: campaign.campaign_id }, () => act("resume", words.resumed));
  const isGoing = ["ready", "running"].includes(campaign.state);
  const isOpen = isGoing || campaign.state === "paused";
  const { failed } = campaign.progress;
  return (
    <>
      <LinkButton
        href={`/dashboard/api/campaigns/${campaign.campaign_id}/results.csv`}
        download
        label={words.results}
      />
      {isStaff && isOpen && <Button kind="danger" onClick={() => setAsking("stop")} label={words.stop} />}
      {isStaff && isGoing && <Button busy={busy} onClick={() => act("pause", words.paused)} label={words.pause} />}
      {isStaff && failed > 0 && (
        <Button
          kind={isOpen ? "plain" : "primary"}
          onClick={() => setAsking("retry")}
          label={words.retry(formatNumber(failed))}
        />
      )}
      {isStaff && campaign.state === "paused" && (
        <Button kind="primary" busy={busy} onClick={askedToResume} label={words.resume} />
      )}
      {first.question}
      {asking !== null && (
        <Question which={asking} campaign={campaign} onClose={() => setAsking(null)} onDone={onChanged} />
      )}
    </>
  );
}

interface QuestionProps {
  which: "stop" | "retry";
  campaign: Campaign;
  onClose: () => void;
  onDone: () => void;
}

function Question({ which, campaign, onClose, onDone }: QuestionProps) {
  const { waiting, failed } = campaign.progress;
  const route = api.campaigns({ campaign_id: campaign.campaign_id });
  const ahead = useDialAhead(which === "retry" ? { campaign_id: campaign.campaign_id } : null);
  const dialog = { onClose, onDone, onConfirm: () => call(route[which].post()) };
  return which === "stop" ? (
    <Confirm
      {...dialog}
      title={words.stopTitle}
      text={words.stopText(formatNumber(waiting))}
      cancel={words.stopKeep}
      action={words.stopConfirm}
      done={words.stopped}
    />
  ) : (
    <Confirm
      {...dialog}
      title={words.retryTitle}
      text={words.retryText(formatNumber(failed))}
      cancel={words.retryKeep}
      action={words.retryConfirm(formatNumber(failed))}
      kind="primary"
      done={words.retried}
    >
      <DialAheadNote ahead={ahead} />
    </Confirm>
  );
}
