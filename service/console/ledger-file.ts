import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { recordAction } from '../../db/operator/actions.ts';
import { Refused, type CommandContext } from '../operator/command.ts';
import { ledgerCommand } from '../operator/ledger.ts';

/** Stores whose ledger is being written; of each one at a time, because it is as long as the service is old. */
const writing = new WeakSet<object>();

/** What the command writes, with its comparison, as an answer; the file is gone once it was read. Throws what the command throws. */
export async function ledgerFile(context: CommandContext): Promise<ReadableStream> {
  const { store, nowMs, who } = context;
  if (writing.has(store)) throw new Refused('The ledger is being written already; try again in a minute.');
  writing.add(store);
  const folder = mkdtempSync(join(tmpdir(), 'pennypost-ledger-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'ledger.csv');
    await ledgerCommand.run({ ...context, words: [file, ...context.words] });
    const command = { name: 'ledger', arguments: context.words, who };
    await store.tx((db) => recordAction(db, store.tables, command, { result: 'downloaded', nowMs }));
    const stream = createReadStream(file).once('close', remove);
    return Readable.toWeb(stream) as ReadableStream;
  } catch (error) {
    remove();
    throw error;
  } finally {
    writing.delete(store);
  }
}
