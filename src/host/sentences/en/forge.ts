// English: the place where code is reviewed, and pull requests of landed items.
import type { FailureSection } from '../shape.ts';

export const forge = {
  'forge-not-configured': {
    title: 'No forge is configured, so there is no place for a pull request.',
    why: 'A forge is GitHub, or the git remote itself: then pull requests are files in it.',
    fix: ['In .harness.yaml: forge: { kind: github }', 'In .harness.yaml: forge: { kind: local, ci: "npm test" }'],
  },
  // {remote}
  'forge-remote-missing': {
    title: 'There is no git remote called {remote}.',
    why: 'The branch of a pull request is pushed to it.',
    fix: ['git remote add {remote} URL', 'In .harness.yaml: forge: { remote: NAME }   (another one)'],
  },
  // {remote, branch}
  'forge-base-missing': {
    title: 'The remote {remote} has no branch {branch}.',
    why: 'A pull request is made against it.',
    fix: ['git push {remote} HEAD:{branch}', 'In .harness.yaml: forge: { base_branch: NAME }   (another one)'],
  },
  // {remote, url}
  'forge-repository-unknown': {
    title: 'It is not known which repository on GitHub is meant.',
    why: 'The remote {remote} is {url}, which is no address of GitHub.',
    fix: ['In .harness.yaml: forge: { repository: owner/name, api_url: "https://api.github.com" }'],
  },
  // {url}
  'forge-address-unsafe': {
    title: 'The address {url} is not used.',
    why: 'A token is sent over https only, or to this machine.',
    fix: ['In .harness.yaml: forge: { api_url: "https://…" }'],
  },
  // {host, words}
  'forge-not-logged-in': {
    title: 'You are not logged in to {host}.',
    why: '[[It says: {words}. ]]The token is that of GH_TOKEN or GITHUB_TOKEN, else the one of gh; for a server other than github.com it counts only if GH_HOST or GITHUB_API_URL names the server.',
    fix: ['gh auth login --hostname {host}', 'export GH_TOKEN=…'],
  },
  // {what, words}
  'forge-forbidden': {
    title: 'The forge does not allow this: {what}.',
    why: '[[It says: {words}]]',
    fix: ['Use a token that may write contents, pull requests and issues of the repository.'],
  },
  // {what}
  'forge-not-found': {
    title: 'The forge does not know {what}.',
    why: 'It does not exist, or the token may not see it.',
    fix: ['Compare the name of the repository, and what the token may see.'],
  },
  // {what, words}
  'forge-conflict': {
    title: 'The forge refused a change that others overtook: {what}.',
    why: '[[It says: {words}]]',
    fix: ['Try again.'],
  },
  // {what, words}
  'forge-refused': {
    title: 'The forge did not accept this: {what}.',
    why: '[[It says: {words}]]',
    fix: ['Correct what it names, then try again.'],
  },
  // {host, until, words}
  'forge-rate-limited': {
    title: '{host} takes no more requests until {until}.',
    why: '[[It says: {words}]]',
    fix: ['Try again after {until}; what is done so far stays.'],
  },
  // {host, status, words}
  'forge-failing': {
    title: '{host} does not work at the moment (status {status}).',
    why: '[[It says: {words}]]',
    fix: ['Try again later; what is done so far stays.'],
  },
  // {host, words}
  'forge-unreachable': {
    title: '{host} cannot be reached.',
    why: '[[{words}]]',
    fix: ['Check the network, then try again; what is done so far stays.'],
  },
  // {what, words}
  'forge-answer-unknown': {
    title: 'The answer of the forge is not understood: {what}.',
    why: '[[{words}. ]]Nothing is concluded from it.',
    fix: ['Check the address in forge.api_url, and whether there is a newer version of harness.'],
  },
  // {what}
  'forge-not-visible': {
    title: 'The forge does not show yet what it has accepted: {what}.',
    why: 'It shows new things with a delay.',
    fix: ['Try again; nothing is made twice.'],
  },
  // {url}
  'forge-busy': {
    title: 'The pull requests in {url} were changed by others again and again.',
    why: 'A change counts only on top of all others.',
    fix: ['Try again.'],
  },
  // {file, ref, words}
  'forge-record-unreadable': {
    title: '{file} on {ref} of the remote cannot be read.',
    why: '[[{words}. ]]A record that is not understood is never replaced.',
    fix: [
      'git fetch origin {ref} && git show FETCH_HEAD:{file}',
      'Correct it there, or use a newer version of harness.',
    ],
  },
  // {number, url, line}
  'forge-pull-of-another': {
    title: 'The branch has a pull request already that harness did not open: {url}.',
    why: 'What others wrote is not replaced.',
    fix: ['Add "{line}" as the last line of its text to give it to harness.', 'Or close it.'],
  },
  // {number, expected, found}
  'forge-head-moved': {
    title: 'Pull request #{number} is not what was looked at.',
    why: 'Its branch is at {found}, not at {expected}.',
    fix: ['Look at it again.'],
  },
  // {number, words}
  'forge-not-mergeable': {
    title: 'Pull request #{number} cannot be merged.',
    why: '[[{words}]]',
    fix: ['Bring its branch up to date, or reopen it if it was closed.'],
  },
  // {branch, here}
  'forge-base-elsewhere': {
    title: 'The run is not on {branch}, the branch that pull requests go to.',
    why: '[[It is on {here}. ]]A plan is merged there, in a work tree of its own, and the branch here follows.',
    fix: [
      'git switch {branch}',
      'In .harness.yaml: isolation: worktree',
      'In .harness.yaml: forge: { base_branch: NAME }   (another one)',
    ],
  },
  // {branch, remote}
  'forge-base-ahead': {
    title: 'The branch {branch} has commits that {remote} does not have.',
    why: 'Work is merged into {branch} of {remote}, and the branch here follows it.',
    fix: ['git push {remote} {branch}', 'git pull --rebase {remote} {branch}   (if both have new commits)'],
  },
  // {file, branch}
  'forge-file-missing': {
    title: '{file} is not on {branch} of the remote.',
    why: 'It is moved there once its work is merged.',
    fix: ['Push the commit with the file, then: harness run'],
  },
  'forge-checks-pending': {
    title: 'The checks of the pull request have not ended yet.',
    why: 'They run on the forge.',
    fix: ['Wait for them, then: harness run'],
  },
  // {item}
  'pr-not-landed': {
    title: 'Item {item} has not landed on this branch.',
    why: 'A pull request is made of the commits that landed it, with their evidence.',
    fix: ['harness run {item}', 'harness show {item}', 'git switch BRANCH   (where it landed)'],
  },
  // {cause}
  'issues-not-synced': {
    title: 'The issues do not follow the list: {cause}',
    why: 'The configuration wants that a run stops then (github.on_sync_failure: fail). What was done so far stays.',
    fix: ['Correct the cause, then: harness github sync', 'In .harness.yaml: github: { on_sync_failure: warn }'],
  },
  'issues-off': {
    title: 'The items have no issues.',
    why: 'The configuration turns neither the mirror nor the backlog of issues on.',
    fix: ['In .harness.yaml: github: { repo: owner/name }', 'In .harness.yaml: backlog: github'],
  },
  // {item, url}
  'pr-merged': {
    title: 'Item {item} has been merged already: {url}.',
    why: 'It has no newer landing.',
    fix: ['harness evidence show {item}'],
  },
  // {item, branch, remote}
  'pr-on-base': {
    title: 'Item {item} is on {branch} of {remote} already.',
    why: 'Landed work was pushed there, so there is nothing to review.',
    fix: [
      'In .harness.yaml: push: { remote: null }   (before the run, so that work is reviewed first)',
      'git switch -c work   (run there: its landings go to the branch of that name)',
    ],
  },
  // {item, commit, branch, files, count}
  'pr-conflict': {
    title: 'Item {item} does not fit on {branch} by itself.',
    why: 'Its landing {commit} conflicts in {files}: it builds on work that is not on {branch} yet.',
    fix: ['Open and merge the pull requests of the items before it first, then: harness pr {item}'],
  },
  // {branch, commit, url}
  'pr-branch-edited': {
    title: 'The branch {branch} has commits of others.',
    why: 'It is at {commit}. Nothing of theirs is overwritten.',
    fix: ['Merge or close its pull request first, and delete the branch.'],
  },
} as const satisfies FailureSection;

