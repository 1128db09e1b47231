// The manifest of an evidence bundle: what landed, with which proof, bound to item, session and tree by hashes. The landing commit
// and the next bundle contain its hash. Pure.
import { z } from 'zod';
import { sha256 } from '../host/files.ts';
import { proofSummarySchema } from '../model/proof.ts';
import { err, ok, type Result } from '../model/result.ts';

export const MANIFEST = 'manifest.json';
export const CLAIM = 'claim.json';
export const AGENT = 'agent.json';
export const DIFF = 'diff.patch';
/** The checked tree itself, where the landed one differs in more than files of the harness: git converts files, or leaves some out. */
export const CHECKED = 'tree';
/** The folder of the bundle that holds the evidence folders of the session. */
export const CHECKS = 'checks';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const objectId = z.string().regex(/^[0-9a-f]{40,64}$/);
const counts = z.object({ total: z.number(), passed: z.number(), failed: z.number(), skipped: z.number() });
const problem = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  ids: z.array(z.string()).exactOptional(),
});
const file = z.object({
  path: z.string(),
  sha256: hash,
  bytes: z.number(),
  /** Secrets were masked: the hash is that of the masked text. */
  masked: z.boolean(),
});

/** What says that the item is done: its entry in the list, the commands that ran, a decision at a gate, or a person's word. */
export const CLAIMS = ['flip', 'command', 'gate', 'person'] as const;
export type ClaimKind = (typeof CLAIMS)[number];

const entry = z.object({ mode: z.string().regex(/^\d{6}$/), id: objectId }).nullable();
const landing = z.object({
  tree: objectId,
  parent: objectId,
  /** The checked tree: the landed tree without the files that the harness itself writes. */
  verified: objectId,
  own: z.array(z.string()),
  checkpoint: z.object({ ref: z.string(), commit: objectId, tree: objectId }),
});

/** Of the landed version. What is proved by it is less: nothing says what the claim was, or how the landed tree differs from the checked one. */
const first = z.object({
  schema: z.literal(1),
  kind: z.literal('harness.evidence'),
  harness: z.string(),
  item: z.string(),
  title: z.string(),
  session: z.number(),
  run: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  /** Tree and parent of the landing commit. Its id cannot be included, because the commit contains this manifest's hash. */
  landing,
  agent: z.object({
    role: z.string(),
    provider: z.string(),
    model: z.string().nullable(),
    attempt: z.number(),
    turns: z.number(),
    toolCalls: z.number(),
    usage: z.object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedTokens: z.number(),
      costUsd: z.number().nullable(),
      source: z.string(),
    }),
    /** Its prompts, turn by turn, hashed in masked form. */
    prompts: z.array(z.object({ turn: z.number(), sha256: z.string() })),
  }),
  verdict: z.object({
    holds: z.boolean(),
    /** Its evidence folder. */
    folder: z.string(),
    checks: z.array(
      z.object({
        name: z.string(),
        command: z.string(),
        passed: z.boolean(),
        exit: z.number().nullable(),
        ms: z.number(),
        tests: counts.nullable(),
      }),
    ),
    tests: counts.nullable(),
    problems: z.array(problem),
    warnings: z.array(problem),
    regressions: z.array(z.string()),
    flaky: z.array(z.string()),
    tampering: z.array(problem),
    sandbox: z.string(),
  }),
  /** Answers of users to questions about the item. */
  decisions: z.array(
    z.object({
      gate: z.string(),
      subject: z.string(),
      option: z.string(),
      note: z.string(),
      by: z.string(),
      at: z.string(),
    }),
  ),
  /** Where the agent's account differs from what was observed. Never decides. */
  mismatches: z.array(problem),
  /** `sha256` of the diff as git shows it, before masking. */
  diff: z.object({ from: objectId, to: objectId, sha256: hash }),
  files: z.array(file),
  /** Files too large for a bundle, without their contents. */
  leftOut: z.array(file.omit({ masked: true })),
  previous: z.object({ item: z.string(), session: z.number(), sha256: hash }).nullable(),
  /** The line of the item's journal that started the landing. */
  journal: z.object({ file: z.string(), seq: z.number(), sha256: hash }).nullable(),
});

const second = first.extend({
  schema: z.literal(2),
  claim: z.enum(CLAIMS),
  proof: proofSummarySchema,
  landing: landing.extend({
    /** The list, where the commit carries it and its parent has it: the item's entry in it changes with the landing. `format`: of a playbook. */
    list: z.object({ path: z.string(), format: z.string() }).nullable(),
    /** The progress log, where the commit carries it: it only grows. */
    log: z.string().nullable(),
    /** The harness's own files where the landed tree differs from the checked one; null: there is none. */
    changes: z.array(z.object({ path: z.string(), verified: entry, landed: entry })),
    /** The bundle holds the checked tree, because it differs from the landed one in more. */
    keepsChecked: z.boolean(),
  }),
  files: z.array(file.extend({ whole: z.object({ sha256: hash, bytes: z.number() }).exactOptional() })),
});

export const manifestSchema = z.discriminatedUnion('schema', [first, second]);
export type Manifest = z.infer<typeof manifestSchema>;
/** Of this version. */
export type NewManifest = z.infer<typeof second>;
export type LandedChange = NewManifest['landing']['changes'][number];

export const writeManifest = (manifest: Manifest): { readonly text: string; readonly sha256: string } => {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  return { text, sha256: sha256(text) };
};

/** The error says why it is no manifest. */
export function readManifest(text: string): Result<Manifest, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err('not JSON');
  }
  const read = manifestSchema.safeParse(value);
  if (read.success) return ok(read.data);
  const [first] = read.error.issues;
  return err(`${first?.path.join('.') ?? ''}: ${first?.message ?? 'invalid'}`);
}

/** As written in the trailer of a commit. */
export const trailerOf = (hash_: string): string => `sha256:${hash_}`;

const keptChecks = z.object({
  session: z.number().nullable(),
  tree: z.string(),
  sandbox: z.string(),
  purpose: z.string(),
  checks: z.array(
    z.object({
      name: z.string(),
      command: z.string(),
      runner: z.string().nullable(),
      weight: z.enum(['must', 'warn', 'environment']),
      against: z.enum(['baseline']).nullable(),
      needsTests: z.boolean().default(false),
      timeoutMs: z.number().default(600_000),
      exit: z.object({ code: z.number().nullable() }),
      perTest: z.string(),
      stdout: z.object({ file: z.string(), sha256: hash }),
      stderr: z.object({ file: z.string(), sha256: hash }),
      report: z.object({ file: z.string(), sha256: hash }).nullable(),
    }),
  ),
});
export type KeptChecks = z.infer<typeof keptChecks>;

/** `checks.json` of an evidence folder; null: not valid. */
export function readKept(text: string): KeptChecks | null {
  try {
    const read = keptChecks.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** What differs between the stored checks and those of a verdict; '': nothing. */
export function differsFrom(
  kept: KeptChecks,
  said: {
    readonly session: number;
    readonly tree: string;
    readonly sandbox: string;
    readonly checks: readonly { readonly name: string; readonly exit: number | null }[];
  },
): '' | 'session' | 'tree' | 'sandbox' | 'checks' {
  if (kept.session !== said.session) return 'session';
  if (kept.tree !== said.tree) return 'tree';
  if (kept.sandbox !== said.sandbox) return 'sandbox';
  const runs = (checks: readonly (readonly [string, number | null])[]): string => JSON.stringify(checks);
  const own = runs(kept.checks.map((c) => [c.name, c.exit.code]));
  return own === runs(said.checks.map((c) => [c.name, c.exit])) ? '' : 'checks';
}
