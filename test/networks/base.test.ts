import { conformance } from './conformance.ts';
import { openEvm } from './evm-world.ts';
import { EVM_WORDS } from './evm-words.ts';

conformance({
  network: 'base',
  open: () => openEvm('base'),
  payoutTransactionsMax: 2,
  words: EVM_WORDS,
  // The slice `kills` has the others.
  deaths: [['settle.before-store', 'scan.after-apply', 'payout.before-store', 'payout.after-send']],
  showsCommonRules: true,
});
