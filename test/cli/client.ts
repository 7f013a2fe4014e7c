/** The client as a person, a script or an agent has it: in this process, or in one of its own that can be killed. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { runClient } from '../../cli/run.ts';
import type { Context } from '../../cli/terminal/context.ts';
import type { Terminal } from '../../cli/terminal/terminal.ts';
import { compileProgram } from '../support/compiled-program.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts');
/** As an agent's host is told to start it. */
export const PROGRAM = join(SCRIPTS, 'pennypost.mjs');
/** The same without what compiles it at each start. */
export const COMPILED = await compileProgram(join(SCRIPTS, 'pennypost.ts'));

export type Ran = { code: number; out: string; err: string; json: Record<string, unknown> };

export type Place = ReturnType<typeof createPlace>;

/** A computer with nothing but the client on it. */
export function createPlace(environment: Record<string, string>) {
  const home = mkdtempSync(join(tmpdir(), 'pennypost-cli-'));
  const all = { PENNYPOST_HOME: join(home, 'client'), ...environment };
  return {
    home: all.PENNYPOST_HOME,
    file: (name: string) => join(home, name),
    run: (args: string[], change: Partial<Context> = {}) =>
      runHere(args, { environment: all, userHome: home, ...change }),
    spawn: (args: string[], more: Record<string, string> = {}) => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...all, ...more };
      return spawn(process.execPath, [COMPILED, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    },
    environment: { HOME: home, ...all } as Record<string, string>,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

async function runHere(args: string[], change: Partial<Context>): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = await runClient({
    args,
    environment: {},
    userHome: '/nowhere',
    stdin,
    stdout,
    stderr,
    terminal: null,
    fetch: globalThis.fetch,
    now: Date.now,
    random: randomBytes,
    sleep: (milliseconds) => sleep(milliseconds),
    ...change,
  });
  const read = (stream: PassThrough) => (stream.read() as Buffer | null)?.toString() ?? '';
  const [out, err] = [read(stdout), read(stderr)];
  return { code, out, err, json: out.startsWith('{') ? (JSON.parse(out) as Ran['json']) : {} };
}

/** A user who types these answers, one after the other. */
export function typist(...answers: (string | null)[]): Terminal & { asked: string[] } {
  const asked: string[] = [];
  const answer = (question: string) => {
    asked.push(question);
    return Promise.resolve(answers.shift() ?? null);
  };
  return { asked, ask: answer, askHidden: answer };
}
