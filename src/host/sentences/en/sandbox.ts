// English: the sandbox, and the screen that says whether a run could start.
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const sandbox = {
  // {level, why, words}
  'sandbox-unusable': {
    title: 'The sandbox {level} does not hold here: {#why}.',
    why: '[[{words}\n]]It was asked for by name, so nothing is run without it.',
    mend: [
      'harness doctor   (shows what holds, and what is in the way)',
      'apt install bubblewrap',
      'npm install -g @anthropic-ai/sandbox-runtime   (for the level srt; on Linux it needs bubblewrap and socat)',
      'On Ubuntu 24.04 and later: sysctl kernel.apparmor_restrict_unprivileged_userns=0',
      'sandbox: { level: auto }   (the strongest that holds)',
    ],
  },
  // {why, words}
  'sandbox-missing': {
    title: 'This machine has no sandbox: {#why}.',
    why: '[[{words}\n]]What agents write would run for hours with all your rights, and nobody watches.',
    mend: [
      'apt install bubblewrap',
      'On Ubuntu 24.04 and later: sysctl kernel.apparmor_restrict_unprivileged_userns=0',
      'harness run --until-done --i-accept-unsandboxed',
      'sandbox: { level: none }   (always without)',
    ],
  },
} as const satisfies FailureSection;

export const doctor = {
  // {level, why}
  'say.unsandboxed': 'No sandbox: what agents write runs with all your rights ({#why})   → harness doctor',
  'say.half-sandboxed':
    'Only processes are closed in; files and network are open to what agents write ({#why})   → harness doctor',
  'say.only-checks-sandboxed':
    'Checks run in sandbox-runtime; agents and environment scripts run with all your rights ({#why})   → harness doctor',
  'doctor.program': 'Program',
  // {harness, node}
  'doctor.versions': 'harness {harness}, Node {node}',
  'doctor.git': 'Git',
  'doctor.git-missing': 'not found',
  'doctor.sandbox': 'Sandbox',
  // {level}
  'doctor.level': 'checks run in: {level}',
  'doctor.level-open': 'checks run in: {level}, network open by configuration',
  'doctor.level-missing': 'checks cannot run: what is configured does not hold',
  'doctor.outside': 'agents and environment scripts run outside of it, with all your rights',
  // {level, why, words}
  'doctor.hindrance': '{level}: {#why}[[ ({words})]]',
  // {which}
  'doctor.closed': 'stops: {which}',
  'doctor.open': 'DOES NOT STOP: {which}',
  'doctor.broken': 'BROKEN: {which}',
  'doctor.canary-write': 'writing in the work tree',
  'doctor.canary-exit': 'exit code',
  'doctor.canary-clean': 'a work tree with nothing of the box in it',
  'doctor.canary-outside': 'writing outside the work tree',
  'doctor.canary-git': 'writing into .git',
  'doctor.canary-network': 'network',
  'doctor.canary-processes': 'other processes',
  'doctor.config': 'Config',
  'doctor.agents': 'Agents',
  'doctor.ready': 'ready',
  'doctor.not-ready': 'not ready',
  // {inject, context, usage}
  'doctor.can': '{#inject} · {#context} · {#usage} · {#quota}',
  'doctor.lock': 'Lock',
  'doctor.free': 'free',
  'doctor.fine': 'A run can start   → harness run',
  // {count}
  'doctor.ill': { one: '{count} thing keeps a run from starting:', other: '{count} things keep a run from starting:' },
} as const satisfies { readonly [key: string]: Phrase };
