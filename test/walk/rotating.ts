/** The treasury of Base gets another key, as docs/keys.md says. */
import { shownAddress } from '../../chain/shown-address.ts';
import { shownAfter } from '../docs/shown.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { See } from './report.ts';
import { approve } from './setting-up.ts';
import { BASE_URL } from './surroundings.ts';
import { payCollector } from './using.ts';
import type { World } from './world.ts';

const SERVED_MS = 240_000;
/** Longer than what the old key has signed is good for. */
const LATER_SECONDS = 66 * 60;

export async function rotate(world: World, see: See): Promise<void> {
  const old = await treasuryInTerms();
  const [command = ''] = shownAfter('keys.md', 'can be replaced on any day').trim().split('\n');
  const words = /operator -- (keystore-rotate TREASURY_KEY) /.exec(command)?.[1];
  if (words === undefined) throw new Error(`keys.md shows another command: ${command}`);
  await world.stop();
  see(await world.operate(words));
  await approve(world, see);
  await world.start();
  const next = await eventually(async () => {
    const named = await treasuryInTerms();
    if (named === old) throw new Error(`the terms name ${old} still`);
    return named;
  }, SERVED_MS);
  see(`the terms named ${old}, and name ${next} now`);
  const paid = await payCollector(world, '1.25', see);
  await world.pass(LATER_SECONDS);
  see('66 minutes pass, in which payouts may have to wait');
  await paid.untilArrived();
  see(`paid from the new address to ${paid.address}`);
  const status = await world.operate('status');
  if (!status.includes(shownAddress(old))) throw new Error(`status does not show the former address ${old}: ${status}`);
  see(status);
}

/** Where a payment on Base has to go. */
async function treasuryInTerms(): Promise<string> {
  const response = await fetch(`${BASE_URL}/payments/x/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ receiver: 'alice', amount: 1 }),
  });
  const terms = Buffer.from(response.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString();
  if (terms === '')
    throw new Error(`a request without a proof is answered ${response.status} ${await response.text()}`);
  const { accepts } = JSON.parse(terms) as { accepts: { network: string; payTo: string }[] };
  const payTo = accepts.find(({ network }) => network.startsWith('eip155:'))?.payTo;
  if (payTo === undefined) throw new Error(`the terms name no EVM network: ${terms}`);
  return payTo;
}
