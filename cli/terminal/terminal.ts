import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';

/** Asks a person. Null is no answer: Ctrl-C, Ctrl-D, or a closed terminal. */
export type Terminal = {
  ask: (question: string) => Promise<string | null>;
  /** The typed text is not shown. */
  askHidden: (question: string) => Promise<string | null>;
};

/** Asks on `output`, which is not where results go. */
export function createTerminal(input: Readable, output: Writable): Terminal {
  return {
    ask: (question) => ask(input, output, question, false),
    askHidden: (question) => ask(input, output, question, true),
  };
}

/** `terminal: true` switches the terminal's own echo off, so that only what is written to `echo` is seen. */
function ask(input: Readable, output: Writable, question: string, isHidden: boolean): Promise<string | null> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: isHidden ? nowhere : output, terminal: true });
  // Only now, because a quick answer must not find the terminal's echo still on.
  if (isHidden) output.write(question);
  return new Promise((resolve) => {
    let answer: string | null = null;
    lines.on('SIGINT', () => lines.close());
    lines.on('close', () => {
      if (isHidden || answer === null) output.write('\n');
      resolve(answer);
    });
    lines.question(isHidden ? '' : question, (text) => {
      answer = text;
      lines.close();
    });
  });
}
