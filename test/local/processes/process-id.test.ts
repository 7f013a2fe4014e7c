import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isAlive } from '../../../local/processes/process-id.ts';

/** Listens, with threads that take a moment to end. */
const LISTENER = `
const { Worker } = require('node:worker_threads');
const busy = 'Buffer.alloc(2e7, 1); require("node:worker_threads").parentPort.postMessage(0); setInterval(() => {}, 1e6)';
const ready = Array.from({ length: 4 }, () => new Promise((then) => new Worker(busy, { eval: true }).on('message', then)));
Promise.all(ready).then(() => {
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port));
});
`;

test('a process that was killed is alive until its port is free', async () => {
  for (let times = 0; times < 5; times += 1) {
    const child = spawn(process.execPath, ['-e', LISTENER], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { pid } = child;
    if (pid === undefined) throw new Error('the listener did not start');
    child.kill('SIGKILL');
    // Nothing of ours runs in between, so that the process is not collected before it is looked at.
    while (isAlive(pid));
    const server = createServer().listen(Number(line), '127.0.0.1');
    await once(server, 'listening');
    expect(server.listening).toBe(true);
    server.close();
    await setImmediate();
  }
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31 - 1])('nothing runs as %d', (pid) => {
  expect(isAlive(pid)).toBe(false);
});
