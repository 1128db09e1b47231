// German, joined. A reason without words does not compile here: add it to the file of its section, in both languages.
import type { CommonTextKey } from '../en/all.ts';
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

export const sections = {
  config,
  repository,
  machine,
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
