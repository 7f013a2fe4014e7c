import type { Logger } from 'pino';
import type { Config } from '../../core/config/config.ts';
import {
  findListed,
  type Screen,
  type ScreeningAnswer,
  type ScreeningQuestion,
} from '../../core/screening/screening.ts';
import { decide, standingOutcome } from '../../db/screening/decisions.ts';
import type { Store } from '../../db/store/store.ts';
import { watchList } from './lists.ts';
import { askService } from './service.ts';

type Options = { store: Store; now: () => number; log: Pick<Logger, 'warn'> };

/** What an operator has set to be asked before money moves; null: nothing. */
export function createScreen({ screening }: Pick<Config, 'screening'>, { store, now, log }: Options): Screen | null {
  const { fails } = screening;
  const ask = createAsk(screening);
  if (ask === null) return null;
  return async (question) => {
    const standing = await standingOutcome(store, question, now());
    if (standing !== null) return standing;
    const answer = await ask(question).catch((error: unknown): ScreeningAnswer => {
      log.warn({ err: error, stage: question.stage, subject: question.subject }, 'the screening gave no usable answer');
      return { verdict: 'unanswered', source: 'service', detail: null };
    });
    return decide(store, question, { answer, fails, nowMs: now() });
  };
}

/** The lists first: what they name is told to no other service. Throws where one of them cannot be asked. */
export function createAsk({
  lists,
  url,
  token,
  timeoutMs,
}: Config['screening']): ((question: ScreeningQuestion) => Promise<ScreeningAnswer>) | null {
  if (lists.length === 0 && url === undefined) return null;
  const readers = lists.map(watchList);
  return async (question) => {
    for (const read of readers) {
      const listed = findListed((await read()).entries, question);
      if (listed !== null) return { verdict: 'refused', source: 'lists', detail: listed };
    }
    if (url === undefined) return { verdict: 'allowed', source: 'lists', detail: null };
    return askService({ url, token, timeoutMs }, question);
  };
}
