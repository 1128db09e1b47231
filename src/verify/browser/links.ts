// The links and forms of a page, read from a world that its scripts cannot change.
import { z } from 'zod';
import type { PageOfBrowser } from './cdp.ts';
import { cleanedLine, MOST_LISTED, type SeenForm } from './seen.ts';

/** `links`: whole addresses. */
export type PageLinks = { readonly links: readonly string[]; readonly forms: readonly SeenForm[] };
export const NO_LINKS: PageLinks = { links: [], forms: [] };

const linked = z.object({
  result: z.object({
    value: z.object({
      links: z.array(z.string()),
      forms: z.array(
        z.object({
          method: z.string(),
          action: z.string(),
          fields: z.array(z.object({ type: z.string(), name: z.string(), label: z.string(), isRequired: z.boolean() })),
        }),
      ),
    }),
  }),
});
/** With functions of the prototypes: a form can have a field that is called `action`, a document an image that is called `querySelectorAll`. */
const LINKS = `(() => {
  const most = ${MOST_LISTED};
  const all = (from, what) => [...(from instanceof Document ? Document : Element).prototype.querySelectorAll.call(from, what)].slice(0, most);
  const value = (of, name) => String(Element.prototype.getAttribute.call(of, name) ?? '').slice(0, 1000);
  const labelOf = (field) => {
    const own = [...(field.labels ?? [])].map((one) => String(one.innerText ?? '')).join(' ');
    return (own || value(field, 'aria-label') || value(field, 'placeholder')).slice(0, 1000);
  };
  return {
    links: all(document, 'a[href], area[href]').map((one) => String(one.href).slice(0, 2000)),
    forms: all(document, 'form').slice(0, 20).map((form) => ({
      method: value(form, 'method') || 'get',
      action: value(form, 'action'),
      fields: all(form, 'input:not([type=hidden]), select, textarea, button').slice(0, 50).map((field) => ({
        type: value(field, 'type') || (field.localName === 'input' ? 'text' : field.localName),
        name: value(field, 'name'),
        label: field.localName === 'button' ? String(field.innerText ?? '').slice(0, 1000) : labelOf(field),
        isRequired: Element.prototype.hasAttribute.call(field, 'required'),
      })),
    })),
  };
})()`;

export async function linksOf(page: PageOfBrowser, contextId: number): Promise<PageLinks> {
  const expression = { expression: LINKS, contextId, returnByValue: true };
  const found = (await page.ask(linked, 'Runtime.evaluate', expression))?.result.value;
  if (!found) return NO_LINKS;
  const forms = found.forms.map(({ method, action, fields }) => ({
    method: cleanedLine(method),
    action: cleanedLine(action),
    fields: fields.map((field) => ({
      type: cleanedLine(field.type),
      name: cleanedLine(field.name),
      label: cleanedLine(field.label),
      isRequired: field.isRequired,
    })),
  }));
  return { links: found.links, forms };
}
