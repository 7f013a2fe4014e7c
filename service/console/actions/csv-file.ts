import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { recordAction } from '../../../db/operator/actions.ts';
import { Refused, UsageError, type CommandContext } from '../../operator/command.ts';
import { exportTableCommand, ledgerCommand } from '../../operator/exports.ts';
import { EXPORTED } from '../../operator/exports/tables.ts';

/** What can be downloaded, by the command that writes it. */
export const DOWNLOADS = ['ledger', ...EXPORTED] as const;

/** Stores of which a file is being written; of each one at a time, because it is as long as the service is old. */
const writing = new WeakSet<object>();

/** What the command writes, as an answer; the file is gone once it was read. Throws what the command throws. */
export async function csvFile(context: CommandContext, wanted: string): Promise<{ name: string; csv: ReadableStream }> {
  const { store, nowMs, who, words: days } = context;
  const what = DOWNLOADS.find((one) => one === wanted);
  if (what === undefined) throw new UsageError(`A file is ${DOWNLOADS.join(', ')}; found ${wanted}.`);
  if (writing.has(store)) throw new Refused('A file is being written already; try again in a minute.');
  writing.add(store);
  const folder = mkdtempSync(join(tmpdir(), 'pennypost-export-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const file = join(folder, `${what}.csv`);
    const { command, before } =
      what === 'ledger' ? { command: ledgerCommand, before: [] } : { command: exportTableCommand, before: [what] };
    await command.run({ ...context, words: [...before, file, ...days] });
    const action = { name: command.name, arguments: [...before, ...days], who };
    await store.tx((db) => recordAction(db, store.tables, action, { result: 'downloaded', nowMs }));
    const stream = createReadStream(file).once('close', remove);
    return { name: `${what}.csv`, csv: Readable.toWeb(stream) as ReadableStream };
  } catch (error) {
    remove();
    throw error;
  } finally {
    writing.delete(store);
  }
}
