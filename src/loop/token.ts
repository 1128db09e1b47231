// Tokens name one intent on this machine; as file names they are cut and hashed, readable at the front, unique at the end.
import { sha256 } from '../host/files.ts';

/** The last parts of a token, as they can be in the name of a file. */
const readable = (token: string, parts: number): string =>
  token
    .split('/')
    .slice(-parts)
    .join('-')
    .replace(/[^\w.-]+/g, '_');

export const fileName = (token: string): string => `${readable(token, 3).slice(-60)}-${sha256(token).slice(0, 12)}`;

/** How the names of files begin that belong to actions of this one's machine. */
export const namesBelow = (token: string): string => `${readable(token, 2)}-`;

/**
 * What the processes of an action are found by: its token with the folder of this work tree. The token itself, which effects are known
 * by, keeps the folder that it was given in, and that may be another repository's: one that was copied has the same journals.
 */
export const processToken = ({ workspaceDir }: { readonly workspaceDir: string }, token: string): string =>
  token.replace(/^.*?#(?=[rcv]-)/s, `${workspaceDir}#`);
