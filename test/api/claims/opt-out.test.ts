import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toLines } from '../../../api/payments/lines.ts';
import { microUsdc } from '../../../core/money.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { resolveLine } from '../../../db/resolving/resolve-line.ts';
import { createLocalIdentity, localUserId } from '../../../local/identity.ts';
import { openBooks, type Books } from '../../support/books.ts';

/** Somebody who wants no payments is paid by no name of theirs. */
let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const ALICE = parseRecipient('x', 'alice');
const ID = localUserId(ALICE);

async function optOut(): Promise<void> {
  const identityId = await books.meet('alice', ID);
  const { identities } = books.store.tables;
  await books.store.tx((db) =>
    db.update(identities).set({ optedOutAtMs: books.clock.nowMs }).where(eq(identities.id, identityId)),
  );
}

function linesFor(...names: string[]) {
  const lines = names.map((name, index) => ({
    recipient: parseRecipient('x', name),
    receiver: name,
    amount: microUsdc(10_000n),
    field: `receivers[${index}].receiver`,
    note: null,
  }));
  const { store, ids } = books;
  return toLines({ store, ids, identity: createLocalIdentity('configured') }, { lines }, true);
}

test('a line for somebody who opted out refuses the request, naming it', async () => {
  await optOut();
  await expect(linesFor('bob', 'alice')).rejects.toMatchObject({
    code: 'receiver_opted_out',
    context: { field: 'receivers[1].receiver' },
  });
  expect(await linesFor('bob')).toHaveLength(1);
});

test('whose name was looked up after the payment gets it not: it goes back, and says why', async () => {
  await optOut();
  const { lines } = await books.pay({ payees: [{ name: 'alice', stableId: null }] });
  const dependencies = {
    newIdentityId: books.ids.identityId,
    transferIdOf: books.transferIdOf,
    nowMs: books.clock.nowMs,
  };
  expect(await resolveLine(books.store, lines[0]?.txnId ?? 0, { stableId: ID }, dependencies)).toBe('returned');
  const [line] = await books.linesFor(lines[0]?.paymentId ?? '');
  expect(line).toMatchObject({ status: 'returning', returnReason: 'opted_out' });
});
