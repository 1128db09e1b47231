// A report as one HTML file: no script, nothing loaded from elsewhere, dark and light. Every text is escaped.
import { entryOf } from '../../../model/entry.ts';
import type { Entry, ReportDocument, Section } from './document.ts';

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapedHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entryOf(ENTITIES, character) ?? '');

export const reportHtml = ({ lang, title, lead, pairs, sections }: ReportDocument): string => `<!doctype html>
<html lang="${escapedHtml(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapedHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>${escapedHtml(title)}</h1>
<p class="lead">${escapedHtml(lead)}</p>
<dl>
${pairs.map(([label, value]) => `<div><dt>${escapedHtml(label)}</dt><dd>${escapedHtml(value)}</dd></div>`).join('\n')}
</dl>
</header>
${sections.map(sectionHtml).join('\n')}
</main>
</body>
</html>
`;

const sectionHtml = ({ title, note, entries }: Section): string => `<section>
<h2>${escapedHtml(title)}</h2>${note === '' ? '' : `\n<p class="note">${escapedHtml(note)}</p>`}
${entries.map(entryHtml).join('\n')}
</section>`;

function entryHtml({ title, badges, facts, texts, commands }: Entry): string {
  const marks = badges.map(({ tone, text }) => ` <span class="badge ${tone}">${escapedHtml(text)}</span>`).join('');
  return [
    '<article>',
    `<h3>${escapedHtml(title)}</h3>`,
    ...(marks === '' ? [] : [`<p class="badges">${marks.trim()}</p>`]),
    ...(facts.length === 0 ? [] : [`<ul>${facts.map((fact) => `<li>${escapedHtml(fact)}</li>`).join('')}</ul>`]),
    ...texts.map((text) => `<blockquote>${escapedHtml(text)}</blockquote>`),
    ...commands.map(
      ({ command, about }) =>
        `<p class="command"><code>${escapedHtml(command)}</code>${about === '' ? '' : ` ${escapedHtml(about)}`}</p>`,
    ),
    '</article>',
  ].join('\n');
}

const STYLE = `
:root{color-scheme:light dark;--bg:#f8f9fb;--card:#fff;--line:#e3e6eb;--text:#1a1f27;--muted:#59636f;--sunk:#f1f3f6;
--good:#14713f;--good-soft:#dff4e7;--warn:#8a5600;--warn-soft:#fdf0d5;--bad:#b3261e;--bad-soft:#fce6e4}
@media(prefers-color-scheme:dark){:root{--bg:#0d1015;--card:#14181f;--line:#232a34;--text:#e5e9ef;--muted:#98a3b1;--sunk:#0f1319;
--good:#5fd393;--good-soft:#12301f;--warn:#f0b95c;--warn-soft:#33260d;--bad:#ff8f86;--bad-soft:#3a1815}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
main{max-width:56rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{font-size:1.5rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
.lead{font-size:1.1rem;margin:.25rem 0 1rem}
dl{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:0}
dt,.note{color:var(--muted)}
dt{font-size:.85rem}
dd{margin:0}
article{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;margin:.5rem 0}
.badges,.command{margin:.35rem 0}
.badge{display:inline-block;padding:0 .5rem;border-radius:1rem;font-size:.85rem;background:var(--sunk);color:var(--muted)}
.good{background:var(--good-soft);color:var(--good)}
.warn{background:var(--warn-soft);color:var(--warn)}
.bad{background:var(--bad-soft);color:var(--bad)}
ul{margin:.35rem 0;padding-left:1.2rem}
li,.command{overflow-wrap:anywhere}
blockquote{margin:.35rem 0;padding:.35rem .75rem;border-left:3px solid var(--line);background:var(--sunk);white-space:pre-wrap;overflow-wrap:anywhere}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em;background:var(--sunk);padding:.1rem .3rem;border-radius:.25rem}
@media print{body{background:#fff}article{break-inside:avoid}}
`;
