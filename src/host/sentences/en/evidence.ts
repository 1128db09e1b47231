// English: evidence bundles, their contents, and breaks in their chain.
import type { FailureSection } from '../shape.ts';

export const evidence = {
  // {ref}
  'evidence-broken': {
    title: 'The evidence chain cannot be read ({ref}).',
    why: 'A new link would hide the break, so nothing lands until a person has investigated.',
    fix: [
      'harness evidence verify --all',
      'Restore the refs from a clone, or remove them deliberately: git update-ref -d {ref}',
    ],
  },
  // {item, known}
  'evidence-unknown': {
    title: 'There is no evidence of item {item} here.',
    why: '[[There is evidence of: {known}.]]',
    fix: ['harness evidence show', 'In a clone, fetch it first: harness evidence show --fetch'],
  },
  // {file, words}
  'evidence-unreadable': {
    title: 'No evidence can be read from {file}.',
    why: '[[{words}]]',
    fix: ['Request the file again: harness evidence export ITEM --to FILE'],
  },
  // {refspec}
  'evidence-not-here': {
    title: 'There is no evidence here yet.',
    why: 'Evidence bundles are kept under separate refs, which git clone and git fetch do not copy.',
    fix: ["git fetch origin '{refspec}'", 'harness evidence verify --all --fetch'],
  },
  // {file, option}
  'file-exists': {
    title: 'The file {file} already exists.',
    why: 'Existing files are never overwritten.',
    fix: ['Name another file[[: {option} FILE]]'],
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
  'evidence.first': 'the first in the chain',
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
  'evidence.mismatches': 'What the agent showed differs from what was observed:',
  'evidence.warnings': 'Warnings of the checks:',
  // {number, became, session, attempt, why}
  'evidence.attempt': 'attempt {number}, session {session}: {#became}[[: {why}]][[ ({attempt})]]',
  // {role, session}
  'evidence.review': 'judged by {role}, session {session}:',
  // {id, verdict, path, quote}
  'evidence.assertion': '{id} {verdict}[[ ({path}: {quote})]]',
  // {count, folders}
  'evidence.files': { one: '{count} file', other: '{count} files' },
  // {path, bytes}
  'evidence.left-out': 'left out, too large: {path} ({bytes} bytes)',
  // {item}
  'evidence.how': 'verify again:    harness evidence verify {item} --rerun',
  // {ref}
  'evidence.look': 'read it:         git show {ref}:manifest.json',
  // {count}
  'evidence.holds': {
    one: 'Valid: {count} bundle, all hashes match.',
    other: 'Valid: {count} bundles, all hashes match.',
  },
  // {item, commit}
  'evidence.held': '#{item} landed with {commit}',
  // {item, commit}
  'evidence.held-older': '#{item} landed with {commit} (older proof: claim and checked tree are not compared)',
  // {item, commit}
  'evidence.outside': '#{item} is not in the history of the branches here[[; it landed with {commit}]]',
  // {claim}
  'evidence.claim.flip': 'done because the list says so: the item changes from open to done',
  'evidence.claim.command': 'done because the commands of the item passed',
  'evidence.claim.gate': 'done because of the answer at a gate',
  'evidence.claim.person': 'done because a person says so',
  'evidence.older': 'older proof (schema 1): claim and checked tree are not compared',
  // {held}
  'evidence.proof.tests': 'proved by a report of the tests: {held}',
  'evidence.proof.exit-code': 'proved by exit codes only: {held}',
  'evidence.proof.person': 'proved by a person only[[: {held}]]',
  // {names}
  'evidence.not-possible': 'not possible: {names}',
  // {item}
  'evidence.broken': 'The evidence is not valid. First broken link, item {item}:',
  // {file}
  'evidence.file': '  in     {file}',
  // {expected}
  'evidence.expected': '  wanted {expected}',
  // {found}
  'evidence.found': '  found  {found}',
  // {what}
  'evidence.not-looked': 'not checked: {#what}',
  'evidence.limits':
    'Limits of this proof: anyone with write access to this repository can rewrite the whole chain with new hashes. Compare with a hash that you kept, or with pushed commits:',
  // {hash}
  'evidence.keep': '  sha256:{hash}',
  // {file, bytes}
  'evidence.exported': 'Written: {file}',
  // {file}
  'evidence.export-how': 'anyone can check it:  harness evidence verify --from {file}',
  'evidence.rerun-holds': 'Rerun in a clean checkout (sandbox: {sandbox}): the same tests pass.',
  'evidence.rerun-broken': 'The rerun[[ in a clean checkout (sandbox: {sandbox})]] gave a different result:',
  // {check}
  'evidence.rerun-masked': '  {check}: its command contained a secret, which is masked, so it cannot be rerun',
  // {check, expected, found}
  'evidence.rerun-exit': '  {check}: exit {found}, recorded {expected}',
  // {check, count}
  'evidence.rerun-tests': { one: '  {count} test that passed fails:', other: '  {count} tests that passed fail:' },
  'evidence.rerun-nothing': '  nothing to run: a person verified it',
  'evidence.break.object-unreadable': 'an object of the bundle is damaged or missing',
  'evidence.break.manifest-missing': 'the bundle has no manifest',
  'evidence.break.manifest-unreadable': 'the manifest cannot be read',
  'evidence.break.file-missing': 'a file that the manifest names is not in the bundle',
  'evidence.break.file-unlisted': 'a file is in the bundle that the manifest does not name',
  'evidence.break.file-changed': 'a file differs from the manifest',
  'evidence.break.checks-differ': 'the stored checks differ from those of the verdict',
  'evidence.break.previous-differs': 'the previous bundle is not the one it names',
  'evidence.break.session-twice': 'one session is used for two items',
  'evidence.break.item-differs': 'the bundle belongs to another item',
  'evidence.break.ref-differs': 'the ref of the item names a different bundle than the chain',
  'evidence.break.landing-missing': 'no commit in this history has the hash of the manifest',
  'evidence.break.landing-hash-differs': 'the landing commit has a different hash than the manifest',
  'evidence.break.landing-tree-differs': 'the tree of the landing commit is not the verified one',
  'evidence.break.landing-parent-differs': 'the landing commit has a different parent',
  'evidence.break.landing-item-differs': 'the landing commit belongs to another item, session or run',
  'evidence.break.diff-differs': 'the stored diff is not the one that landed',
  'evidence.break.claim-not-made': 'the landing does not change the item from open to done',
  'evidence.break.claim-differs': 'the stored claim differs from the list in the landed tree and its parent',
  'evidence.break.list-differs': 'the landing changes more of the list than the item',
  'evidence.break.log-rewritten': 'the landing changes entries of the progress log that were there before',
  'evidence.break.checked-tree-differs': 'what landed is not what was checked',
  'evidence.break.landing-elsewhere': 'the landing commit is not in the history of any branch here',
  'evidence.break.proof-older': 'the bundle has an older schema than the one before it',
  'evidence.break.journal-differs': 'the journal line differs from the one the bundle was made with',
  'evidence.break.bundle-missing': 'a landing commit names a bundle that is not in the chain',
} as const;
