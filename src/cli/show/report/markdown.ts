// A report as Markdown. Every text in it may be an agent's: characters that Markdown or HTML would act upon are escaped.
import { entryOf } from '../../../model/entry.ts';
import type { Entry, ReportDocument } from './document.ts';

export const reportMarkdown = ({ title, lead, pairs, sections }: ReportDocument): string =>
  [
    `# ${escaped(title)}`,
    '',
    `**${escaped(lead)}**`,
    '',
    ...pairs.map(([label, value]) => `- ${escaped(label)}: ${escaped(value)}`),
    ...sections.flatMap(({ title: head, note, entries }) => [
      '',
      `## ${escaped(head)}`,
      ...(note === '' ? [] : ['', escaped(note)]),
      ...entries.flatMap(entryLines),
    ]),
    '',
  ].join('\n');

function entryLines({ title, badges, facts, texts, commands }: Entry): readonly string[] {
  return [
    '',
    `### ${escaped(title)}`,
    ...(badges.length === 0 ? [] : ['', badges.map(({ text }) => `**${escaped(text)}**`).join(' · ')]),
    ...(facts.length === 0 ? [] : ['', ...facts.map((fact) => `- ${escaped(fact)}`)]),
    ...texts.flatMap((text) => ['', ...text.split('\n').map((line) => `> ${escaped(line)}  `.trimEnd())]),
    ...(commands.length === 0 ? [] : ['', ...commands.map(commandLine)]),
  ];
}

const commandLine = ({ command, about }: Entry['commands'][number]): string =>
  `- ${code(command)}${about === '' ? '' : ` ${escaped(about)}`}`;

const ENTITIES: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Spaces at the beginning would make a block of code. */
export const escaped = (text: string): string =>
  text
    .trim()
    .replace(/[&<>]/g, (character) => entryOf(ENTITIES, character) ?? '')
    .replace(/[\\`*_{}[\]#|~!]/g, String.raw`\$&`)
    .replace(/^([-+=])/, String.raw`\$1`)
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`)
    // An address would become a link.
    .replace(/(https?|ftp|mailto):/gi, '$1&#58;')
    .replace(/www\./gi, 'www&#46;')
    .replace(/@/g, '&#64;');

/** In as many backticks as it takes. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}
