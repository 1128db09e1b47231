// German: the screens of `agents`.
import type { Phrase } from '../../../model/sentences.ts';

export const agentScreens = {
  'agents.name-head': 'Agent',
  'agents.installed-head': 'Installiert',
  'agents.login-head': 'Anmeldung gesehen',
  'agents.tokens-head': 'Tokens',
  'agents.money-head': 'Geld',
  'agents.absent': 'nein',
  'agents.place': '{#place}[[ {version}]]',
  'agents.no-login': '–',
  'agents.tokens': '{#tokens}',
  'agents.money': '{#money}',
  'agents.used': '(konfiguriert: {as})',
  'agents.care': '{name}: {#care}',
  'agents.plugin':
    'Aus Claude Code aufrufen: claude plugin marketplace add {folder}, dann claude plugin install harness@harness-agents. Für andere Agenten: harness agents snippet >> AGENTS.md',
  'agents.hint': 'Einen installieren: harness agents add NAME   Versuchen, ob er startet: harness agents check NAME',
  'agents.adding': '{package} {version} wird in {folder} installiert. Manche Agenten haben mehrere hundert Megabyte …',
  'agents.added': '{package} {version} ist in {folder} installiert.',
  'agents.added-before': '{package} {version} war schon installiert, in {folder}.',
  'agents.configure': 'Um ihn zu verwenden, in .harness.yaml:',
  'agents.log-in': 'Einmal anmelden: {how}',
  'agents.then-check': 'Dann: harness agents check {name}',
  'agents.none': 'Hier ist kein Agent konfiguriert, und keiner ist installiert.   → harness agents',
  'agents.starts': '{agent} lässt sich starten',
  'agents.login-seen': 'Anmeldung: {sign}',
  'agents.login-unseen': 'keine Anmeldung gesehen; sie kann anderswo sein. Anmelden: {how}',
  'agents.resumes': 'er sagt, dass er eine frühere Sitzung fortsetzen kann',
  'agents.starts-again': 'er kann keine frühere Sitzung fortsetzen: nach einem Absturz beginnt eine neue',
} as const satisfies { readonly [key: string]: Phrase };
