// Work of the racers on campaigns and reminders.
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { against, oneAgainst, onceAmid, subjectOf, type Work } from "./work.ts";

const feed: Work = async ({ feeder }) => void (await feeder.runDue());
const dial: Work = async ({ dispatcher }) => void (await dispatcher.runDue());

interface Agents {
  organisationId: string;
  agentId: string;
}

export const CAMPAIGN_WORKS = {
  stopAmidFeeding: onceAmid(async ({ services }, { organisationId, subject }) => {
    await services.campaigns.stop(organisationId, subject, CLI_ACTOR);
    return "stopped";
  }, feed),
  pauseAmidDialling: onceAmid(async ({ services }, { organisationId, subject }) => {
    await services.campaigns.pause(organisationId, subject, CLI_ACTOR);
    return "paused";
  }, dial),
  forget: oneAgainst(
    ({ services }, race, i) => {
      const { organisationId, campaignId } = subjectOf<{ organisationId: string; campaignId: string }>(race, i);
      return services.campaigns.erase(organisationId, campaignId, CLI_ACTOR);
    },
    ({ services }, race, i) => {
      const { organisationId, campaignId } = subjectOf<{ organisationId: string; campaignId: string }>(race, i);
      return services.campaigns.retry(organisationId, campaignId, {}, CLI_ACTOR);
    },
  ),
  archive: against(
    ({ services }, race, i) => {
      const { organisationId, agentId } = subjectOf<Agents>(race, i);
      return services.agents.archive(organisationId, agentId, CLI_ACTOR);
    },
    ({ services }, race, i) => {
      const { organisationId, agentId } = subjectOf<Agents>(race, i);
      const input = { name: `Of ${race.racer}`, agent_id: agentId, rows: [{ user_number: "+919810012345" }] };
      return services.campaigns.create(organisationId, input, CLI_ACTOR);
    },
  ),
  /** How many were planned. */
  remindByHand: async ({ services }, { organisationId, subject }) => {
    const [appointmentId = "", agent_id = ""] = subject.split(" ");
    const asked = { appointment_ids: [appointmentId], agent_id };
    return (await services.reminders.remind(organisationId, asked, CLI_ACTOR)).planned;
  },
  dueReminders: async ({ services }) => void (await services.dueReminders.runDue()),
} satisfies Record<string, Work>;
