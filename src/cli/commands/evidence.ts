// `harness evidence`: shows, verifies and exports the evidence of landed items. Takes no lock, needs no configuration.
import { resolve } from 'node:path';
import { exportEvidence } from '../../app/evidence/export.ts';
import { openRerunPlace, rerun, type RerunReport } from '../../app/evidence/rerun.ts';
import { fetchHere, openSource, type Source } from '../../app/evidence/source.ts';
import { verifyEvidence, type EvidenceVerification } from '../../app/evidence/verify.ts';
import { brokenAnswer, bundleAnswer, shownEvidence } from '../../app/operations/proof.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { textOf, type Answer, type CommandCall, type CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { rerunJson, showBundle, showBundles, showRerun, showVerified } from '../show/evidence.ts';
import { narrator } from '../show/narrator.ts';
import { parseSubcommand } from '../subcommand.ts';

export const evidence: CommandSpec = {
  name: 'evidence',
  args: '[show|verify|export] [item]',
  options: [
    { flags: '--all', about: 'verify: every bundle, and that none is missing' },
    {
      flags: '--rerun',
      about: 'verify: run the recorded commands again, on what was checked, in a clean checkout and a box',
    },
    {
      flags: '--prepare <command>',
      about: 'verify --rerun: a command to prepare it instead of installing packages, with network access',
    },
    { flags: '--from <file>', about: 'read an exported file instead of the repository' },
    { flags: '--to <file>', about: 'export: the file to write, a git bundle' },
    {
      flags: '--fetch [remote]',
      about: "fetch it from origin first: git fetch origin 'refs/harness/evidence/*:refs/harness/evidence/*'",
    },
  ],
  examples: [
    'harness evidence show 12',
    'harness evidence verify --all',
    'harness evidence export 12 --to 12.bundle',
    'harness evidence verify --from 12.bundle --rerun',
  ],
  async run(call) {
    const part = parseSubcommand(
      'evidence',
      call.args,
      { show: ['ITEM?'], verify: ['ITEM?'], export: ['ITEM'] },
      'show',
    );
    if (!part.ok) return part;
    const { caller } = call;
    const from = textOf(call, 'from');
    const source = await openSource({ repo: caller.repo, from: from === null ? null : resolve(caller.cwd, from) });
    if (!source.ok) return source;
    try {
      const remote = call.options['fetch'] === true ? 'origin' : textOf(call, 'fetch');
      const fetched = remote === null || from !== null ? ok(undefined) : await fetchHere(source.value, remote);
      if (!fetched.ok) return fetched;
      const item = part.value.words[0]?.replace(/^#/, '') ?? null;
      switch (part.value.name) {
        case 'show':
          return await show(call, source.value, item);
        case 'verify':
          return await verify(call, source.value, item);
        case 'export':
          return await exported(call, source.value, item ?? '');
      }
    } finally {
      source.value.close();
    }
  },
};

async function show({ caller }: CommandCall, source: Source, item: string | null): Promise<Result<Answer>> {
  const shown = await shownEvidence(source, item);
  if (!shown.ok) return shown;
  const { bundles, broken } = shown.value.detail;
  const one = item === null ? undefined : bundles.at(-1);
  return ok({
    exit: broken === null ? EXIT.done : EXIT.verification,
    json: shown.value.answer,
    lines: one === undefined || broken !== null ? showBundles(bundles, broken, caller) : showBundle(one, caller),
  });
}

async function verify(call: CommandCall, source: Source, word: string | null): Promise<Result<Answer>> {
  const hint = 'harness evidence --help';
  const isAll = call.options['all'] === true;
  if (isAll && word !== null) return err(failure('usage', { what: "'--all' and an item exclude each other", hint }));
  const verified = await verifyEvidence(source, word);
  if (!verified.ok) return verified;
  const { broken, bundles, outside, notLooked } = verified.value;
  // An exported file contains one item.
  const last = bundles.at(-1)?.checked;
  const wanted = word === null && source.file === null ? bundles.map(({ checked }) => checked) : last ? [last] : [];
  const again: { readonly item: string; readonly rerun: RerunReport }[] = [];
  if (broken === null && call.options['rerun'] === true) {
    const place = openRerunPlace(textOf(call, 'prepare'), narrator(call.caller));
    try {
      for (const checked of wanted) {
        const ran = await rerun(source, checked, place);
        if (!ran.ok) return ran;
        again.push({ item: checked.manifest.item, rerun: ran.value });
      }
    } finally {
      place.close();
    }
  }
  const holds = broken === null && again.every((one) => one.rerun.holds);
  return ok({
    exit: holds ? EXIT.done : EXIT.verification,
    json: {
      holds,
      broken: brokenAnswer(broken),
      bundles: bundles.map(({ checked, landing }) => bundleAnswer(checked, landing?.commit ?? null)),
      not_in_history: [...outside],
      not_looked: [...notLooked],
      rerun: again.length === 0 ? null : again.map(({ item, rerun: ran }) => ({ item, ...rerunJson(ran) })),
    },
    lines: [
      ...showVerified(verified.value, call.caller),
      ...again.flatMap(({ item, rerun: ran }) => showRerun(item, ran, call.caller)),
    ],
  });
}

async function exported(call: CommandCall, source: Source, item: string): Promise<Result<Answer>> {
  const { caller } = call;
  const to = textOf(call, 'to');
  if (to === null)
    return err(
      failure('usage', { what: 'the file to write is missing', hint: `harness evidence export ${item} --to FILE` }),
    );
  const verified = await verifyEvidence(source, item);
  if (!verified.ok) return verified;
  const own = verified.value.bundles.at(-1);
  const landing = own?.landing ?? null;
  if (verified.value.broken !== null || own === undefined || landing === null) return ok(refused(verified.value, call));
  const written = await exportEvidence(source, item, { ...own, landing }, resolve(caller.cwd, to));
  if (!written.ok) return written;
  const { file, bytes } = written.value;
  const { text } = caller.catalogue;
  return ok({
    exit: EXIT.done,
    json: { file, bytes, bundle: bundleAnswer(own.checked, landing.commit) },
    lines: [text('evidence.exported', { file }), `→ ${text('evidence.export-how', { file: to })}`],
  });
}

/** Evidence that fails verification is not exported. */
const refused = (verified: EvidenceVerification, { caller }: CommandCall): Answer => ({
  exit: EXIT.verification,
  json: { file: null, bytes: 0, broken: brokenAnswer(verified.broken) },
  lines: showVerified(verified, caller),
});
