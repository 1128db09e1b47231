// English: the repository under change, and the lock on it.
import type { FailureSection } from '../shape.ts';

export const repository = {
  // {path, words}
  'not-a-repository': {
    title: '{path} is not in a git repository.',
    why: 'Work is saved, compared and rolled back with git.[[ git says: {words}]]',
    fix: ['git init', 'harness -C DIR …'],
  },
  // {root, path}
  'repository-of-another': {
    title: 'The repository {root} belongs to another user.',
    why: 'Git does not trust it, since its configuration can start programs.',
    fix: ['git config --global --add safe.directory {path}   (if you trust it)'],
  },
  // {path}
  'folder-missing': {
    title: 'The folder {path} does not exist.',
    why: '',
    fix: ['harness -C DIR …   (a folder in a git repository)'],
  },
  // {path, root}
  'harness-own-folder': {
    title: '{path} is a folder of the harness itself.',
    why: 'It is written over by every run: it belongs to the project {root}, where state, list and branch are.',
    fix: ['cd {root}', 'harness -C {root} …'],
  },
  // {path}
  'bare-repository': {
    title: '{path} is a git repository without a work tree (bare).',
    why: 'Agents and tests need files to work on.',
    fix: ['git clone {path} DIR', 'harness -C DIR …'],
  },
  // {branch, commit}
  'run-branch-gone': {
    title: 'The branch {branch}, which an item at work lands on, does not exist any more.',
    why: 'Nothing is lost: its last commit and the unfinished work are still here.',
    fix: ['[[git branch {branch} {commit}   (brings it back)]]', 'harness run'],
  },
  // {branch, from, files, count}
  'run-branch-conflict': {
    title: '{from} and {branch}, which is not merged yet, conflict: {files}.',
    why: 'The next run begins with both, and only you know which of them is right.',
    fix: [
      'git merge {branch}   (solve the conflict, then: harness run)',
      'git branch -D {branch}   (gives up what is on it)',
    ],
  },
  'run-branch-late': {
    title: 'An item is under way that was begun before land: branch was set, and would land on the current branch.',
    why: '',
    fix: ['land: commit   (until it has ended)', 'harness abort   (keeps its work as an attempt)'],
  },
  // {branch}
  'run-branch-unmerged': {
    title: 'What you have here cannot be verified together with {branch}, which is not merged.',
    why: 'takeback proves the files of your work tree, and the list that counts is on that branch.',
    fix: ['git merge {branch}', 'git branch -D {branch}   (gives up what is on it)'],
  },
  // {root}
  'no-commits': {
    title: 'The repository[[ {root}]] has no commit yet.',
    why: 'Without a first commit there is nothing to roll back to.',
    fix: ['git add -A && git commit --allow-empty -m "first commit"'],
  },
  // {root, git}
  'two-repositories': {
    title: 'A session without git is in progress in {root}, but {git} is a git repository.',
    why: 'The session keeps its work in .harness-engine; it is unclear which of the two applies.',
    fix: [
      'mv {git}/.git {git}/.git-later   (and back, when the session is finished)',
      'rm -r {root}/.harness-engine {root}/.harness   (discards the session and starts over with git)',
    ],
  },
  // {count, files}
  'dirty-tree': {
    title: {
      one: 'The working tree has {count} uncommitted file, so nothing was started.',
      other: 'The working tree has {count} uncommitted files, so nothing was started.',
    },
    why: '[[{files}\n]]The harness resets the working tree when an attempt fails, and would mix these files with its own work.',
    fix: [
      'git stash push -u -- {paths}',
      'git add -- {paths} && git commit -m "my work"',
      'dirty_tree: stash   (in the configuration: stash them automatically)',
    ],
  },
  // {commit}
  'git-operation-open': {
    title: 'A git {operation} is not finished here, so nothing was started.',
    why: 'The harness’s commits would become part of it.',
    fix: ['git {operation} --continue', 'git {operation} --abort'],
  },
  'detached-head': {
    title: 'No branch is checked out (HEAD is detached[[ at {commit}]]).',
    why: 'Accepted work would belong to no branch and be lost.',
    fix: ['git switch BRANCH', 'git switch -c NEW-BRANCH'],
  },
  // {command, exit, words}
  'git-failed': {
    title: 'git {command} failed[[ with exit code {exit}]].',
    why: '[[{words}]]',
    fix: ['Run it by hand for details; nothing was changed after it failed.'],
  },
  // {needed, found}
  'git-missing': {
    title: 'git was not found[[, or is too old ({found})]].',
    why: '[[At least version {needed} is needed.]]',
    fix: ['Install git and make sure that it is in PATH.'],
  },
  // {command, words}
  'git-busy': {
    title: 'git is busy in this repository[[, so git {command} could not run]].',
    why: '[[{words}\n]]Another git process is running, or one was interrupted.',
    fix: ['Wait for it. If no git process is running, remove the lock file.'],
  },
  // {path}
  'nested-repository': {
    title: '{path} is a git repository inside this one.',
    why: 'Its files are in no commit of the outer repository, so they can be neither saved nor rolled back.',
    fix: ['Add it as a submodule, ignore it (.gitignore), or move it away.'],
  },
  // {remote, branch, words}
  'push-rejected': {
    title: 'The remote {remote} rejected the push[[ of {branch}]].',
    why: '[[{words}\n]]It was tried twice. The work is committed here; nothing is lost, and the next landing pushes both.',
    fix: ['Check the message of the remote, then: git push'],
  },
  // {remote, branch, words}
  'push-unreachable': {
    title: 'The remote {remote} could not be reached for a push[[ of {branch}]].',
    why: '[[{words}\n]]It was tried twice. The work is committed here; nothing is lost, and the next landing pushes both.',
    fix: ['Check the network and your credentials, then: git push'],
  },
  // {remote, branch}
  'push-behind': {
    title: 'The remote {remote} has commits[[ on {branch}]] that are missing here, so the push was refused.',
    why: 'The work is committed here; nothing is lost. They were not merged automatically: no test suite checks the result (testing.full), the working tree is not clean, or the remote has changed again.',
    fix: ['git pull --no-rebase', 'git push'],
  },
  // {remote, branch, count, files}
  'pull-conflict': {
    title: 'The commits on {remote}[[ ({branch})]] and the work landed here change the same lines[[: {files}]].',
    why: 'The work is committed here; nothing is lost, and nothing was merged or pushed.',
    fix: ['git pull --no-rebase', 'Resolve the conflicts and commit', 'git push'],
  },
  // {remote, branch, count, files}
  'pull-protected': {
    title: 'Commits on {remote}[[ ({branch})]] change files that control the harness[[: {files}]].',
    why: 'Changes of configuration, backlog, log and scripts are merged by people only. The work is committed here; nothing is lost, and nothing was merged or pushed.',
    fix: ['git fetch, then git diff HEAD...FETCH_HEAD   (shows them)', 'git pull --no-rebase', 'git push'],
  },
  // {remote, branch, tests, command, tail}
  'pull-failing': {
    title: 'The work landed here fails the checks when merged with {remote}[[ ({branch})]].',
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]They were merged, checked as a whole, and the merge was undone: the branch is as it landed, the merge is kept as an attempt, nothing was pushed.',
    fix: ['git pull --no-rebase', 'Fix what fails and commit', 'git push'],
  },
  // {item, count, files}
  'unwind-conflict': {
    title: 'The unfinished work on #{item} could not be reverted: later commits change the same lines[[: {files}]].',
    why: 'The item is skipped; its provisional commits stay on the branch. Nothing was changed.',
    fix: ['git log --grep "^WIP"   (shows them)', 'git revert <commit>, and resolve the conflicts'],
  },
  // {item, tests, command, tail}
  'unwind-failing': {
    title: 'Without the unfinished work on #{item}, tests fail that passed before.',
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]It was reverted, checked, and restored: landed work depends on it, or the tests fail with it as well.',
    fix: ['git log --grep "^WIP"   (shows its commits)', 'Decide what to keep'],
  },
  // {item}
  'unwind-not-clean': {
    title: 'The unfinished work on #{item} was not reverted: the working tree is not clean.',
    why: 'Only a clean working tree is changed. The item is skipped; its provisional commits stay on the branch. This also needs git 2.38 or later.',
    fix: ['git status', 'git log --grep "^WIP"   (shows its commits; git revert reverts one)'],
  },
  // {item}
  'unwind-unproved': {
    title: 'The unfinished work on #{item} was not reverted: no test suite would show what depends on it.',
    why: 'testing.full is not configured. The item is skipped; its provisional commits stay on the branch.',
    fix: ['Set testing.full', 'git log --grep "^WIP"   (shows its commits; git revert reverts one)'],
  },
  // {pid, since, command, run}
  locked: {
    title: 'Another harness is running in this repository (pid {pid}[[, since {since}]][[, {command}]]).',
    why: 'Two at the same time would overwrite each other.',
    fix: ['harness status', 'harness stop'],
  },
  // {root}
  'sparse-checkout': {
    title: '{root} is a sparse checkout.',
    why: 'Files that are not checked out can be neither verified nor saved.',
    fix: ['git sparse-checkout disable'],
  },
  // {expected, found}
  'restore-incomplete': {
    title: 'The working tree could not be restored to the checkpoint[[ (tree {expected}, found {found})]].',
    why: 'Something keeps writing into it. Its previous content is kept as an attempt.',
    fix: ['End every program that writes into the repository, then: harness resume'],
  },
  // {path}
  'path-outside-repository': {
    title: '{path} is outside the repository.',
    why: 'The harness writes only inside the repository.',
    fix: ['Name a path inside the repository.'],
  },
} as const satisfies FailureSection;
