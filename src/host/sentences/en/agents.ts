// English: agents, their sessions, and the roles they are given.
import type { FailureSection } from '../shape.ts';

export const agents = {
  // {provider, missing, available, role, detail}
  'agent-not-configured': {
    title: 'The agent[[ {provider}]][[ for the role {role}]] is not configured[[: {#missing}]].',
    why: '[[{detail}]][[{message}]]',
    fix: ['Complete the agents: section of the configuration.', 'harness config check'],
  },
  // {provider or program, why, package, install, unless, where, detail}
  'agent-not-installed': {
    title: 'The agent[[ {provider}]][[ ({program})]] cannot be started.',
    why: '[[{#why}. ]][[({package}) ]][[{where} ]][[{detail}]][[{message}]]',
    fix: [
      '[[{install}]]',
      '[[or do without it, under env: of the agent: {unless}]]',
      'Install it, or configure another one under agents:.',
    ],
  },
  // {program, page}
  'agent-not-addable': {
    title: 'The agent {program} cannot be installed with npm.',
    why: '',
    fix: ['Install it as its maker says: {page}', 'harness agents check {program}'],
  },
  // {program, package, command, words}
  'agent-not-added': {
    title: 'The agent {program} could not be installed ({package}).',
    why: 'npm says:\n{words}',
    fix: ['Fix the cause, then: harness agents add {program}', 'Another version: harness agents add {program}@VERSION'],
  },
  'agents-folder-missing': {
    title: 'There is no folder for agents: neither HOME nor XDG_DATA_HOME is set.',
    why: '',
    fix: ['HARNESS_AGENTS_DIR=DIR harness agents add NAME'],
  },
  // {provider or program, detail or message}
  'agent-auth': {
    title: 'The agent[[ {provider}]][[ ({program})]] is not logged in.',
    why: '[[{detail}]][[{message}]]',
    fix: ['Log in with the agent’s own program or set its API key, then: harness run'],
  },
  // {provider or program, detail or message}
  'agent-billing': {
    title: 'The account of the agent[[ {provider}]][[ ({program})]] has no credit left.',
    why: '[[{detail}]][[{message}]]',
    fix: ['Add credit at the provider; work done so far is saved.'],
  },
  // {provider, window, percent, retryAfterMs}
  'agent-quota-near': {
    title: 'The agent {provider} has used {percent} % of its quota ({window}).',
    why: 'No session starts this close to the limit (quota.begin_below).[[ It resets in {retryAfterMs}.]]',
    fix: ['Wait for the reset, add another agent to agents.fallback, or raise quota.begin_below, then: harness run'],
  },
  // {provider or program, detail or message, retryAfterMs}
  'agent-rate-limited': {
    title: 'The agent[[ {provider}]][[ ({program})]] is rate limited.',
    why: '[[Retry in {retryAfterMs}. ]][[{detail}]][[{message}]]',
    fix: ['Wait a while, then: harness run'],
  },
  // {provider or program, detail or message}
  'agent-overloaded': {
    title: 'The provider of the agent[[ {provider}]][[ ({program})]] is overloaded.',
    why: '[[{detail}]][[{message}]]',
    fix: ['Wait a while, then: harness run'],
  },
  // {provider or program, detail or message}
  'agent-network': {
    title: 'The agent[[ {provider}]][[ ({program})]] cannot reach its provider.',
    why: '[[{detail}]][[{message}]]',
    fix: ['Check the network connection, then: harness run'],
  },
  // {provider or program, detail or message, limitMs}
  'agent-timeout': {
    title: 'The agent[[ {provider}]][[ ({program})]] did not answer in time[[ ({limitMs})]].',
    why: '[[{detail}]][[{message}]]',
    fix: ['Raise session.timeout_minutes or session.idle_seconds if the work needs longer.'],
  },
  // {provider or program, detail or message, what, expected, found, line}
  'agent-malformed': {
    title: 'The agent[[ {provider}]][[ ({program})]] sent an invalid message.',
    why: '[[{#what}. ]][[Expected {expected}. ]][[Found {found}. ]][[It starts with: {line} ]][[{detail}]][[{message}]]',
    fix: ['Check under agents: that the agent speaks this protocol, in a supported version.'],
  },
  // {provider or program, detail or message, what}
  'agent-context-full': {
    title: 'The context window of the agent[[ {provider}]][[ ({program})]] is full.',
    why: '[[{#what}. ]][[{detail}]][[{message}]]',
    fix: ['Split the item: one item should fit into one session.'],
  },
  // {provider or program, detail or message, what}
  'agent-refused': {
    title: 'The agent[[ {provider}]][[ ({program})]] refused the task.',
    why: '[[{#what}. ]][[{detail}]][[{message}]]',
    fix: ['Reword the item.'],
  },
  // {provider or program, detail or message, code, signal, what, stderr}
  'agent-crashed': {
    title: 'The agent[[ {provider}]][[ ({program})]] ended unexpectedly[[ (exit code {code})]][[ ({signal})]].',
    why: '[[{#what}. ]][[{detail}]][[{message}]][[Last output: {stderr}]]',
    fix: ['The session’s folder in .harness/sessions/ has its last steps. Fix the cause, then: harness run'],
  },
  // {provider or program, detail or message, code, words, stderr}
  'agent-unknown': {
    title: 'The agent[[ {provider}]][[ ({program})]] failed for an unknown reason.',
    why: '[[{detail}]][[{message}]][[ It said last: {words}]][[ It printed: {stderr}]]',
    fix: ['The session’s folder in .harness/sessions/ has its last steps. Fix the cause, then: harness run'],
  },
  // {problem, what, causes}
  'scenario-invalid': {
    title: 'The scenario[[ {file}]] of the scripted agent is not valid.',
    why: '',
    fix: ['Correct the scenario; docs/scenarios.md lists all steps.'],
  },
  // {problem}
  'scenario-mistake': {
    title: '{#problem}.',
    why: '',
    fix: ['Correct the scenario; docs/scenarios.md lists all steps.'],
  },
  // {file, what}
  'cassette-invalid': {
    title: 'The cassette {file} cannot be replayed.',
    why: '[[{#what}.]]',
    fix: ['Restore the file as it was recorded, or record again: harness run --record'],
  },
  // {what, file, command, session, turn, line, expected, found, path, because, detail, count}
  'replay-departed': {
    title: 'The replay differs from the recorded run[[: {#what}]][[ (session {session}, turn {turn})]].',
    why: '[[At line {line}.]][[\nRecorded: {expected}]][[\nNow:      {found}]][[File: {path}. ]][[{#because}. ]][[{detail}]]',
    fix: ['Restore the recorded state ({command}), or record again: harness run --record'],
  },
  // {playbook, role, file}
  'role-missing': {
    title: 'The playbook {playbook} has no role {role}: {file} does not exist.',
    why: '',
    fix: ['Use one of the playbook’s roles, or reinstall the harness if its prompts are missing.'],
  },
  // {playbook, role, file, detail}
  'role-invalid': {
    title: 'The role {role} of the playbook {playbook} cannot be used.',
    why: '{detail}',
    fix: ['Correct {file}; removing a custom role restores the built-in one.'],
  },
  // {provider or program, detail or message, session, why}
  'agent-session-lost': {
    title: 'The session[[ {session}]] of the agent[[ {provider}]][[ ({program})]] cannot be resumed.',
    why: '[[{#why}. ]][[{detail}]][[{message}]]',
    fix: ['Nothing to do: the work continues in a new session.'],
  },
} as const satisfies FailureSection;
