// The stream of prompts to the program: pushed at any time, read one by one, ended once.
import type { UserMessage } from './sdk.ts';

export type PromptStream = {
  readonly messages: AsyncIterable<UserMessage>;
  push(message: UserMessage): void;
  /** After this the program exits by itself when it has nothing left to do. Safe to call twice. */
  end(): void;
};

export function openPromptStream(): PromptStream {
  const waiting: UserMessage[] = [];
  let ended = false;
  let wake: () => void = () => undefined;
  async function* messages(): AsyncGenerator<UserMessage> {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (ended) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return {
    messages: messages(),
    push(message) {
      waiting.push(message);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  };
}

export const userMessage = (uuid: string, content: string): UserMessage => ({
  type: 'user',
  uuid,
  parent_tool_use_id: null,
  message: { role: 'user', content },
});
