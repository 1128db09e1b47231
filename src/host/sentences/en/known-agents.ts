// English: the screens of `agents`.
import type { Phrase } from '../../../model/sentences.ts';

export const agentScreens = {
  'agents.name-head': 'Agent',
  'agents.installed-head': 'Installed',
  'agents.login-head': 'Login seen',
  'agents.tokens-head': 'Tokens',
  'agents.money-head': 'Money',
  'agents.absent': 'no',
  // {place, version}
  'agents.place': '{#place}[[ {version}]]',
  'agents.no-login': '–',
  'agents.tokens': '{#tokens}',
  'agents.money': '{#money}',
  'agents.used': '(configured: {as})',
  // {name, care}
  'agents.care': '{name}: {#care}',
  // {folder}
  'agents.plugin':
    'To call harness from Claude Code: claude plugin marketplace add {folder}, then claude plugin install harness@harness-agents. For other agents: harness agents snippet >> AGENTS.md',
  'agents.hint': 'Install one: harness agents add NAME   Try whether it starts: harness agents check NAME',
  // {package, version, folder}
  'agents.adding': 'Installing {package} {version} into {folder}. Some agents are several hundred megabytes …',
  'agents.added': '{package} {version} is installed in {folder}.',
  'agents.added-before': '{package} {version} was installed before, in {folder}.',
  'agents.configure': 'To use it, in .harness.yaml:',
  'agents.log-in': 'Log in once: {how}',
  'agents.then-check': 'Then: harness agents check {name}',
  'agents.none': 'No agent is configured here, and none is installed.   → harness agents',
  // {agent}
  'agents.starts': '{agent} can be started',
  'agents.login-seen': 'login: {sign}',
  'agents.login-unseen': 'no login was seen; it may have one elsewhere. To log in: {how}',
  'agents.resumes': 'it says that it can continue an earlier session',
  'agents.starts-again': 'it cannot continue an earlier session: after a crash a new one starts',
} as const satisfies { readonly [key: string]: Phrase };
