import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toLines } from '../../../api/payments/lines.ts';
import { microUsdc } from '../../../core/money.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { allowPayers, blockPayers } from '../../../db/tips/blocks.ts';
import { resolveLine } from '../../../db/resolving/resolve-line.ts';
import { createLocalIdentity, localUserId } from '../../../local/identity.ts';
import { openBooks, type Books } from '../../support/books.ts';

/** A recipient who wants no payments is paid under none of their names. */
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
const PAYER = `0x${'99'.repeat(20)}`;

async function optOut(): Promise<void> {
  const identityId = await books.meet('alice', ID);
  const { identities } = books.store.tables;
  await books.store.tx((db) =>
    db.update(identities).set({ optedOutAtMs: books.clock.nowMs }).where(eq(identities.id, identityId)),
  );
}

function linesFor(...names: string[]) {
  return linesOfPayer(PAYER, names);
}

function linesOfPayer(payer: string, names: readonly string[]) {
  const lines = names.map((name, index) => ({
    recipient: parseRecipient('x', name),
    receiver: name,
    amount: microUsdc(10_000n),
    field: `receivers[${index}].receiver`,
    note: null,
  }));
  const { store, ids } = books;
  return toLines({ store, ids, identity: createLocalIdentity('configured') }, { lines }, true, payer);
}

test('a line for a recipient who opted out refuses the request, naming it', async () => {
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

test('a blocked payer is told the same as for a recipient who takes nothing, and nobody else is told', async () => {
  const identityId = await books.meet('alice', ID);
  await blockPayers(books.store, { identityIds: [identityId], payers: [PAYER] }, books.clock.nowMs);
  await expect(linesFor('bob', 'alice')).rejects.toMatchObject({ code: 'receiver_opted_out' });
  expect(await linesOfPayer(`0x${'88'.repeat(20)}`, ['bob', 'alice'])).toHaveLength(2);
  const { lines } = await books.pay({ payer: PAYER, payees: [{ name: 'alice', stableId: null }] });
  const dependencies = {
    newIdentityId: books.ids.identityId,
    transferIdOf: books.transferIdOf,
    nowMs: books.clock.nowMs,
  };
  expect(await resolveLine(books.store, lines[0]?.txnId ?? 0, { stableId: ID }, dependencies)).toBe('returned');
  await allowPayers(books.store, { identityIds: [identityId], payers: [PAYER] });
  expect(await linesFor('alice')).toHaveLength(1);
});
