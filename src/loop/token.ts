// Tokens name one intent on this machine; as file names they are cut and hashed, readable at the front, unique at the end.
import { sha256 } from '../host/files.ts';

export const fileName = (token: string): string =>
  `${token
    .split('/')
    .slice(-3)
    .join('-')
    .replace(/[^\w.-]+/g, '_')
    .slice(-60)}-${sha256(token).slice(0, 12)}`;
