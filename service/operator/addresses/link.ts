import { randomBytes } from 'node:crypto';
import type { Config } from '../../../core/config/config.ts';
import { createIds } from '../../../core/ids.ts';
import type { Network } from '../../../core/networks.ts';
import { findPlatform } from '../../../core/platforms/platforms.ts';
import { formatRecipient, parseRecipient, type Recipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { openExistingStore } from '../../../db/store/open.ts';
import { recordAction } from '../../../db/operator/actions.ts';
import { linkWithin } from '../../../db/transfers/link-wallet.ts';
import { createIdentity } from '../../identity.ts';
import { openKnownTransferIds } from '../../transfer-ids.ts';
import { readCheckedAddress } from './checked-address.ts';

/** A command reports its own failures. */
const QUIET = { info: () => undefined, warn: () => undefined };

export type LinkResult = { recipient: string; network: Network; address: string; payouts: number };

/**
 * The operator sets where a recipient's money goes, for recipients who cannot collect it themselves. What waits for
 * them becomes payouts, which a running worker sends; everything later is paid out at once. The address is checked as
 * on a claim page. Throws plain Errors that say what is wrong.
 */
export async function linkRecipient(
  config: Config,
  name: string,
  addressText: string,
  who: string,
): Promise<LinkResult> {
  const recipient = readRecipient(name);
  const { network, address } = await readCheckedAddress(config, addressText);
  const identity = createIdentity(config, QUIET);
  const resolution = await identity.resolve(recipient);
  await identity.close();
  if (resolution.kind !== 'found') throw new Error(`${formatRecipient(recipient)} was not found on its platform.`);
  const store = await openExistingStore(config.databaseUrl);
  try {
    const { tables } = store;
    const ids = createIds(randomBytes);
    const nowMs = Date.now();
    const person = { ...recipient, stableId: resolution.stableId };
    const recipientName = formatRecipient(recipient);
    const transferIdOf = await openKnownTransferIds(config, store);
    const payouts = await store.tx(async (db) => {
      const identityId = await ensureIdentity(db, tables, person, ids.identityId(), nowMs);
      const link = { identityId, network, address, source: 'operator' };
      const created = await linkWithin(db, tables, link, { transferIdOf, nowMs });
      // Notes are kept for ever, so they hold neither the name nor the address: the identity's row can be erased.
      const command = { name: 'link', arguments: [identityId, network], who };
      await recordAction(db, tables, command, { result: `${created.length} payouts`, nowMs });
      return created;
    });
    return { recipient: recipientName, network, address, payouts: payouts.length };
  } finally {
    await store.close();
  }
}

function readRecipient(name: string): Recipient {
  const [, platformText = '', receiver = ''] = /^@?([a-z]+)[:/](.+)$/i.exec(name) ?? [];
  const platform = findPlatform(platformText);
  if (platform === null) throw new Error(`Name the recipient as platform:handle, such as x:alice; found ${name}.`);
  return parseRecipient(platform, receiver);
}
