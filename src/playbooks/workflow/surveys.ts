// What the loop and the machine of a workflow ask of the work tree, by name.
import type { Survey } from '../../engine/playbook.ts';
import { failing, patch, verdict } from './papers.ts';
import { bounds, ignored, left, strayed, todos } from './leavings.ts';
import { conventions, docsPath, language, lies, next, place } from './standing.ts';

const nothing: Survey = () => Promise.resolve({});

export const surveys = {
  next,
  lies,
  conventions,
  left,
  bounds,
  strayed,
  todos,
  'failing-files': failing,
  patch,
  'docs-path': docsPath,
  ignored,
  verdict,
  place,
  language,
  nothing,
} as const satisfies { readonly [name: string]: Survey };
