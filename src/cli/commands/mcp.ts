// `harness mcp`: the operations as tools for an agent, over stdin and stdout.
import process from 'node:process';
import { openProjectView } from '../../app/open/project-view.ts';
import { serveMcp } from '../../app/serve/mcp-stdio.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';

export const mcp: CommandSpec = {
  name: 'mcp',
  args: '',
  options: [],
  examples: ['claude mcp add harness -- harness -C /path/to/repository mcp'],
  async run({ caller }) {
    const view = await openProjectView(caller);
    if (!view.ok) return view;
    const { root, workspaceDir } = view.value;
    await serveMcp({
      asker: { repo: root, configFile: caller.configFile, catalogue: caller.catalogue },
      input: process.stdin,
      write: (line) => caller.print(line),
      marker: `${workspaceDir}@mcp-${process.pid}`,
    });
    return ok({ exit: 0, json: null, lines: [] });
  },
};
