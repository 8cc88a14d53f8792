// All routes of the dashboard as one typed app. The type of the browser's client derives from it.
import type { Elysia } from "elysia";
import type { AgentService } from "../agents/service.ts";
import { createPromptPreview } from "./prompt-preview.ts";
import { dashboardAgentRoutes } from "./routes/agent-routes.ts";
import { agentVersionRoutes } from "./routes/agent-version-routes.ts";
import { auditRoutes, type AuditRouteDeps } from "./routes/audit-routes.ts";
import { authRoutes, type AuthRouteDeps } from "./routes/auth-routes.ts";
import { dashboardCalendarRoutes, type DashboardCalendarDeps } from "./routes/calendar-routes.ts";
import { closureRoutes, type ClosureRouteDeps } from "./routes/closure-routes.ts";
import { dashboardCallRoutes, type DashboardCallDeps } from "./routes/call-routes.ts";
import { callWorkRoutes, type CallWorkDeps } from "./routes/call-work-routes.ts";
import { campaignRoutes, type CampaignRouteDeps } from "./routes/campaign-routes.ts";
import { campaignListRoutes, type CampaignListRouteDeps } from "./routes/campaign-list-routes.ts";
import { contactRoutes, type ContactRouteDeps } from "./routes/contact-routes.ts";
import { demoRoutes, type DemoRouteDeps } from "./routes/demo-routes.ts";
import { developerRoutes, type DeveloperRouteDeps } from "./routes/developer-routes.ts";
import { directoryRoutes, type DirectoryRouteDeps } from "./routes/directory-routes.ts";
import { doNotDisturbRoutes, type DoNotDisturbRouteDeps } from "./routes/do-not-disturb-routes.ts";
import { heldCallRoutes, type HeldCallRouteDeps } from "./routes/held-call-routes.ts";
import { modelServerRoutes, type ModelServerRouteDeps } from "./routes/model-server-routes.ts";
import { overviewRoutes, type OverviewRouteDeps } from "./routes/overview-routes.ts";
import { alarmRoutes, type AlarmRouteDeps } from "./routes/alarm-routes.ts";
import { passwordLinkRoutes, type PasswordLinkRouteDeps } from "./routes/password-link-routes.ts";
import { planRoutes, type PlanRouteDeps } from "./routes/plan-routes.ts";
import { pronunciationRoutes, type PronunciationRouteDeps } from "./routes/pronunciation-routes.ts";
import { questionRoutes, type QuestionRouteDeps } from "./routes/question-routes.ts";
import { recordedWordsRoutes, type RecordedWordsRouteDeps } from "./routes/recorded-words-routes.ts";
import { ruleRoutes, type RuleRouteDeps } from "./routes/rule-routes.ts";
import { savedFilterRoutes, type SavedFilterRouteDeps } from "./routes/saved-filter-routes.ts";
import { consentListRoutes, type ConsentRouteDeps } from "./routes/consent-routes.ts";
import { registryRoutes, type RegistryRouteDeps } from "./routes/registry-routes.ts";
import { reminderRoutes, type ReminderRouteDeps } from "./routes/reminder-routes.ts";
import { dashboardRightsRoutes, type RightsRouteDeps } from "./routes/rights-routes.ts";
import { sessionRoutes, type SessionRouteDeps } from "./routes/session-routes.ts";
import { signInRoutes, type SignInRouteDeps } from "./routes/sign-in-routes.ts";
import { settingsRoutes, type SettingsRouteDeps } from "./routes/settings-routes.ts";
import { dashboardHl7Routes, type Hl7RouteDeps } from "./routes/hl7-routes.ts";
import { factorRoutes, type FactorRouteDeps } from "./routes/factor-routes.ts";
import { folderRoutes, type FolderRouteDeps } from "./routes/folder-routes.ts";
import { dashboardSourceRoutes, type SourceRouteDeps } from "./routes/source-routes.ts";
import { worklistRoutes, type WorklistRouteDeps } from "./routes/worklist-routes.ts";
import { trunkRoutes, type TrunkRouteDeps } from "./routes/trunk-routes.ts";
import { dashboardWaitingRoutes, type DashboardWaitingDeps } from "./routes/waiting-routes.ts";

export type DashboardDeps = AuthRouteDeps &
  PasswordLinkRouteDeps &
  AlarmRouteDeps &
  SignInRouteDeps &
  DirectoryRouteDeps &
  FactorRouteDeps &
  SessionRouteDeps &
  DashboardCallDeps &
  CallWorkDeps &
  SavedFilterRouteDeps &
  ContactRouteDeps &
  WorklistRouteDeps &
  SourceRouteDeps &
  Hl7RouteDeps &
  FolderRouteDeps &
  HeldCallRouteDeps &
  DashboardCalendarDeps &
  ClosureRouteDeps &
  CampaignListRouteDeps &
  CampaignRouteDeps &
  DashboardWaitingDeps &
  PlanRouteDeps &
  DeveloperRouteDeps &
  QuestionRouteDeps &
  RegistryRouteDeps &
  ConsentRouteDeps &
  DemoRouteDeps &
  OverviewRouteDeps &
  SettingsRouteDeps &
  TrunkRouteDeps &
  RecordedWordsRouteDeps &
  PronunciationRouteDeps &
  RuleRouteDeps &
  ModelServerRouteDeps &
  ReminderRouteDeps &
  DoNotDisturbRouteDeps &
  RightsRouteDeps &
  AuditRouteDeps & { agents: AgentService };

export function dashboardApi(deps: DashboardDeps) {
  const { guard, agents } = deps;
  // Routes are added to the given instance: a separate instance would register each route twice.
  return (app: Elysia) =>
    app
      .use(authRoutes(deps))
      .use(passwordLinkRoutes(deps))
      .use(alarmRoutes(deps))
      .use(signInRoutes(deps))
      .use(directoryRoutes(deps))
      .use(factorRoutes(deps))
      .use(sessionRoutes(deps))
      .use(dashboardCallRoutes(deps))
      .use(callWorkRoutes(deps))
      .use(savedFilterRoutes(deps))
      .use(contactRoutes(deps))
      .use(worklistRoutes(deps))
      .use(heldCallRoutes(deps))
      .use(dashboardCalendarRoutes(deps))
      .use(dashboardSourceRoutes(deps))
      .use(dashboardHl7Routes(deps))
      .use(folderRoutes(deps))
      .use(closureRoutes(deps))
      .use(campaignListRoutes(deps))
      .use(campaignRoutes(deps))
      .use(reminderRoutes(deps))
      .use(dashboardWaitingRoutes(deps))
      .use(planRoutes(deps))
      .use(dashboardAgentRoutes(guard, agents))
      .use(agentVersionRoutes(guard, agents, createPromptPreview(deps)))
      .use(recordedWordsRoutes(deps))
      .use(pronunciationRoutes(deps))
      .use(ruleRoutes(deps))
      .use(modelServerRoutes(deps))
      .use(trunkRoutes(deps))
      .use(developerRoutes(deps))
      .use(questionRoutes(deps))
      .use(registryRoutes(deps))
      .use(consentListRoutes(deps))
      .use(demoRoutes(deps))
      .use(overviewRoutes(deps))
      .use(settingsRoutes(deps))
      .use(doNotDisturbRoutes(deps))
      .use(dashboardRightsRoutes(deps))
      .use(auditRoutes(deps));
}

export type DashboardApi = ReturnType<ReturnType<typeof dashboardApi>>;
