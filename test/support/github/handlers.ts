// What the stand-in for GitHub answers, by the operation of GitHub's own description. The examples of the description are the rest of each answer.
import type { Bare } from './repository.ts';
import type { Labelled, Said, State, StoredIssue, StoredPull } from './state.ts';

export type Asked = {
  readonly params: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string | undefined };
  readonly body: { readonly [name: string]: unknown };
};
export type Reply = readonly [status: number, body: unknown, headers?: { readonly [name: string]: string }];
/** An example of the answer to an operation, from the description. */
export type Example = (operation: string, status: number) => { readonly [name: string]: unknown };
export type Handler = (asked: Asked) => Reply;

const NOT_FOUND: Reply = [
  404,
  { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
];
const invalid = (message: string): Reply => [
  422,
  {
    message: 'Validation Failed',
    errors: [{ resource: 'PullRequest', code: 'custom', message }],
    documentation_url: 'https://docs.github.com/rest',
  },
];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const labelOf = (name: string, id: number) => ({
  id,
  node_id: `L${id}`,
  url: `https://api.github.example/labels/${encodeURIComponent(name)}`,
  name,
  color: 'ededed',
  default: false,
  description: null,
});
const labelsOf = ({ labels }: Labelled) => labels.map((name, n) => labelOf(name, n + 1));

export function handlers(
  state: State,
  repo: Bare,
  example: Example,
  url: string,
): { readonly [name: string]: Handler } {
  const html = (number: number, kind: 'pull' | 'issues') => `https://github.example/ada/shop/${kind}/${number}`;

  const paged = (asked: Asked, all: readonly unknown[], wrap = (page: readonly unknown[]): unknown => page): Reply => {
    const [size, page] = [Number(asked.query['per_page'] ?? 30), Number(asked.query['page'] ?? 1)];
    const hasMore = all.length > size * page;
    const next = `<${url}/next?per_page=${size}&page=${page + 1}>; rel="next", <${url}/next?page=9>; rel="last"`;
    return [200, wrap(all.slice(size * (page - 1), size * page)), hasMore ? { link: next } : {}];
  };

  const pullAs = (pull: StoredPull, operation: string, status = 200) => {
    const sha = pull.state === 'open' ? (repo.tip(pull.head) ?? pull.sha) : pull.sha;
    pull.sha = sha;
    const { number, title, body, state: open, draft, merged } = pull;
    const shown = first(example(operation, status));
    const base = repo.tip(pull.base) ?? '';
    const ends = { merged_at: merged === null ? null : state.now(), closed_at: open === 'open' ? null : state.now() };
    const whole =
      operation === 'pulls/list'
        ? {}
        : {
            merged: merged !== null,
            mergeable_state: open === 'open' && (state.isBlocked || lacks(pull.base, sha)) ? 'blocked' : 'clean',
            mergeable: open === 'open' ? repo.mergedTree(base, sha) !== null : null,
            merged_by: null,
          };
    return {
      ...shown,
      number,
      title,
      body,
      state: open,
      draft,
      ...ends,
      ...whole,
      html_url: html(number, 'pull'),
      merge_commit_sha: merged?.commit ?? null,
      head: {
        ...Object(shown['head']),
        ref: pull.head,
        sha,
        label: `ada:${pull.head}`,
      },
      base: {
        ...Object(shown['base']),
        ref: pull.base,
        sha: base,
      },
      labels: labelsOf(pull),
      requested_teams: [],
    };
  };

  /** A check that the branch requires has not passed on this commit. */
  const lacks = (branch: string, sha: string): boolean =>
    state.required
      .filter((one) => one.branch === branch)
      .some(
        ({ name }) =>
          !state.checks.some((one) => one.sha === sha && one.name === name && one.conclusion === 'success') &&
          !state.statuses.some((one) => one.sha === sha && one.context === name && one.state === 'success'),
      );

  const issueAs = (issue: StoredIssue, operation: string, status = 200) => ({
    ...without(example(operation, status), ['pull_request', 'closed_by', 'sub_issues_summary', 'type', 'milestone']),
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    state_reason: issue.reason,
    milestone: null,
    html_url: html(issue.number, 'issues'),
    closed_at: issue.state === 'open' ? null : issue.at,
    updated_at: issue.updated,
    labels: labelsOf(issue),
  });

  const seen = (pull: StoredPull): boolean => {
    if (pull.hidden === 0) return true;
    pull.hidden -= 1;
    return false;
  };

  const commentAs = (said: Said, operation: string, status: number) => ({
    ...first(example(operation, status)),
    id: said.id,
    body: said.body,
    created_at: said.at,
    author_association: said.association ?? 'OWNER',
    user: { ...Object(first(example(operation, status))['user']), login: said.login },
  });
  const labelled = (asked: Asked): Labelled | undefined => {
    const number = Number(asked.params['issue_number']);
    return state.pulls.get(number) ?? state.issues.get(number);
  };
  const at = () => {
    const now = state.now();
    return { at: now, updated: now };
  };
  const touched = (number: number): void => {
    const issue = state.issues.get(number);
    if (issue !== undefined) issue.updated = state.now();
  };
  const pullOf = (asked: Asked) => state.pulls.get(Number(asked.params['pull_number']));
  const issueOf = (asked: Asked) => state.issues.get(Number(asked.params['issue_number']));

  return {
    'pulls/list'(asked) {
      const { state: wanted = 'open', head, base } = asked.query;
      const all = [...state.pulls.values()]
        .filter((pull) => wanted === 'all' || pull.state === wanted)
        .filter(
          (pull) => (head === undefined || head === `ada:${pull.head}`) && (base === undefined || base === pull.base),
        )
        .filter(seen)
        .reverse();
      return paged(
        asked,
        all.map((pull) => pullAs(pull, 'pulls/list')),
      );
    },
    'pulls/create'({ body }) {
      const [head, base] = [text(body['head']).replace(/^ada:/, ''), text(body['base'])];
      const [sha, baseSha] = [repo.tip(head), repo.tip(base)];
      if (sha === null) return invalid('head invalid');
      if (baseSha === null) return invalid('base invalid');
      if (repo.isWithin(sha, baseSha)) return invalid(`No commits between ${base} and ${head}`);
      const others = [...state.pulls.values()];
      if (others.some((pull) => pull.state === 'open' && pull.head === head && pull.base === base))
        return invalid(`A pull request already exists for ada:${head}.`);
      const pull: StoredPull = {
        number: state.next(),
        head,
        base,
        sha,
        title: text(body['title']),
        body: text(body['body']),
        draft: body['draft'] === true,
        state: 'open',
        merged: null,
        labels: [],
        at: state.now(),
        hidden: state.hidesNew,
      };
      state.pulls.set(pull.number, pull);
      return [201, pullAs(pull, 'pulls/create', 201)];
    },
    'pulls/get'(asked) {
      const pull = pullOf(asked);
      return pull === undefined || !seen(pull) ? NOT_FOUND : [200, pullAs(pull, 'pulls/get')];
    },
    'pulls/update'(asked) {
      const pull = pullOf(asked);
      if (pull === undefined) return NOT_FOUND;
      for (const name of ['title', 'body', 'state', 'base'] as const)
        if (typeof asked.body[name] === 'string') Object.assign(pull, { [name]: asked.body[name] });
      return [200, pullAs(pull, 'pulls/update')];
    },
    'pulls/merge'(asked) {
      const pull = pullOf(asked);
      if (pull === undefined) return NOT_FOUND;
      const [head, base] = [repo.tip(pull.head), repo.tip(pull.base)];
      if (pull.state === 'closed' || head === null || base === null)
        return [405, { message: 'Pull Request is not mergeable', documentation_url: 'https://docs.github.com/rest' }];
      if (typeof asked.body['sha'] === 'string' && asked.body['sha'] !== head)
        return [409, { message: 'Head branch was modified. Review and try the merge again.', documentation_url: '' }];
      if (lacks(pull.base, head))
        return [
          405,
          { message: 'Required status check is expected.', documentation_url: 'https://docs.github.com/rest' },
        ];
      const method = asked.body['merge_method'] === 'merge' ? 'merge' : 'squash';
      const commit = repo.merge(
        base,
        head,
        method,
        `${text(asked.body['commit_title'])}\n\n${text(asked.body['commit_message'])}`,
      );
      if (commit === null)
        return [405, { message: 'Merge conflict', documentation_url: 'https://docs.github.com/rest' }];
      repo.git('update-ref', `refs/heads/${pull.base}`, commit, base);
      Object.assign(pull, { state: 'closed', merged: { commit, sha: head }, sha: head });
      return [200, { sha: commit, merged: true, message: 'Pull Request successfully merged' }];
    },
    'pulls/list-review-comments'(asked) {
      const own = state.inline.filter(({ number }) => String(number) === asked.params['pull_number']);
      const shown = first(example('pulls/list-review-comments', 200));
      return paged(
        asked,
        own.map(({ path, line, body, at }, n) => ({ ...shown, id: n + 1, path, line, body, created_at: at })),
      );
    },
    'pulls/list-reviews'(asked) {
      const own = state.reviews.filter(({ number }) => String(number) === asked.params['pull_number']);
      const shown = first(example('pulls/list-reviews', 200));
      return paged(
        asked,
        own.map(({ state: verdict, body, at }, n) => ({ ...shown, id: n + 1, state: verdict, body, submitted_at: at })),
      );
    },
    'issues/list-comments'(asked) {
      const all = state.comments.get(Number(asked.params['issue_number'])) ?? [];
      return paged(
        asked,
        all.map((said) => commentAs(said, 'issues/list-comments', 200)),
      );
    },
    'issues/create-comment'(asked) {
      if (labelled(asked) === undefined) return NOT_FOUND;
      const number = Number(asked.params['issue_number']);
      const said = { id: 1_000 + state.next(), body: text(asked.body['body']), at: state.now(), login: 'ada' };
      state.comments.set(number, [...(state.comments.get(number) ?? []), said]);
      touched(number);
      return [201, commentAs(said, 'issues/create-comment', 201)];
    },
    'issues/update-comment'(asked) {
      const said = [...state.comments.values()].flat().find(({ id }) => String(id) === asked.params['comment_id']);
      if (said === undefined) return NOT_FOUND;
      said.body = text(asked.body['body']);
      return [200, commentAs(said, 'issues/update-comment', 200)];
    },
    'issues/add-labels'(asked) {
      const one = labelled(asked);
      if (one === undefined) return NOT_FOUND;
      const added = asked.body['labels'];
      one.labels = [...new Set([...one.labels, ...(Array.isArray(added) ? added.map(text) : [])])];
      touched(Number(asked.params['issue_number']));
      return [200, labelsOf(one)];
    },
    'issues/remove-label'(asked) {
      const one = labelled(asked);
      const { name = '' } = asked.params;
      if (one === undefined || !one.labels.includes(name)) return NOT_FOUND;
      one.labels = one.labels.filter((label) => label !== name);
      return [200, labelsOf(one)];
    },
    'issues/list-labels-on-issue'(asked) {
      const one = labelled(asked);
      return one === undefined ? NOT_FOUND : paged(asked, labelsOf(one));
    },
    'checks/list-for-ref'(asked) {
      const own = state.checks.filter(({ sha }) => sha === asked.params['ref']);
      const shown = first(Object(example('checks/list-for-ref', 200))['check_runs']);
      const runs = own.map(({ name, status, conclusion, app }, n) => ({
        ...shown,
        id: n + 1,
        name,
        status,
        conclusion,
        ...(app === undefined ? {} : { app: { ...Object(shown['app']), slug: app } }),
      }));
      return paged(asked, runs, (page) => ({ total_count: own.length, check_runs: page }));
    },
    'checks/list-suites-for-ref'(asked) {
      const own = state.suites.filter(({ sha }) => sha === asked.params['ref']);
      const shown = first(Object(example('checks/list-suites-for-ref', 200))['check_suites']);
      const suites = own.map(({ sha, app, status, runs }, n) => ({
        ...shown,
        id: n + 1,
        head_sha: sha,
        status,
        conclusion: status === 'completed' ? 'success' : null,
        latest_check_runs_count: runs,
        app: { ...Object(shown['app']), slug: app },
      }));
      return paged(asked, suites, (page) => ({ total_count: own.length, check_suites: page }));
    },
    'repos/get-branch-rules'(asked) {
      const own = state.required.filter(({ branch, by }) => by === 'rules' && branch === asked.params['branch']);
      const source = { ruleset_source_type: 'Repository', ruleset_source: 'ada/shop', ruleset_id: 1 };
      const checks = own.map(({ name }) => ({ context: name }));
      const parameters = { required_status_checks: checks, strict_required_status_checks_policy: false };
      const rules = [
        { type: 'deletion', ...source },
        ...(own.length === 0 ? [] : [{ type: 'required_status_checks', parameters, ...source }]),
      ];
      return paged(asked, rules);
    },
    'repos/get-branch'(asked) {
      const { branch = '' } = asked.params;
      const sha = repo.tip(branch);
      if (sha === null) return NOT_FOUND;
      const own = state.required.filter((one) => one.by === 'protection' && one.branch === branch);
      const shown = example('repos/get-branch', 200);
      const contexts = own.map(({ name }) => name);
      const level = own.length === 0 ? 'off' : 'non_admins';
      const checks = {
        enforcement_level: level,
        contexts,
        checks: contexts.map((context) => ({ context, app_id: null })),
      };
      const protection = { enabled: own.length > 0, required_status_checks: checks };
      const commit = { ...Object(shown['commit']), sha };
      return [200, { ...shown, name: branch, commit, protected: own.length > 0, protection }];
    },
    'repos/get-combined-status-for-ref'(asked) {
      const own = state.statuses.filter(({ sha }) => sha === asked.params['ref']);
      const shown = example('repos/get-combined-status-for-ref', 200);
      const statuses = own.map(({ context, state: said }) => ({ ...first(shown['statuses']), context, state: said }));
      return paged(asked, statuses, (page) => ({ ...shown, statuses: page, total_count: own.length }));
    },
    'issues/list-for-repo'(asked) {
      const { state: wanted = 'open', labels = '', since } = asked.query;
      const names = labels === '' ? [] : labels.split(',');
      // GitHub lists pull requests as issues too.
      const pulls = [...state.pulls.values()].map((pull) => ({
        one: { ...pull, reason: null, events: [], updated: pull.at },
        isPull: true,
      }));
      const issues = [...state.issues.values()].map((one) => ({ one, isPull: false }));
      const all = [...pulls, ...issues]
        .filter(({ one }) => wanted === 'all' || one.state === wanted)
        .filter(({ one }) => names.every((name) => one.labels.includes(name)))
        .filter(({ one }) => since === undefined || Date.parse(one.updated) >= Date.parse(since))
        .sort((a, b) => b.one.number - a.one.number);
      const links = { url: null, html_url: null, diff_url: null, patch_url: null };
      return paged(
        asked,
        all.map(({ one, isPull }) => ({
          ...issueAs(one, 'issues/create', 201),
          ...(isPull ? { pull_request: links } : {}),
        })),
      );
    },
    'issues/create'({ body }) {
      const issue: StoredIssue = {
        number: state.next(),
        title: text(body['title']),
        body: text(body['body']),
        state: 'open',
        reason: null,
        events: [],
        ...at(),
        labels: Array.isArray(body['labels']) ? body['labels'].map(text) : [],
      };
      state.issues.set(issue.number, issue);
      return [201, issueAs(issue, 'issues/create', 201)];
    },
    'issues/get'(asked) {
      const issue = issueOf(asked);
      return issue === undefined ? NOT_FOUND : [200, issueAs(issue, 'issues/create', 201)];
    },
    'issues/update'(asked) {
      const issue = issueOf(asked);
      if (issue === undefined) return NOT_FOUND;
      const wanted = asked.body['state'];
      if ((wanted === 'open' || wanted === 'closed') && wanted !== issue.state) {
        const event = wanted === 'open' ? 'reopened' : 'closed';
        issue.events.push({ event, at: state.now() });
        Object.assign(issue, { state: wanted, reason: wanted === 'open' ? 'reopened' : 'completed' });
        touched(issue.number);
      }
      return [200, issueAs(issue, 'issues/create', 201)];
    },
    'issues/list-events'(asked) {
      const issue = issueOf(asked);
      if (issue === undefined) return NOT_FOUND;
      const shown = first(example('issues/list-events', 200));
      const own = [{ event: 'labeled', at: issue.at }, ...issue.events];
      return paged(
        asked,
        own.map(({ event, at }, n) => ({
          ...shown,
          id: n + 1,
          event,
          created_at: at,
          performed_via_github_app: null,
          label: {
            name: 'harness',
            color: 'ededed',
          },
        })),
      );
    },
  };
}

/** Examples of lists are lists. */
const first = (shown: unknown): { readonly [name: string]: unknown } =>
  Object(Array.isArray(shown) ? shown[0] : shown) as { readonly [name: string]: unknown };
const without = (shown: { readonly [name: string]: unknown }, names: readonly string[]) =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => !names.includes(name)));
