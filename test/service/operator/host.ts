/** Stands for the machine that an operator sits at: what is shown, and what is answered. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SealOptions } from '../../../service/keystore/file.ts';
import type { Host } from '../../../service/operator/host.ts';
import { loadConfig } from '../../../service/keystore/load.ts';
import { runOperator } from '../../../service/operator/run.ts';

type Answer = (question: string, screen: string) => string | null;

export type Machine = ReturnType<typeof createMachine>;

/** `answer`: an operator at a terminal; without it there is none, and `piped` comes in. */
export function createMachine(
  environment: Record<string, string>,
  { answer, piped = '' }: { answer?: Answer; piped?: string } = {},
) {
  const said: string[] = [];
  let screen = '';
  // A file says how dear its password is to guess; half a second for each would be most of a test.
  const host: Host & SealOptions = {
    cost: 2 ** 10,
    environment,
    user: 'ada',
    random: randomBytes,
    now: Date.now,
    sleep: (ms) => sleep(ms),
    terminal: answer
      ? {
          write: (text) => void (screen += text),
          ask: async (question) => answer(question, screen),
        }
      : null,
    readInput: async () => piped,
    say: (line) => void said.push(line),
  };
  return {
    said,
    /** Everything that the terminal showed. */
    screen: () => screen,
    operate: (...words: string[]) => runOperator(() => loadConfig(environment), words, Date.now(), host),
  };
}

/** The words on the screen, in their order. */
export function wordsOn(screen: string): string[] {
  return [...screen.matchAll(/(\d+)\. ([a-z]+)/g)]
    .sort((a, b) => Number(a[1]) - Number(b[1]))
    .map(([, , word = '']) => word);
}

/** Writes the words down, presses Enter, and answers from the paper. */
export function honestPerson(): { answer: Answer; paper: string[] } {
  const paper: string[] = [];
  const answer: Answer = (question, screen) => {
    if (paper.length === 0) paper.push(...wordsOn(screen));
    const place = /^Word (\d+)/.exec(question)?.[1];
    return place === undefined ? '' : (paper[Number(place) - 1] ?? '');
  };
  return { answer, paper };
}
