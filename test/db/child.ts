import { writeSync } from 'node:fs';
import { openStore, type DatabaseAddress } from '../../db/store/open.ts';
import { stampStore } from '../../db/store/stamp.ts';

/** A process of its own for the conformance suite: `child.ts open|load <address>`. */
const WRITERS = 20;
const STDOUT = 1;

const [task, address] = process.argv.slice(2);
const store = await openStore(JSON.parse(address!) as DatabaseAddress);
await stampStore(store, { mode: 'test' });
if (task === 'load') await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeForEver(writer)));
await store.close();

/** Prints each cause once its transaction was answered: from then on it must never be lost. */
async function writeForEver(writer: number): Promise<void> {
  const { entries, postings } = store.tables;
  for (let index = 0; ; index += 1) {
    const cause = `${process.pid}-${writer}-${index}`;
    await store.tx(async (db) => {
      const [entry] = await db.insert(entries).values({ cause, createdAtMs: 1 }).returning();
      const posting = { entryId: entry!.id, account: 'a', unit: 'usdc', amountWei: '0' } as const;
      await db.insert(postings).values({ ...posting, position: 0, amount: 1n });
      await db.insert(postings).values({ ...posting, position: 1, amount: -1n });
    });
    writeSync(STDOUT, `${cause}\n`);
  }
}
