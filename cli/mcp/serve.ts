import { finished } from 'node:stream/promises';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { openClient, warnOfPlayMoney } from '../paying/client.ts';
import { takeWords } from '../terminal/command-line.ts';
import type { Command } from '../commands/command.ts';
import { learnFate } from '../paying/fate.ts';
import { findOwnKey } from '../keys/own-key.ts';
import { microUsdc } from '../../core/money.ts';
import type { PayingDeps } from '../paying/paying.ts';
import { say } from '../terminal/context.ts';
import { createToolServer } from './tools.ts';

/** Limits on an agent whose owner has set none. */
const MAX_CALL = microUsdc(1_000_000n);
const MAX_DAY = microUsdc(10_000_000n);
/** Clients wait a minute for an answer by default. */
const WAIT_MS = 40_000;

/**
 * `pennypost mcp`: tools for an agent over stdin and stdout, until stdin ends. It holds its owner's key, since a usual
 * host has no wallet, and asks for no confirmation: its limits are set when it starts.
 */
export const serveMcp: Command = async ({ words, options }, settings, context) => {
  takeWords(words, 0, 0, 'mcp');
  const limits = { maxCall: settings.maxCall ?? MAX_CALL, maxDay: settings.maxDay ?? MAX_DAY };
  // No password can be typed here, because stdin belongs to the protocol.
  const key = findOwnKey({ ...settings.keys, terminal: null }, settings.choice);
  const privateKey = await key.open();
  const opened = { ...key, open: async () => privateKey };
  const deps = openClient({ ...settings, ...limits }, context, WAIT_MS, opened);
  warnOfPlayMoney(settings, context);
  const onFailure = (error: unknown) => say(context, `A call failed: ${String(error)}`);
  const parts = { deps: { ...deps, ...limits }, isDry: options['dry-run'] === true, onFailure };
  const transport = new StdioServerTransport(context.stdin, context.stdout);
  const handle = serveStdio(() => createToolServer(parts), { transport, onerror: onFailure });
  finishOpen(deps).catch(onFailure);
  await finished(context.stdin, { writable: false }).catch(() => undefined);
  // Payments in flight are in the journal; the next start finds out their fate.
  await handle.close();
  return { report: { ending: 'paid', fields: {}, text: '' } };
};

/** Asks at once about payments that an earlier run left open; the next call for the same gets the answer. */
async function finishOpen(deps: PayingDeps): Promise<void> {
  for (const kept of deps.journal.open()) {
    if (kept.record.state.kind === 'signed') await learnFate(deps, kept, deps.waitMs);
  }
}
