// English: agents, their sessions, and the roles they are given.
import type { FailureSection } from '../shape.ts';

export const agents = {
  // {role}
  'agent-not-configured': {
    title: 'No agent is configured[[ for the role {role}]].',
    why: '',
    mend: ['Set agents.default.provider in the configuration.', 'harness doctor'],
  },
  // {provider, detail}
  'agent-not-installed': {
    title: 'The agent {provider} is not installed.',
    why: '[[{detail}]]',
    mend: ['harness doctor   (says how to install it)'],
  },
  // {provider, detail}
  'agent-auth': {
    title: 'The agent {provider} is not logged in.',
    why: '[[{detail}]]',
    mend: ['Log in with the agent’s own program or set its key, then: harness doctor'],
  },
  // {provider, detail}
  'agent-billing': {
    title: 'The account of {provider} has no credit left.',
    why: '[[{detail}]]',
    mend: ['Settle it with the provider; work done so far is saved.'],
  },
  // {provider, retryMs, detail}
  'agent-rate-limited': {
    title: '{provider} takes no more requests for now.',
    why: '[[It may be asked again in {retryMs}. ]][[{detail}]]',
    mend: ['Wait; the harness tries again by itself.'],
  },
  // {provider, detail}
  'agent-overloaded': {
    title: '{provider} is overloaded.',
    why: '[[{detail}]]',
    mend: ['Wait; the harness tries again by itself.'],
  },
  // {provider, detail}
  'agent-network': {
    title: '{provider} cannot be reached.',
    why: '[[{detail}]]',
    mend: ['See whether this machine has a network; the harness tries again by itself.'],
  },
  // {provider, limitMs, detail}
  'agent-timeout': {
    title: 'The agent {provider} did not answer in time[[ ({limitMs})]].',
    why: '[[{detail}]]',
    mend: ['Raise session.timeout_minutes or session.idle_seconds if the work needs longer.'],
  },
  // {provider, detail}
  'agent-malformed': {
    title: 'The agent {provider} sent something that is not its protocol.',
    why: '[[{detail}]]',
    mend: ['harness doctor   (names the versions that are known to work)'],
  },
  // {provider, detail}
  'agent-context-full': {
    title: 'The context window of {provider} is full.',
    why: '[[{detail}]]',
    mend: ['Split the item: one item should fit into one session.'],
  },
  // {provider, detail}
  'agent-refused': {
    title: 'The agent {provider} refused the task.',
    why: '[[{detail}]]',
    mend: ['Read the item as the agent does, and word it differently.'],
  },
  // {provider, exit, tail}
  'agent-crashed': {
    title: 'The agent {provider} ended unexpectedly[[ (exit code {exit})]].',
    why: '[[{tail}]]',
    mend: ['The session’s transcript shows its last steps: harness logs'],
  },
  // {provider, detail}
  'agent-unknown': {
    title: 'The agent {provider} failed for a reason that is not known.',
    why: '[[{detail}]]',
    mend: ['The session’s transcript shows its last steps: harness logs'],
  },
  // {file, detail}
  'scenario-invalid': {
    title: 'The scenario {file} of the scripted agent has a mistake.',
    why: '{detail}',
    mend: ['Correct the scenario.'],
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
} as const satisfies FailureSection;
