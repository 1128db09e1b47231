// English: agents, their sessions, and the roles they are given.
import type { FailureSection } from '../shape.ts';

export const agents = {
  // {provider, missing, available, role, detail}
  'agent-not-configured': {
    title: 'The agent[[ {provider}]][[ for the role {role}]] is not configured[[: {#missing}]].',
    why: '[[{detail}]][[{message}]]',
    mend: ['Complete agents: in the configuration.', 'harness config check'],
  },
  // {provider or program, why, package, install, unless, where, detail}
  'agent-not-installed': {
    title: 'The agent[[ {provider}]][[ ({program})]] cannot be started.',
    why: '[[{#why}. ]][[({package}) ]][[{where} ]][[{detail}]][[{message}]]',
    mend: [
      '[[{install}]]',
      '[[or go without, in env: of the agent: {unless}]]',
      'Install it, or name another under agents: in the configuration.',
    ],
  },
  // {provider or program, detail or message}
  'agent-auth': {
    title: 'The agent[[ {provider}]][[ ({program})]] is not logged in.',
    why: '[[{detail}]][[{message}]]',
    mend: ['Log in with the agent’s own program or set its key, then: harness run'],
  },
  // {provider or program, detail or message}
  'agent-billing': {
    title: 'The account of the agent[[ {provider}]][[ ({program})]] has no credit left.',
    why: '[[{detail}]][[{message}]]',
    mend: ['Settle it with the provider; work done so far is saved.'],
  },
  // {provider, window, percent, retryAfterMs}
  'agent-quota-near': {
    title: 'Of the quota of the agent {provider} {percent} % are used ({window}).',
    why: 'No session is begun so near to its end (quota.begin_below).[[ The window begins anew in {retryAfterMs}.]]',
    mend: ['Wait for that, name another agent in agents.fallback, or raise quota.begin_below, then: harness run'],
  },
  // {provider or program, detail or message, retryAfterMs}
  'agent-rate-limited': {
    title: 'The agent[[ {provider}]][[ ({program})]] may make no more requests for now.',
    why: '[[It may ask again in {retryAfterMs}. ]][[{detail}]][[{message}]]',
    mend: ['Wait a little, then: harness run'],
  },
  // {provider or program, detail or message}
  'agent-overloaded': {
    title: 'The provider of the agent[[ {provider}]][[ ({program})]] is overloaded.',
    why: '[[{detail}]][[{message}]]',
    mend: ['Wait a little, then: harness run'],
  },
  // {provider or program, detail or message}
  'agent-network': {
    title: 'The agent[[ {provider}]][[ ({program})]] cannot reach its provider.',
    why: '[[{detail}]][[{message}]]',
    mend: ['See whether this machine has a network, then: harness run'],
  },
  // {provider or program, detail or message, limitMs}
  'agent-timeout': {
    title: 'The agent[[ {provider}]][[ ({program})]] did not answer in time[[ ({limitMs})]].',
    why: '[[{detail}]][[{message}]]',
    mend: ['Raise session.timeout_minutes or session.idle_seconds if the work needs longer.'],
  },
  // {provider or program, detail or message, what, expected, found, line}
  'agent-malformed': {
    title: 'The agent[[ {provider}]][[ ({program})]] sent something that cannot be understood.',
    why: '[[{#what}. ]][[Expected {expected}. ]][[Found {found}. ]][[Its first words: {line} ]][[{detail}]][[{message}]]',
    mend: ['See under agents: in the configuration that it is an agent of that protocol, and of a version that fits.'],
  },
  // {provider or program, detail or message, what}
  'agent-context-full': {
    title: 'The context window of the agent[[ {provider}]][[ ({program})]] is full.',
    why: '[[{#what}. ]][[{detail}]][[{message}]]',
    mend: ['Split the item: one item should fit into one session.'],
  },
  // {provider or program, detail or message, what}
  'agent-refused': {
    title: 'The agent[[ {provider}]][[ ({program})]] refused the task.',
    why: '[[{#what}. ]][[{detail}]][[{message}]]',
    mend: ['Read the item as the agent does, and word it differently.'],
  },
  // {provider or program, detail or message, code, signal, what, stderr}
  'agent-crashed': {
    title: 'The agent[[ {provider}]][[ ({program})]] ended unexpectedly[[ (exit code {code})]][[ ({signal})]].',
    why: '[[{#what}. ]][[{detail}]][[{message}]][[Its last words: {stderr}]]',
    mend: ['Its last steps are in .harness/sessions/, in the folder of the session. Mend it, then: harness run'],
  },
  // {provider or program, detail or message, code}
  'agent-unknown': {
    title: 'The agent[[ {provider}]][[ ({program})]] failed for a reason that is not known.',
    why: '[[{detail}]][[{message}]]',
    mend: ['Its last steps are in .harness/sessions/, in the folder of the session. Mend it, then: harness run'],
  },
  // {problem, what, causes}
  'scenario-invalid': {
    title: 'The scenario[[ {file}]] of the scripted agent is not valid.',
    why: '',
    mend: ['Correct the scenario; docs/scenarios.md has all steps.'],
  },
  // {problem}
  'scenario-mistake': {
    title: '{#problem}.',
    why: '',
    mend: ['Correct the scenario; docs/scenarios.md has all steps.'],
  },
  // {file, what}
  'cassette-invalid': {
    title: 'The cassette {file} cannot be played.',
    why: '[[{#what}.]]',
    mend: ['Take the file as it was recorded, or record again: harness run --record'],
  },
  // {what, file, command, session, turn, line, expected, found, path, because, detail, count}
  'replay-departed': {
    title: 'The replay is not the recorded run any more[[: {#what}]][[ (session {session}, turn {turn})]].',
    why: '[[Line {line} of it.]][[\nRecorded: {expected}]][[\nNow:      {found}]][[File: {path}. ]][[{#because}. ]][[{detail}]]',
    mend: ['Go back to what was recorded ({command}), or record again: harness run --record'],
  },
  // {playbook, role, file}
  'role-missing': {
    title: 'The playbook {playbook} has no role {role}: {file} does not exist.',
    why: '',
    mend: ['Use one of the playbook’s roles, or install the harness again if its prompts are gone.'],
  },
  // {playbook, role, file, detail}
  'role-invalid': {
    title: 'The role {role} of the playbook {playbook} cannot be used.',
    why: '{detail}',
    mend: ['Correct {file}; a role of your own can be removed to get the one that comes with the harness.'],
  },
  // {provider or program, detail or message, session, why}
  'agent-session-lost': {
    title: 'The session[[ {session}]] of the agent[[ {provider}]][[ ({program})]] cannot be taken up again.',
    why: '[[{#why}. ]][[{detail}]][[{message}]]',
    mend: ['Nothing: the work goes on in a fresh session.'],
  },
} as const satisfies FailureSection;
