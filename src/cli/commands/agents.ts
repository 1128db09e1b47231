// `harness agents`: the known agents and how they are here, installing one, trying whether they start, and what agents should know of the harness.
import { addAgent, planOf } from '../../app/setup/add-agent.ts';
import { checkAgents, listAgents } from '../../app/setup/agents.ts';
import { agentsSnippet, pluginFolder } from '../../app/setup/skill.ts';
import { ok } from '../../model/result.ts';
import { stoppable, type CommandSpec } from '../command.ts';
import { EXIT, exitOf } from '../exit-codes.ts';
import { addedLines, checkedJson, listedJson, showAgents, showChecked } from '../show/agents.ts';
import { parseSubcommand } from '../subcommand.ts';

export const agents: CommandSpec = {
  name: 'agents',
  args: '[ls|add|check|snippet] [name]',
  options: [],
  examples: [
    'harness agents',
    'harness agents add opencode',
    'harness agents add codex@0.169.0',
    'harness agents check',
    'harness agents snippet >> AGENTS.md',
  ],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const parts = { ls: [], add: ['NAME'], check: ['NAME?'], snippet: [] };
    const part = parseSubcommand('agents', call.args, parts, null);
    if (!part.ok) return part;
    const [name] = part.value.words;
    if (part.value.name === 'ls') {
      const listed = await listAgents(caller);
      return ok({
        exit: EXIT.done,
        json: { agents: listed.map(listedJson) },
        lines: [...showAgents(listed, caller), text('agents.plugin', { folder: pluginFolder() })],
      });
    }
    if (part.value.name === 'snippet') {
      const snippet = agentsSnippet();
      return ok({ exit: EXIT.done, json: { snippet, plugin: pluginFolder() }, lines: [snippet.trimEnd()] });
    }
    if (part.value.name === 'check') {
      const checked = await checkAgents(caller, name ?? null);
      if (!checked.ok) return checked;
      const [failed] = checked.value.flatMap(({ failure }) => failure ?? []);
      return ok({
        exit: failed === undefined ? EXIT.done : exitOf(failed),
        json: { agents: checked.value.map((one) => checkedJson(one, caller)) },
        lines: showChecked(checked.value, caller),
      });
    }
    const plan = planOf(name ?? '');
    if (!plan.ok) return plan;
    const { package: from, version, folder } = plan.value;
    caller.say(text('agents.adding', { package: from, version, folder }));
    const added = await stoppable(caller, (signal) => addAgent(plan.value, signal));
    if (!added.ok) return added;
    const { known, receipt, isNew } = added.value;
    const json = { agent: known.name, package: receipt.package, version: receipt.version, folder, made: isNew };
    return ok({ exit: EXIT.done, json, lines: addedLines(added.value, caller) });
  },
};