export const forgeScreens = {
  // Of the text of an issue.
  // {item, title}
  'issue.about': 'Item {item}: {title}',
  // {proof}
  'issue.proof': 'Proved by `{proof}`.',
  // {items}
  'issue.depends': 'Depends on {items}',
  'issue.mirror':
    'harness keeps this issue: it closes it once the item has landed with its proof. If you close it, it stays closed, and the item stays on the list.',
  // {item, title}
  'issue.done': 'Item {item} is done: {title}',
  // {by, reason}
  'issue.decided': '{by} decided that it is done, without a proof: {reason}',
  // {item}
  'issue.broken':
    'Item {item} failed its checks after it had landed. It is open again, and this issue is closed when it has landed again.',
  // {number}
  'issue.closed-by-person': 'Issue #{number} was closed by a person.',
  // {item}
  'issue.reopened':
    'This was reopened, and its item is done: below is what that rests on. If it is not: `harness override {item} --passes false --reason "…"` puts the item back to work, and this issue is closed when it has landed again. For something else a new issue is better.',
  // Of `harness github sync` and of a run.
  // {item, number, url}
  'issues.create': 'Item {item}: issue #{number} was created: {url}',
  'issues.close': 'Item {item} is done: issue #{number} is closed with its evidence.',
  'issues.explain':
    'Item {item} is done, and issue #{number} was reopened: a comment there says what the item rests on.',
  'issues.reopen': 'Item {item} is broken again: issue #{number} is open again.',
  'issues.report':
    'Issue #{number} was closed by a person, and item {item} has not landed: the issue stays closed, the item open.',
  'issues.skip': 'Issue #{number} was closed by a person: item {item} is left out.',
  // {number, title}
  'issues.add': 'Issue #{number} becomes an item: {title}',
  // {item, number, title}
  'issues.retitle': 'Item {item} has the new title of issue #{number}: {title}',
  // {number, on}
  'issues.wait': 'Issue #{number} waits: it depends on {on}, which is no item.',
  // {number, words}
  'issues.refuse': 'Issue #{number} cannot be an item: {words}',
  'issues.queued': 'The list follows once the live run or session is between two items.',
  'issues.nothing': 'Items and issues agree.',
  // {cause}
  'issues.failed': 'The issues do not follow the list: {cause}',
  // {item, number, url}
  'proposal.opened': '  Item {item} is proposed: pull request #{number}, {url}',
  'proposal.merged': 'Pull request #{number} is merged: item {item} has landed.',
  'proposal.unproved':
    'Pull request #{number} is merged in another form than item {item} was proved in, and the list does not say that it is done: it begins again.',
  'proposal.closed':
    'Pull request #{number} of item {item} was closed without a merge: reopen it, or harness skip {item}. {url}',
  // {item, number, count}
  'proposal.open': {
    one: 'Pull request #{number} of item {item} has {count} comment: the next session of the item answers it.',
    other: 'Pull request #{number} of item {item} has {count} comments: the next session of the item answers them.',
  },
  // {number, item, checks}
  'proposal.red':
    'The checks of pull request #{number} of item {item} failed ({checks}): the next session of the item repairs it.',
  'proposal.hidden':
    'The forge does not show the checks of pull request #{number} of item {item} to this account: if they fail, nothing here follows from it.',
  // {number, url, item}
  'pr.opened': 'Pull request #{number} for item {item} is open: {url}',
  'pr.updated': 'Pull request #{number} for item {item} is brought up to date: {url}',
  'pr.unchanged': 'Pull request #{number} for item {item} is as it should be: {url}',
  // {branch, base, commit}
  'pr.branch': '  {branch} at {commit}, against {base}',
  // {name, state}
  'pr.check': '  {name}: {state}',
  'pr.check-passed': 'passed',
  'pr.check-failed': 'failed',
  'pr.check-pending': 'not finished',
  'pr.is-merged': '  merged; the next run takes it: harness run',
  'pr.is-closed': '  closed without a merge',
  // {count, item}
  'pr.asked': {
    one: '  {count} comment or failed check, which the next session answers: harness run {item}',
    other: '  {count} comments or failed checks, which the next session answers: harness run {item}',
  },
  'pr.no-checks': '  no checks yet',
  // Of the text of a pull request.
  // {item, title}
  'pr.about': 'Item {item}: {title}',
  'pr.what': 'What landed',
  // {commit, files, added, removed}
  'pr.landing': '`{commit}`: {files} files, +{added} −{removed}',
  // {commit}
  'pr.landing-bare': '`{commit}`',
  'pr.proof': 'How it was proved',
  // {command, exit, tests}
  'pr.ran': '`{command}`: exit {exit}[[, {tests}]]',
  // {level}
  'pr.sandbox': 'Sandbox: {level}',
  // {count}
  'pr.warnings': { one: '{count} warning', other: '{count} warnings' },
  // {by, subject, option}
  'pr.decision': 'Decided by {by}: {subject}, {option}',
  'pr.evidence': 'Evidence',
  // {ref, hash}
  'pr.bundle': '`{ref}`, manifest `{hash}`',
  'pr.no-bundle': 'The evidence bundle is not in this repository.',
  // {item}
  'pr.verify': 'To check it where it landed: `harness evidence verify {item}`',
  'pr.picked': 'The commits are those that landed, picked onto the base branch; the evidence names the originals.',
} as const;
