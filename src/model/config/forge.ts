// The keys of the place where code is reviewed: GitHub, or pull requests as files in the remote itself.
import * as z from 'zod/mini';
import { choice, commandOrNone, described, section, TEXT, textOr } from './values.ts';

const orNone = (description: string) => described(z._default(z.nullable(TEXT), null), description);

export const forge = section('Where code is reviewed.', {
  kind: choice(
    '`none`: nowhere. `github`: GitHub or GitHub Enterprise. `local`: pull requests are files on a ref of the remote, which can be any bare repository.',
    ['none', 'local', 'github'],
    'none',
  ),
  remote: textOr('origin', 'Git remote that branches of pull requests are pushed to.'),
  baseBranch: textOr('main', 'Branch that pull requests go to.'),
  ci: commandOrNone('Shell line that checks a pull request of a local forge, in a clean checkout and the sandbox.'),
  repository: orNone('GitHub: `owner/name` of the repository; `null`: from the address of the remote.'),
  apiUrl: orNone('GitHub Enterprise: address of the API; `null`: from the address of the remote.'),
});
