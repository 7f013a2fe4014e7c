import type { Network } from '../../core/networks.ts';
import { code, strong, type View } from '../../core/view.ts';
import { formatTime, noticesIn } from './withdrawal.ts';

/** A new address for the money of a community. `at`: from when it counts. */
export type TreasuryAddressFacts = { place: string; network: Network; address: string; at: Date };

/** For one who has decided about that money before: where it could go, and how to stop that. */
export function treasuryAddressNotice(
  { place, network, address, at }: TreasuryAddressFacts,
  language: string | null,
): View {
  const { locale, treasuryAddress, treasuryNotYou } = noticesIn(language);
  const facts = { place, address: code(address), time: strong(`${formatTime(at, locale)} UTC`) };
  return {
    state: 'ok',
    audience: 'person',
    paragraphs: [treasuryAddress(facts), treasuryNotYou(code(`/treasury address off ${network}`))],
    actions: [],
  };
}
