import type { Readable, Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';

/** All that the client knows of the world. It is handed in, so that nothing else of it can be read. */
export type Context = {
  /** Without the program's own name. */
  args: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** The home whose `.pennypost` is used by default. */
  userHome: string;
  stdin: Readable;
  /** Results; nothing else may be written there, since programs read it. */
  stdout: Writable;
  /** Everything that is told to a person on the way. */
  stderr: Writable;
  /** Null where nobody can be asked. */
  terminal: Terminal | null;
  fetch: typeof globalThis.fetch;
  /** Epoch milliseconds. */
  now: () => number;
  random: (bytes: number) => Uint8Array;
  sleep: (milliseconds: number) => Promise<void>;
};

export function say({ stderr }: Pick<Context, 'stderr'>, text: string): void {
  stderr.write(`${text}\n`);
}
