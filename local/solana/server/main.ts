/**
 * The process of the local Solana network. `startLocalSolana` starts it and hands it its settings on standard input. It
 * runs until it is asked to stop, and saves the chain then.
 */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { serveChain, serveSettingsSchema } from './serve.ts';

const end = new AbortController();
const ended = once(end.signal, 'abort');
// Not at once: a caller that asked for it is answered first.
const stop = (): void => void setImmediate(() => end.abort());
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

try {
  const settings = serveSettingsSchema.parse(JSON.parse(await text(process.stdin)));
  const served = await serveChain(settings, stop);
  await ended;
  await served.close();
} catch (error) {
  // The last output, which the starter passes on.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
