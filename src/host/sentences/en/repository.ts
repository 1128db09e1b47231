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
    why: '[[{words}\n]]The work is committed here; nothing is lost.',
    mend: ['git pull --rebase', 'git push'],
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
