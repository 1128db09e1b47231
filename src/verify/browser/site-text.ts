// What a role reads of one page of a site, and all the words of it, in which its quotes are looked for. Pure.
import type { LookedPage } from './look.ts';
import { seenText, type SeenForm } from './seen.ts';

/** Characters for one window of a page. */
const EACH = 5_000;
const MOST_LINKS = 40;
const MOST_FORMS = 10;

export function siteText(looks: readonly LookedPage[]): string {
  const [first] = looks;
  const forms = (first?.forms ?? []).slice(0, MOST_FORMS).map(formLine);
  const links = [...new Set((first?.links ?? []).flatMap(shortLink))];
  return [
    seenText(
      looks.map(({ seen }) => seen),
      EACH * Math.max(1, looks.length),
    ),
    ...(forms.length === 0 ? [] : [`Forms:\n${forms.join('\n')}`]),
    ...(links.length === 0
      ? []
      : [`Links to: ${links.slice(0, MOST_LINKS).join(' ')}${links.length > MOST_LINKS ? ' …' : ''}`]),
  ].join('\n');
}

/** Its path and query, or where it leads elsewhere its host. */
function shortLink(link: string): readonly string[] {
  if (!URL.canParse(link)) return [];
  const { protocol, pathname, search } = new URL(link);
  return /^https?:$/.test(protocol) ? [`${pathname}${search}`.slice(0, 200).replace(/[\s\p{C}]+/gu, '')] : [];
}

const formLine = ({ method, action, fields }: SeenForm): string =>
  `- ${method.toUpperCase()} ${action === '' ? 'this page' : action}: ${fields.map(fieldText).join('; ')}`;

const fieldText = ({ type, name, label, isRequired }: SeenForm['fields'][number]): string =>
  [type, label === '' ? '' : `"${label}"`, name === '' ? '' : `(${name})`, isRequired ? 'required' : '']
    .filter((part) => part !== '')
    .join(' ');

/** Every text that was seen of the page, in all its windows. */
export function wordsOf(looks: readonly LookedPage[]): readonly string[] {
  const words = looks.flatMap(({ seen, forms }) => [
    seen.title,
    seen.text,
    ...seen.elements.flatMap(({ role, name }) => [name, `${role} "${name}"`]),
    ...seen.consoleErrors,
    ...seen.failedRequests,
    ...seen.dialogs,
    ...forms.flatMap(({ fields }) => fields.flatMap(({ label, name }) => [label, name])),
    ...forms.map(formLine),
    ...(seen.status === null ? [] : [`status ${seen.status}`]),
  ]);
  return [...new Set(words.filter((text) => text !== ''))];
}
