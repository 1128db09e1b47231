// The text of a pull request of a landed item: what landed, how it was proved, where the evidence is. Markdown, from facts in git alone.
import type { Catalogue } from '../../host/catalogue.ts';
import { plainName } from './plain-name.ts';
import type { FoundLanding } from '../../verify/chain.ts';
import { evidenceRef } from '../../repos/evidence.ts';
import { EVIDENCE_TRAILER } from '../../repos/message.ts';
import type { LandedFacts } from '../evidence/landed-facts.ts';

export type BodyOf = {
  readonly item: string;
  readonly title: string;
  readonly landings: readonly { readonly landing: FoundLanding; readonly facts: LandedFacts }[];
  /** Some commits are not the landings themselves. */
  readonly isPicked: boolean;
};

export function pullBody({ item, title, landings, isPicked }: BodyOf, { text }: Catalogue): string {
  const newest = landings.at(-1);
  const manifest = newest?.facts.manifest ?? null;
  const strength = newest?.facts.strength ?? null;
  const proof = manifest?.schema === 2 ? manifest.proof : null;
  const what = landings.map(({ landing: { commit }, facts: { diff } }) =>
    diff === null ? text('pr.landing-bare', { commit }) : text('pr.landing', { commit, ...diff }),
  );
  const names = (all: readonly string[] | undefined): string => (all ?? []).map(plainName).join(', ');
  const proved = [
    ...(strength === null
      ? []
      : [text(`proof.${strength}`, { held: names(proof?.held), notPossible: names(proof?.notPossible) })]),
    ...(manifest?.verdict.checks ?? []).map(({ command, exit, tests }) =>
      text('pr.ran', {
        command: command.replace(/\s+/g, ' ').replaceAll('`', "'"),
        exit: exit ?? '-',
        tests: tests === null ? '' : text('evidence.tests', { passed: tests.passed, total: tests.total }),
      }),
    ),
    ...(manifest === null ? [] : [text('pr.sandbox', { level: plainName(manifest.verdict.sandbox) })]),
    ...(manifest === null || manifest.verdict.warnings.length === 0
      ? []
      : [text('pr.warnings', { count: manifest.verdict.warnings.length })]),
    ...(manifest?.decisions ?? []).map(({ by, subject, option }) =>
      text('pr.decision', { by: plainName(by), subject: plainName(subject), option: plainName(option) }),
    ),
  ];
  const hash = newest?.landing.trailers[EVIDENCE_TRAILER] ?? '';
  const evidence = [
    manifest === null ? text('pr.no-bundle') : text('pr.bundle', { ref: evidenceRef(item), hash }),
    text('pr.verify', { item }),
    ...(isPicked ? [text('pr.picked')] : []),
  ];
  const trailers = Object.entries(newest?.landing.trailers ?? {}).filter(([name]) => SHOWN.has(name));
  return [
    text('pr.about', { item, title: plainName(title) }),
    section(text('pr.what'), what),
    section(text('pr.proof'), proved),
    section(text('pr.evidence'), evidence),
    trailers.map(([name, value]) => `${name}: ${value}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const SHOWN = new Set(['Harness-Item', 'Harness-Run', 'Harness-Session', 'Harness-Proof', EVIDENCE_TRAILER]);

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `### ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
