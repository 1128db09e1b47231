// The claims of a mission, for those who trace them: each with its assertion, and the sentence of the specification that it comes from.
import type { Claim, Claims } from '../../engine/backlog.ts';
import { readContract, type ContractAssertion } from './contract.ts';
import { CONTRACT, SPEC } from './paths.ts';
import { readMission, type MissionFile } from './schema.ts';

export const claims: Claims = {
  files: (text) => [CONTRACT, specOf(missionIn(text))],
  read(text, texts) {
    const mission = missionIn(text);
    const { assertions } = readContract(texts[CONTRACT] ?? '');
    const spec = { file: specOf(mission), text: texts[specOf(mission)] ?? '' };
    const assertionOf = (id: string): Pick<Claim, 'assertion' | 'spec'> => {
      const one = assertions.find((assertion) => assertion.id === id);
      if (one === undefined) return { assertion: null, spec: null };
      return { assertion: { text: one.text, file: CONTRACT, line: one.line }, spec: quotedFrom(one, spec) };
    };
    const features = mission?.features ?? [];
    const claimed = features.flatMap((feature) => feature.claims.map((id) => ({ id, item: feature.id })));
    const ids = new Set(claimed.map(({ id }) => id));
    const open = assertions.filter(({ id }) => !ids.has(id)).map(({ id }) => ({ id, item: null }));
    return [...claimed, ...open].map((one) => ({ ...one, ...assertionOf(one.id) }));
  },
};

function missionIn(text: string): MissionFile | null {
  const read = readMission(text, '', { allowCycles: true });
  return read.ok ? read.value : null;
}

const specOf = (mission: MissionFile | null): string => mission?.spec ?? SPEC;

/** `> A sentence of the specification.` or `Spec: "…"`, below the assertion. */
const QUOTE = /^(?:>\s*|(?:spec|specification|quote)\s*:\s*)["'“„»]?(.+?)["'”“«]?$/i;

function quotedFrom(
  { details }: ContractAssertion,
  spec: { readonly file: string; readonly text: string },
): Claim['spec'] {
  const lines = details.split('\n').flatMap((line) => QUOTE.exec(line)?.[1] ?? []);
  if (lines.length === 0) return null;
  const text = lines.join(' ').replace(/\s+/g, ' ').trim();
  return { text, file: spec.file, line: lineOf(spec.text, text) };
}

/** The line in which the sentence begins, whatever the white space and line breaks; null: it is not there. */
export function lineOf(text: string, sentence: string): number | null {
  const wanted = sentence.replace(/\s+/g, '');
  if (wanted === '') return null;
  let plain = '';
  const lines: number[] = [];
  for (const [n, line] of text.split('\n').entries()) {
    const bare = line.replace(/\s+/g, '');
    plain += bare;
    for (let k = 0; k < bare.length; k += 1) lines.push(n + 1);
  }
  const at = plain.indexOf(wanted);
  return at < 0 ? null : (lines[at] ?? null);
}
