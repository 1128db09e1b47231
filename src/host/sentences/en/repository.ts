// English: the repository under change, and the lock on it.
import type { FailureSection } from '../shape.ts';

export const repository = {
  // {path, words}
  'not-a-repository': {
    title: '{path} is not in a git repository.',
    why: 'Work is saved, compared and rolled back with git.[[ git says: {words}]]',
    mend: ['git init', 'harness -C DIR …'],
  },
  // {path}
  'folder-missing': {
    title: 'There is no folder {path}.',
    why: '',
    mend: ['harness -C DIR …   (a folder in a git repository)'],
  },
  // {path}
  'bare-repository': {
    title: '{path} is a git repository without a work tree (bare).',
    why: 'Agents and tests need files to work on.',
    mend: ['git clone {path} DIR', 'harness -C DIR …'],
  },
  // {root}
  'no-commits': {
    title: 'The repository[[ {root}]] has no commit yet.',
    why: 'Without a first commit there is nothing to go back to.',
    mend: ['git add -A && git commit -m "first commit"'],
  },
  // {root, git}
  'two-repositories': {
    title: 'A session without git is under way in {root}, and {git} is a git repository.',
    why: 'The session keeps its work in .harness-engine; which of the two it belongs to cannot be told.',
    mend: [
      'mv {git}/.git {git}/.git-later   (and back, when the session is finished)',
      'rm -r {root}/.harness-engine {root}/.harness   (gives the session up, and begins anew with git)',
    ],
  },
  // {count, files}
  'dirty-tree': {
    title: {
      one: 'The working tree has {count} uncommitted file, so nothing was started.',
      other: 'The working tree has {count} uncommitted files, so nothing was started.',
    },
    why: '[[{files}\n]]The harness resets the tree when an attempt fails and would mix them with its own work.',
    mend: ['git stash', 'git commit', 'dirty_tree: stash   (in the configuration: stash them for me)'],
  },
  // {commit}
  'git-operation-open': {
    title: 'A git {operation} is not finished here, so nothing was started.',
    why: 'What the harness commits would become part of it.',
    mend: ['git {operation} --continue', 'git {operation} --abort'],
  },
  'detached-head': {
    title: 'No branch is checked out (HEAD is detached[[ at {commit}]]).',
    why: 'Accepted work would belong to no branch and be lost.',
    mend: ['git switch BRANCH', 'git switch -c NEW-BRANCH'],
  },
  // {command, exit, words}
  'git-failed': {
    title: 'git {command} failed[[ with exit code {exit}]].',
    why: '[[{words}]]',
    mend: ['Run it by hand to see more; nothing was changed after it failed.'],
  },
  // {needed, found}
  'git-missing': {
    title: 'git was not found[[, or is too old ({found})]].',
    why: '[[At least version {needed} is needed.]]',
    mend: ['Install git and see that it is in PATH.'],
  },
  // {command, words}
  'git-busy': {
    title: 'git is busy in this repository[[, so git {command} could not run]].',
    why: '[[{words}\n]]Another git process is at work, or one was ended in the middle.',
    mend: ['Wait for it. If no git process is running, remove the lock file.'],
  },
  // {path}
  'nested-repository': {
    title: '{path} is a git repository inside this one.',
    why: 'Its files belong to no commit of the outer repository, so they could be neither saved nor rolled back.',
    mend: ['Add it as a submodule, ignore it (.gitignore), or move it away.'],
  },
  // {remote, branch, words}
  'push-rejected': {
    title: 'The remote {remote} did not accept the push[[ of {branch}]].',
    why: '[[{words}\n]]It was tried twice. The work is committed here; nothing is lost, and the next landing pushes both.',
    mend: ['Look at what the remote says, then: git push'],
  },
  // {remote, branch, words}
  'push-unreachable': {
    title: 'The remote {remote} could not be reached for a push[[ of {branch}]].',
    why: '[[{words}\n]]It was tried twice. The work is committed here; nothing is lost, and the next landing pushes both.',
    mend: ['Check the network and your credentials, then: git push'],
  },
  // {remote, branch}
  'push-behind': {
    title: 'The remote {remote} has commits[[ on {branch}]] that are not here, so the push was refused.',
    why: 'The work is committed here; nothing is lost. The two were not brought together by themselves: nothing proves the whole (testing.full), files here are not as they were committed, or the remote moved on again.',
    mend: ['git pull --no-rebase', 'git push'],
  },
  // {remote, branch, count, files}
  'pull-conflict': {
    title: 'What is on {remote}[[ ({branch})]] and what landed here change the same lines[[: {files}]].',
    why: 'The work is committed here; nothing is lost, nothing was merged or pushed.',
    mend: ['git pull --no-rebase', 'Settle the conflicts and commit', 'git push'],
  },
  // {remote, branch, count, files}
  'pull-protected': {
    title: 'Commits on {remote}[[ ({branch})]] change what the harness goes by[[: {files}]].',
    why: 'Configuration, backlog, log and scripts come in by a person only. The work is committed here; nothing is lost, nothing was merged or pushed.',
    mend: ['git fetch, then git diff HEAD...FETCH_HEAD to see it', 'git pull --no-rebase', 'git push'],
  },
  // {remote, branch, tests, command, tail}
  'pull-failing': {
    title: 'What landed here does not hold together with what is on {remote}[[ ({branch})]].',
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]They were merged and checked as a whole, and that was undone: the branch is as it landed, the merge is kept as an attempt, nothing was pushed.',
    mend: ['git pull --no-rebase', 'Mend what fails and commit', 'git push'],
  },
  // {item, count, files}
  'unwind-conflict': {
    title:
      'The unfinished work on #{item} could not be taken back: what came after it changes the same lines[[: {files}]].',
    why: 'The item is left out; its provisional commits stand on the branch. Nothing was touched.',
    mend: ['git log --grep "^WIP" shows them', 'git revert <commit>, and settle the conflicts'],
  },
  // {item, tests, command, tail}
  'unwind-failing': {
    title: 'Without the unfinished work on #{item} tests fail that passed.',
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]It was taken back, checked, and put there again: something that landed rests on it, or it is broken with it as well.',
    mend: ['git log --grep "^WIP" shows its commits', 'Decide what of it stays'],
  },
  // {item}
  'unwind-not-clean': {
    title: 'The unfinished work on #{item} was not taken back: files here are not as they were committed.',
    why: 'Only a tree that is known byte for byte is changed. The item is left out; its provisional commits stand on the branch. Git before 2.38 cannot do this either.',
    mend: ['git status', 'git log --grep "^WIP" shows its commits, git revert takes one back'],
  },
  // {item}
  'unwind-unproved': {
    title: 'The unfinished work on #{item} was not taken back: no suite would show what rests on it.',
    why: 'testing.full is not configured. The item is left out; its provisional commits stand on the branch.',
    mend: ['Set testing.full', 'git log --grep "^WIP" shows its commits, git revert takes one back'],
  },
  // {pid, since, command, run}
  locked: {
    title: 'Another harness works in this repository (pid {pid}[[, since {since}]][[, {command}]]).',
    why: 'Two at once would overwrite each other.',
    mend: ['harness status', 'harness stop'],
  },
  // {root}
  'sparse-checkout': {
    title: '{root} is a sparse checkout.',
    why: 'Files that are not checked out can be neither proved nor saved.',
    mend: ['git sparse-checkout disable'],
  },
  // {expected, found}
  'restore-incomplete': {
    title: 'The working tree could not be brought back to the checkpoint[[ (tree {expected}, found {found})]].',
    why: 'Something keeps writing into it. What was there is kept as an attempt.',
    mend: ['End every program that writes into the repository, then: harness resume'],
  },
  // {path}
  'path-outside-repository': {
    title: '{path} is outside the repository.',
    why: 'The harness writes nowhere else.',
    mend: ['Name a path inside the repository.'],
  },
} as const satisfies FailureSection;
