// `harness doctor`: checks whether a run could start, and what the sandbox stops. Exits with 0 or 5.
import { diagnose } from '../../app/setup/doctor.ts';
import { tryChannels } from '../../app/setup/try-notify.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showChannels, showDiagnosis } from '../show/doctor.ts';

export const doctor: CommandSpec = {
  name: 'doctor',
  args: '',
  options: [{ flags: '--notify', about: 'also send a message on every channel of notify' }],
  examples: ['harness doctor', 'harness doctor --json', 'harness doctor --notify'],
  async run({ caller, options }) {
    const found = await diagnose(caller);
    const { text } = caller.catalogue;
    const words = { title: text('notice.test'), text: text('notice.test-text') };
    const tried = options['notify'] === true ? await tryChannels(caller, words) : ok([]);
    if (!tried.ok) return tried;
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
      ...(options['notify'] === true ? { notify: tried.value.map((one) => ({ ...one })) } : {}),
      failures,
    };
    return ok({
      exit: isReady && tried.value.every(({ why }) => why === null) ? EXIT.done : EXIT.environment,
      json,
      lines: [
        ...showDiagnosis(found, caller),
        ...(options['notify'] === true ? showChannels(tried.value, caller) : []),
      ],
    });
  },
};
