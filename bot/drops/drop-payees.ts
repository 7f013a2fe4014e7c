import { payeesAmong, sharesOf } from '../../core/drops/drops.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { takersOf, type Drop } from '../../db/drops/drops.ts';
import { listHashOf } from '../../db/drops/list-hash.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { identitiesOf } from '../tips/blocking.ts';
import { isStillWanted } from './drop-rule.ts';

/** Who gets what, in the order in which they asked. */
export type Payee = { userId: string; recipient: Recipient; amount: MicroUsdc };

/** The list as it is now: names are linked, people banned and payments refused also after a share was taken. */
export async function listOf(
  deps: Pick<CoreDeps, 'store' | 'clock'>,
  drop: Drop,
): Promise<{ payees: Payee[]; listHash: string }> {
  const takers = await Promise.all(
    (await takersOf(deps.store, drop.id)).map(async ({ userId, names, isStruck }) => {
      const known = [...new Set([...names, ...(await identitiesOf(deps, userId))])];
      return {
        userId,
        names: known,
        isStruck: isStruck || !(await isStillWanted(deps, drop, { userId, names: known })),
      };
    }),
  );
  const userIds = payeesAmong(takers);
  const shares = sharesOf(microUsdc(drop.amountMicroUsdc), { people: drop.people, taken: userIds.length });
  const payees = userIds.map((userId, index) => ({
    userId,
    recipient: recipientOf(drop, userId),
    amount: shares[index] ?? microUsdc(0n),
  }));
  return { payees, listHash: listHashOf(drop, userIds) };
}

function recipientOf({ transport }: Drop, userId: string): Recipient {
  const platform = findPlatform(transport);
  if (platform === null) throw new Error(`members of ${transport} have no names that could be paid`);
  return parseRecipient(platform, userId.slice(`${transport}:`.length));
}
