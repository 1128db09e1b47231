// English: why a call of a tool was refused. Agents read it at once, so each says what to do instead.
import type { Phrase } from '../../../model/sentences.ts';

export const tools = {
  // {why: the sentence of a rule, rule}
  'tool.refused': 'The harness refused this call ({rule}): {why}',
  'tool.mode-has-no-tools': 'this session has no tools. Answer in words.',
  'tool.mode-only-reads': 'this session only reads[[ ({about})]]. Look with git diff, cat or grep, and change nothing.',
  'tool.tool-not-in-mode': 'there is no tool {about} in this session. Use another one.',
  'tool.tool-disabled': 'the configuration switched this kind of tool off. Go on without it.',
  'tool.outside-the-lane':
    '{about} is outside of the project. Write inside of the project; shells may also write to /tmp.',
  'tool.target-unknown':
    'what {about} stands for cannot be told before the command runs. Write the path out, or make it begin with a folder.',
  'tool.path-denied': 'the configuration closes {about}. Work without it.',
  'tool.git-folder': '{about} belongs to git. Leave .git alone; the harness commits.',
  'tool.harness-file': '{about} belongs to the harness. Leave it as it is.',
  'tool.harness-file-removed':
    '{about} would remove files of the harness. Change the one line you need and keep the rest.',
  'tool.backlog-beyond-claim': 'in {about} only passes of your item may be changed, from false to true.',
  'tool.secret': '{about} holds keys or passwords. No task here needs them.',
  'tool.device': '{about} is a device. Write to a file in the project.',
  'tool.unreadable-path': 'this path cannot be followed. Use a plain path inside of the project.',
  'tool.command-unreadable': 'this command cannot be read ({about}). Write it as plain, complete shell.',
  'tool.command-unknown': 'which program runs is only known at run time ({about}). Write its name out.',
  'tool.command-denied': 'the configuration refuses commands like {about}. Do it another way, or go on without it.',
  'tool.unknown-code':
    'code from elsewhere would be run by {about} without anybody having seen it. Save it to a file, read it, then run the file.',
  'tool.variable': 'the variable {about} changes what programs run. Leave it out.',
  'tool.remove-everything': '{about} would remove everything. Name the folders you made.',
  'tool.fork-bomb': 'this function starts itself without end.',
  'tool.privilege': '"{about}" asks for rights of another user. Do it without.',
  'tool.disk': '"{about}" changes disks. No task here needs that.',
  'tool.machine': '"{about}" changes this machine. Keep to the project; say what is missing, and a person installs it.',
  'tool.persistence': '"{about}" would go on after this session. Run what you need now.',
  'tool.remote-shell': '"{about}" opens a way to another machine. Work on this one.',
  'tool.publish': '"{about}" publishes. What is accepted is published by the harness and by people.',
  'tool.container': '"{about}" gives a container more than the project. Mount folders of the project only.',
  'tool.kill': '"{about}" ends more than you started. End processes by their own number.',
  'tool.harness-command': '"{about}" steers the harness. Only people do that.',
  'tool.git-push': '"{about}" publishes. The harness pushes what was accepted.',
  'tool.git-history': '"{about}" changes history. Do not amend, rebase, reset or pull; the harness commits.',
  'tool.git-config': '"{about}" changes what git obeys. Leave its configuration, hooks and remotes alone.',
  'tool.git-branch': '"{about}" changes branches. Stay on the branch you are on.',
  'tool.no-option-for-once': 'the agent offered no permission for this one time.',
  'tool.leaves-the-sandbox': 'nothing beyond the sandbox is granted. Do it inside, or go on without it.',
} as const satisfies { readonly [key: string]: Phrase };
