// English, joined. A reason without a sentence does not compile here: add it to the file of its section, in both languages.
import type { PlaybookName } from '../../../model/config.ts';
import type { Sentences } from '../shape.ts';
import { agents } from './agents.ts';
import { backlog } from './backlog.ts';
import { checks } from './checks.ts';
import { cli, texts } from './cli.ts';
import { config } from './config.ts';
import { engine, outcomes } from './engine.ts';
import { evidence, evidenceScreens } from './evidence.ts';
import { forge, forgeScreens } from './forge.ts';
import { gates, options, otherSubject, subjects } from './gates.ts';
import { init } from './init.ts';
import { preflight } from './preflight.ts';
import { problems } from './problems.ts';
import { machine } from './machine.ts';
import { repository } from './repository.ts';
import { doctor, sandbox } from './sandbox.ts';
import { steering } from './steering.ts';
import { agentScreens } from './known-agents.ts';
import { reportTexts } from './report.ts';
import { limits } from './limits.ts';
import { tools } from './tools.ts';
import { attempts, screens } from './screens.ts';
import { words } from './words.ts';

/** A key of a playbook's own texts: the playbook's name, a dot, a key (src/model/sentences.ts). */
type PlaybookTextKey = `${PlaybookName}.${string}`;
export type CommonTextKey =
  | keyof typeof texts
  | keyof typeof steering
  | keyof typeof screens
  | keyof typeof tools
  | keyof typeof limits
  | keyof typeof doctor
  | keyof typeof evidenceScreens
  | keyof typeof agentScreens
  | keyof typeof reportTexts
  | keyof typeof forgeScreens;
export type TextKey = CommonTextKey | PlaybookTextKey;

export const sections = {
  config,
  repository,
  machine,
  sandbox,
  backlog,
  preflight,
  checks,
  agents,
  init,
  engine,
  gates,
  cli,
  attempts,
  evidence,
  forge,
};

export const sentences: Sentences<CommonTextKey> = {
  failures: {
    ...config,
    ...repository,
    ...machine,
    ...sandbox,
    ...backlog,
    ...preflight,
    ...checks,
    ...agents,
    ...init,
    ...engine,
    ...gates,
    ...cli,
    ...attempts,
    ...evidence,
    ...forge,
  },
  problems,
  gates: subjects,
  otherGate: otherSubject,
  options,
  outcomes,
  words,
  texts: {
    ...texts,
    ...steering,
    ...screens,
    ...tools,
    ...limits,
    ...doctor,
    ...evidenceScreens,
    ...agentScreens,
    ...reportTexts,
    ...forgeScreens,
  },
};
