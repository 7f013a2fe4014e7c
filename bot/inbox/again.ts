import type { ChatName } from '../../core/chats/chats.ts';
import { createLines, createShared } from '../../queue/by-key.ts';
import type { Log } from '../shared/log.ts';
import { within } from '../../queue/deadline.ts';

/** Work is done within moments; work that takes longer than this hangs, and the next start takes it up. */
export const FINISH_LIMIT_MS = 8_000;

type AgainDeps<Event> = {
  chat: ChatName;
  idOf: (event: Event) => string;
  personOf: (event: Event) => string;
  /** Whether the event is under way already. */
  has: (id: string) => boolean;
  /** Never rejects. */
  begin: (event: Event) => Promise<void>;
  log: Log;
};

/** Events that are taken up: people do not wait for each other, and one that hangs only delays its own person's next. */
export function createAgain<Event>({ chat, idOf, personOf, has, begin, log }: AgainDeps<Event>) {
  const waiting = createShared<string, void>();
  const inLine = createLines<string>();
  let isClosed = false;

  async function take(event: Event): Promise<void> {
    if (isClosed) return;
    const what = `an event taken up on ${chat}`;
    await within(begin(event), FINISH_LIMIT_MS, what).catch((error: unknown) =>
      log.error({ chat, event: idOf(event), error: String(error) }, 'the next does not wait for it'),
    );
  }

  return {
    add(event: Event): void {
      const id = idOf(event);
      if (waiting.has(id) || has(id)) return;
      void waiting.share(id, () => inLine(personOf(event), () => take(event)));
    },
    /** Resolves when the person's earlier events are done. */
    before: (event: Event) => inLine(personOf(event), async () => {}),
    idle: waiting.idle,
    close(): void {
      isClosed = true;
    },
  };
}
