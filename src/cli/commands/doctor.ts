// `harness doctor`: checks whether a run could start, and what the sandbox stops. Exits with 0 or 5.
import { diagnose } from '../../app/setup/doctor.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showDiagnosis } from '../show/doctor.ts';

export const doctor: CommandSpec = {
  name: 'doctor',
  args: '',
  options: [],
  examples: ['harness doctor', 'harness doctor --json'],
  async run({ caller }) {
    const found = await diagnose(caller);
    const isReady = found.failures.length === 0;
    const failures = found.failures.map((failure) => {
      const { title, fix } = caller.catalogue.failure(failure);
      return { code: failure.reason, message: title, mend: fix, at: failure.at ?? null };
    });
    const { harness, node, git, sandbox, config, providers, hooks, lock } = found;
    const json = {
      ready: isReady,
      harness,
      node,
      git,
      sandbox,
      config,
      providers: providers.map(({ provider, version, capabilities, login, failure }) => ({
        provider,
        version,
        ready: failure === null,
        code: failure?.reason ?? null,
        login: login?.login ?? null,
        capabilities,
      })),
      hooks,
      lock,
      failures,
    };
    return ok({
      exit: isReady ? EXIT.done : EXIT.environment,
      json,
      lines: showDiagnosis(found, caller),
    });
  },
};
