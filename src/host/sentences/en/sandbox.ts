// English: the sandbox, and the screen that says whether a run could start.
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const sandbox = {
  // {level, why, words}
  'sandbox-unusable': {
    title: 'The sandbox {level} does not work here: {#why}.',
    why: '[[{words}\n]]It is configured explicitly, so nothing runs without it.',
    fix: [
      'harness doctor   (shows what works and what is missing)',
      'apt install bubblewrap',
      'npm install -g @anthropic-ai/sandbox-runtime   (for the level srt; on Linux it needs bubblewrap and socat)',
      'On Ubuntu 24.04 and later: sysctl kernel.apparmor_restrict_unprivileged_userns=0',
      'sandbox: { level: auto }   (the strongest that works)',
    ],
  },
  // {level, words}
  'sandbox-not-opened': {
    title: 'The sandbox {level} could not be opened, so a command was not run.',
    why: '{words}\nAt the start of the run it could. Nothing was checked; the work is kept.',
    fix: ['harness doctor   (tries it)', 'harness run   (continues)'],
  },
  // {why, words}
  'sandbox-missing': {
    title: 'This machine has no sandbox: {#why}.',
    why: '[[{words}\n]]Code written by agents would run unattended for hours with all your permissions.',
    fix: [
      'apt install bubblewrap',
      'On Ubuntu 24.04 and later: sysctl kernel.apparmor_restrict_unprivileged_userns=0',
      'harness run --until-done --i-accept-unsandboxed',
      'sandbox: { level: none }   (always without)',
    ],
  },
  // {browser}
  'browser-missing': {
    title: 'There is no browser here: {browser}.',
    why: 'Pages of the user interface are judged by what a real browser shows. A program in the work tree itself does not count.',
    fix: [
      'apt install chromium',
      'mission: { ui: { browser: /path/to/chromium } }',
      'harness site-reverse URL --browser /path/to/chromium',
    ],
  },
  // {program, box, why}
  'browser-unusable': {
    title: 'The browser does not start: {program}.',
    why: '[[{why}\n]]Pages of the user interface are judged by what a real browser shows. It was started in the sandbox {box}.',
    fix: ['{program} --headless=new --version', 'mission: { ui: { browser: /path/to/another }}'],
  },
  // {port, url}
  'pages-port-taken': {
    title: 'Port {port} is in use by another program.',
    why: 'The development server has to answer at {url}, so that what is seen comes from the work that is judged.',
    fix: ['ss -ltnp   (shows which program: end it)', 'mission: { ui: { url: … } }   (another port)'],
  },
} as const satisfies FailureSection;

export const doctor = {
  // {level, why}
  'say.unsandboxed': 'No sandbox: code written by agents runs with all your permissions ({#why})   → harness doctor',
  'say.half-sandboxed':
    'Only processes are isolated; code written by agents has access to files and network ({#why})   → harness doctor',
  'say.only-checks-sandboxed':
    'Checks run in sandbox-runtime; agents and environment scripts run with all your permissions ({#why})   → harness doctor',
  'doctor.program': 'Program',
  // {harness, node}
  'doctor.versions': 'harness {harness}, Node {node}',
  'doctor.git': 'Git',
  'doctor.git-missing': 'not found',
  'doctor.sandbox': 'Sandbox',
  // {level}
  'doctor.level': 'checks run in: {level}',
  'doctor.level-open': 'checks run in: {level}, network open by configuration',
  'doctor.level-missing': 'checks cannot run: the configured sandbox does not work',
  'doctor.outside': 'agents and environment scripts run outside of it, with all your permissions',
  // {level, why, words}
  'doctor.hindrance': '{level}: {#why}[[ ({words})]]',
  // {which}
  'doctor.closed': 'stops: {which}',
  'doctor.open': 'DOES NOT STOP: {which}',
  'doctor.broken': 'BROKEN: {which}',
  'doctor.canary-write': 'writing in the working tree',
  'doctor.canary-exit': 'exit code',
  'doctor.canary-clean': 'a working tree without traces of the sandbox',
  'doctor.canary-outside': 'writing outside the working tree',
  'doctor.canary-git': 'writing into .git',
  'doctor.canary-network': 'network',
  'doctor.canary-processes': 'other processes',
  'doctor.canary-kernel': 'settings of the kernel',
  'doctor.config': 'Config',
  'doctor.agents': 'Agents',
  'doctor.ready': 'ready',
  'doctor.not-ready': 'not ready',
  // {inject, context, usage}
  'doctor.can': '{#inject} · {#context} · {#usage} · {#quota}',
  'doctor.hooks': 'Git hooks',
  // {names}
  'doctor.no-hooks':
    'do not run for commits of the harness: {names}. What they check belongs in testing.lint or testing.full.',
  'doctor.no-channel': 'No channel is configured under notify.',
  // {channel, why}
  'doctor.channel': '✓ notify.{channel}: a test message was sent',
  'doctor.channel-broken': '✗ notify.{channel}: {why}',
  'doctor.lock': 'Lock',
  'doctor.free': 'free',
  'doctor.fine': 'A run can start   → harness run',
  // {count}
  'doctor.ill': { one: '{count} problem prevents a run:', other: '{count} problems prevent a run:' },
} as const satisfies { readonly [key: string]: Phrase };
