// English: evidence bundles, what they hold and where a chain of them breaks.
import type { FailureSection } from '../shape.ts';

export const evidence = {
  // {ref}
  'evidence-broken': {
    title: 'The chain of evidence cannot be read ({ref}).',
    why: 'A new link would hide the break, so nothing lands before a person has looked.',
    mend: [
      'harness evidence verify --all',
      'Bring the refs back from a clone, or remove them knowingly: git update-ref -d {ref}',
    ],
  },
  // {item, known}
  'evidence-unknown': {
    title: 'There is no evidence of item {item} here.',
    why: '[[There is evidence of: {known}.]]',
    mend: ['harness evidence show', 'On a clone, bring it here first: harness evidence show --fetch'],
  },
  // {file, words}
  'evidence-unreadable': {
    title: 'No evidence can be read from {file}.',
    why: '[[{words}]]',
    mend: ['Ask for the file again: harness evidence export ITEM --to FILE'],
  },
  // {refspec}
  'evidence-not-here': {
    title: 'There is no evidence here yet.',
    why: 'Bundles live under refs of their own, which git clone and git fetch leave out.',
    mend: ["git fetch origin '{refspec}'", 'harness evidence verify --all --fetch'],
  },
  // {file}
  'file-exists': {
    title: 'There is a file {file} already.',
    why: 'Nothing that lies there is written over.',
    mend: ['Name another: --to FILE'],
  },
} as const satisfies FailureSection;

export const evidenceScreens = {
  // {item, title}
  'evidence.item': '#{item} {title}',
  // {session, run, from, to}
  'evidence.session': 'session {session} of run {run}, {from} to {to}',
  // {tree, parent}
  'evidence.tree': 'landed tree {tree} on {parent}',
  // {hash}
  'evidence.hash': 'manifest sha256:{hash}',
  // {previous, item}
  'evidence.previous': 'after #{item}, sha256:{previous}',
  'evidence.first': 'the first of the chain',
  // {provider, model, role, turns, calls}
  'evidence.agent': 'agent {provider}[[ {model}]], role {role}, {turns} turns, {calls} tool calls',
  // {command, exit}
  'evidence.check': '$ {command}   exit {exit}',
  // {passed, total}
  'evidence.tests': '{passed} of {total} tests passed',
  // {level}
  'evidence.sandbox': 'run in the sandbox level: {level}',
  'evidence.sandbox-none': 'run without a sandbox',
  // {by, subject, option}
  'evidence.decision': 'decided by {by}: {subject} → {option}',
  'evidence.mismatches': 'What the agent showed is not what was observed:',
  'evidence.warnings': 'Warnings of the checks:',
  // {count, folders}
  'evidence.files': { one: '{count} file', other: '{count} files' },
  // {path, bytes}
  'evidence.left-out': 'left out, too large: {path} ({bytes} bytes)',
  // {item}
  'evidence.how': 'prove it again:  harness evidence verify {item} --rerun',
  // {ref}
  'evidence.look': 'read it:         git show {ref}:manifest.json',
  // {count}
  'evidence.holds': { one: 'It holds: {count} bundle, every hash.', other: 'They hold: {count} bundles, every hash.' },
  // {item, commit}
  'evidence.held': '#{item} landed with {commit}',
  // {item}
  'evidence.broken': 'The evidence does not hold. The first broken link, item {item}:',
  // {file}
  'evidence.file': '  in     {file}',
  // {expected}
  'evidence.expected': '  wanted {expected}',
  // {found}
  'evidence.found': '  found  {found}',
  // {what}
  'evidence.not-looked': 'not looked at: {#what}',
  'evidence.limits':
    'What this cannot prove: who can write this repository can write the whole chain anew, with fresh hashes. Compare with a hash that you kept, or with commits that were pushed:',
  // {hash}
  'evidence.keep': '  sha256:{hash}',
  // {file, bytes}
  'evidence.exported': 'Written: {file}',
  // {file}
  'evidence.export-how': 'anyone can check it:  harness evidence verify --from {file}',
  'evidence.rerun-holds': 'Run again: the same tests pass.',
  'evidence.rerun-broken': 'Run again, it does not hold:',
  // {check}
  'evidence.rerun-masked': '  {check}: its command held a secret, which is masked, so it cannot be run again',
  // {check, expected, found}
  'evidence.rerun-exit': '  {check}: exit {found}, recorded was {expected}',
  // {check, count}
  'evidence.rerun-tests': { one: '  {count} test that passed does not:', other: '  {count} tests that passed do not:' },
  'evidence.rerun-nothing': '  there is nothing to run: a person verified it',
  'evidence.break.object-unreadable': 'an object of the bundle is damaged or missing',
  'evidence.break.manifest-missing': 'the bundle has no manifest',
  'evidence.break.manifest-unreadable': 'the manifest cannot be read',
  'evidence.break.file-missing': 'a file that the manifest names is not in the bundle',
  'evidence.break.file-unlisted': 'a file is in the bundle that the manifest does not name',
  'evidence.break.file-changed': 'a file is not what the manifest says',
  'evidence.break.checks-differ': 'the kept checks are not those of the verdict',
  'evidence.break.previous-differs': 'the bundle before it is not the one that it names',
  'evidence.break.session-twice': 'one session stands for two items',
  'evidence.break.item-differs': 'the bundle is that of another item',
  'evidence.break.ref-differs': 'the ref of the item names another bundle than the chain does',
  'evidence.break.landing-missing': 'no commit of this history carries the hash of the manifest',
  'evidence.break.landing-hash-differs': 'the landing commit carries another hash than the manifest has',
  'evidence.break.landing-tree-differs': 'the tree of the landing commit is not the one that was proved',
  'evidence.break.landing-parent-differs': 'the landing commit stands on another commit than it did',
  'evidence.break.landing-item-differs': 'the landing commit is that of another item, session or run',
  'evidence.break.diff-differs': 'the difference that is shown is not the one that landed',
  'evidence.break.journal-differs': 'the journal has another line than the one that the bundle was made under',
  'evidence.break.bundle-missing': 'a landing commit names a bundle that is not in the chain',
} as const;
