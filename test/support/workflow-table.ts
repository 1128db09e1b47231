// The table of transitions as Markdown, for people: one section for each phase, one line for each row.
import { gateOf, phaseOf, STAGE_NAMES, STAGES } from '../../src/playbooks/workflow/table/stages.ts';
import { TRANSITIONS, type Row } from '../../src/playbooks/workflow/table/transitions.ts';

const code = (text: string): string => `\`${text}\``;
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const HEAD = ['in', 'comes', 'when', 'goes to', 'writes'];

function cells({ from, on, when = [], to, set = [], why }: Row): readonly string[] {
  const phase =
    to === 'refused' || phaseOf(to) === phaseOf(from) || phaseOf(to) === null ? [] : [`phase: ${phaseOf(to)}`];
  const goal =
    to === 'refused' ? 'refused, the option is hidden' : `${code(to)}${why === undefined ? '' : ` (${why})`}`;
  return [code(from), code(on), when.join(' · '), goal, [...phase, ...set].join(' · ')];
}

const waitsFor = (stage: (typeof STAGE_NAMES)[number]): string => {
  const gate = gateOf(stage);
  const row: object = STAGES[stage];
  return gate === null ? String((row as { wants?: string }).wants) : `an answer at the gate ${gate}`;
};

export function tableText(): string {
  const phases = [...new Set(STAGE_NAMES.map(phaseOf))];
  return phases
    .flatMap((phase) => {
      const stages = STAGE_NAMES.filter((stage) => phaseOf(stage) === phase);
      const rows = TRANSITIONS.filter(({ from }) => stages.includes(from));
      return [
        `## ${phase ?? 'ends'}`,
        '',
        ...stages.map((stage) => `- ${code(stage)} waits for ${waitsFor(stage)}`),
        '',
        ...(rows.length === 0
          ? []
          : [line(HEAD), line(HEAD.map(() => '---')), ...rows.map((row) => line(cells(row))), '']),
      ];
    })
    .join('\n');
}
